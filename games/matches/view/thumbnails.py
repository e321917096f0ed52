"""Small boards in lists, at addresses whose content never changes.

They show what a spectator may see, so any cache may store them. The address contains the version of
the match and a digest of the code that draws it, so it differs for another position, or for a
release that draws differently. Descriptions in them are in the reader's language, by which the
answers vary.
"""

import hashlib
import inspect
from functools import cache
from pathlib import Path

from django.core.cache import cache as store

from games import kernel
from games.kernel import language, registry
from games.matches.log import log_entries
from games.matches.models import Match
from games.matches.selectors import MatchSnapshot
from games.matches.table import Facts
from games.matches.view import pictures
from games.matches.view.match_view import MatchView

CACHE_SECONDS = 7 * 24 * 3600
"""Seconds for which a drawn board is cached for other readers."""

DIGITS = 12
"""Hexadecimal digits of a digest."""


def look_of(match: Match | Facts) -> str:
    """Return a digest of the code that draws the board of a match.

    :raises UnknownTitle: its game isn't installed.
    :raises UnknownRules: that version of its rules isn't.
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
    """Return a cached board as an SVG document. ``None`` without one."""
    of, svg = store.get(_key(match_id, theme)) or (None, None)
    return svg if of == [version, digest] else None


def draw(snapshot: MatchSnapshot, theme: str) -> str:
    """Draw the board of a match for a spectator, with the effects of its last entry highlighted.

    Its panel is left out, since it would be unreadable at that size.

    :raises Unreadable: the rules can't read its position.
    """
    match = snapshot.match
    log = log_entries.leading_to(match, match.version)
    svg = pictures.svg_document(MatchView(snapshot.table, None, log).drawing.board, theme)
    shown = [[match.version, look_of(match)], svg]
    store.set(_key(match.pk, theme), shown, CACHE_SECONDS)
    return svg


def _key(match_id: int, theme: str) -> str:
    """Return the cache key of a match, which holds only its last drawn version in a language."""
    return f"thumbnail-of:{match_id}:{theme}:{language.code()}"
