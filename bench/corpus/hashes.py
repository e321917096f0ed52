"""Hashes of everything visible in the positions of a match."""

import base64
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from bench.corpus.game import Game, Text
from bench.corpus.places import CHEAP, KINDS, Place, places

Renames: TypeAlias = Mapping[str, Sequence[tuple[str, str]]]
SHORT = 2
"""Bytes of a position's hash: enough to find it when the hash of the match has changed."""


@dataclass
class Hashes:
    """A match's hashes: one of each kind over all positions, and a short one of each position."""

    renames: Renames = field(default_factory=dict)
    whole: dict[str, Any] = field(default_factory=dict)
    each: dict[str, bytearray] = field(default_factory=dict)
    plies: dict[str, list[int]] = field(default_factory=dict)

    def add(self, kind: str, ply: int, texts: Iterable[Text]) -> None:
        """Add the texts of a kind at a position."""
        found = hashlib.sha256()
        for text in texts:
            found.update(renamed(text, kind, self.renames).encode() + b"\0")
        self.whole.setdefault(kind, hashlib.sha256()).update(found.digest())
        self.each.setdefault(kind, bytearray()).extend(found.digest()[:SHORT])
        self.plies.setdefault(kind, []).append(ply)

    def stored(self) -> dict[str, list[str]]:
        """Return the hashes as JSON: by kind the one of the match and those of the positions."""
        return {
            kind: [whole.hexdigest()[:16], base64.b64encode(self.each[kind]).decode()]
            for kind, whole in self.whole.items()
        }


def renamed(text: Text, kind: str, renames: Renames) -> Text:
    """Translate a text's names to the earlier ones."""
    for pattern, old in (*renames.get(kind, ()), *renames.get("*", ())):
        text = re.sub(pattern, old, text)
    return text


def seen(place: Place, kind: str) -> Iterator[Text]:
    """Yield the visible texts of a position, including crashes."""
    try:
        yield from place.texts(kind)
    except Exception as error:  # noqa: BLE001 - reported as a difference, and the others go on
        yield f"{type(error).__name__}: {error}"


def hashes(game: Game, number: int, match: Mapping[str, Any], renames: Renames) -> Hashes:
    """Return the hashes of a match, up to the first refused position."""
    found = Hashes(renames)
    try:
        for place, is_chosen in places(game, number, match):
            for kind in KINDS if is_chosen else CHEAP:
                found.add(kind, place.ply, seen(place, kind))
    except Exception as error:  # noqa: BLE001 - a match that does not replay is a difference
        print(f"{game.slug} {number}: the match does not replay: {error!r}")
    return found
