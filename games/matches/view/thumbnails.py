"""Small boards in lists: each at an address of its own, which never shows anything else.

They show what a spectator may see, to everybody alike, and so may be kept by anybody. The address
holds the version of the match and a digest of the code that draws it: another position, or a
release that draws otherwise, has another one.
"""

import hashlib
import inspect
from functools import cache
from pathlib import Path

from django.core.cache import cache as store

from games import kernel
from games.kernel import registry
from games.matches.log import log_entries
from games.matches.models import Match
from games.matches.selectors import MatchSnapshot
from games.matches.view import pictures
from games.matches.view.match_view import MatchView

CACHE_SECONDS = 7 * 24 * 3600
"""Seconds that a drawn board is kept for others who ask for it."""

DIGITS = 12
"""Hexadecimal digits of a digest."""


def look_of(match: Match) -> str:
    """Return a digest of the code by which the board of a match is drawn.

    :raises UnknownTitle: its game is not installed.
    :raises UnknownRules: that version of its rules is not.
    """
    return _look(match.title, match.rules_version)


@cache
def _look(title: str, rules_version: int) -> str:
    own = Path(inspect.getfile(type(registry.get(title, rules_version)))).parent
    digest = hashlib.sha256(str(rules_version).encode())
    drawn_by = [file for folder in (Path(kernel.__path__[0]), own) for file in folder.rglob("*.py")]
    for file in (*sorted(drawn_by), Path(pictures.__file__), Path(__file__)):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:DIGITS]


def stored(match_id: int, version: int, digest: str, theme: str) -> str | None:
    """Return a board that was drawn before as an SVG document; ``None`` if there is none."""
    of, svg = store.get(_key(match_id, theme)) or (None, None)
    return svg if of == [version, digest] else None


def draw(snapshot: MatchSnapshot, theme: str) -> str:
    """Draw the board of a match for a spectator, with what its last entry did highlighted.

    Its panel, of which nothing could be read at that size, is left out.

    :raises Unreadable: the rules cannot read its position.
    """
    match = snapshot.match
    log = log_entries.leading_to(match, match.version)
    svg = pictures.svg_document(MatchView(snapshot, None, log).drawing.board, theme)
    shown = [[match.version, look_of(match)], svg]
    store.set(_key(match.pk, theme), shown, CACHE_SECONDS)
    return svg


def _key(match_id: int, theme: str) -> str:
    """Return the key of a match, which holds its last drawn version alone."""
    return f"thumbnail-of:{match_id}:{theme}"
