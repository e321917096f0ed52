"""The same position, however a match got there: one key for all its transpositions and images.

A key comes from what a spectator sees, so it tells nothing about hidden cards. A game says what
makes positions equal (:meth:`~games.kernel.contract.Game.images`).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Any

import msgspec

from games.kernel.contract import AnyGame, Image, Params
from games.kernel.errors import GameError

KEY_BYTES = 8


@dataclass(frozen=True)
class CanonicalPosition:
    """The key of a position, and the images of it that have this key."""

    title: AnyGame
    key: int
    images: Sequence[Image]

    def to_canonical(self, move: str) -> str:
        """Return one text for all moves that are images of each other here."""
        return min(renamed(self.title, move, image.names) for image in self.images)

    def from_canonical(self, move: str) -> str:
        """Return one of the moves on this board that have a canonical text."""
        names = self.images[0].names
        return renamed(self.title, move, {image: name for name, image in names.items()})


def canonical(title: AnyGame, seats: int, params: Params, state: Any) -> CanonicalPosition:
    """Return the key of a position: a signed number of 64 bits."""
    return canonical_view(title, seats, params, title.view(state, None))


def canonical_view(title: AnyGame, seats: int, params: Params, view: Any) -> CanonicalPosition:
    """Return the key of a position that a spectator sees."""
    encoded = [
        (msgspec.json.encode(image.position, order="sorted"), image) for image in title.images(view)
    ]
    least = min(content for content, _ in encoded)
    terms = msgspec.json.encode([title.meta.slug, seats, params], order="sorted")
    digest = blake2b(terms + least, digest_size=KEY_BYTES).digest()
    same = [image for content, image in encoded if content == least]
    return CanonicalPosition(title, int.from_bytes(digest, "big", signed=True), same)


def renamed(title: AnyGame, move: str, names: Mapping[str, str]) -> str:
    """Return the canonical text of a move with other names of places."""
    if not names or not move:
        return move
    text = _place(tuple(names)).sub(lambda found: names[found[0]], move)
    try:
        return str(title.parse(text))
    except GameError:
        return text


@lru_cache(maxsize=64)
def _place(names: Sequence[str]) -> re.Pattern[str]:
    """Return the regular expression of the names of places, the longest first."""
    return re.compile("|".join(sorted(map(re.escape, names), key=len, reverse=True)))
