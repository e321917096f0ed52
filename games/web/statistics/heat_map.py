"""Where matches begin, as dots on the board of the first position, the larger the more."""

import hashlib
import json
from collections.abc import Sequence
from itertools import combinations
from math import dist, sqrt

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import ngettext

from games.kernel import registry, svg, svg_writer
from games.kernel.dice import CommittedDice
from games.kernel.errors import GameError
from games.kernel.language import cached
from games.matches.errors import NOT_READABLE
from games.statistics.models import Variant
from games.statistics.selectors import Cell, Opening

CACHE_SIZE = 64
"""Maximum number of boards that a process caches."""

NEAR = 200
"""Number of marks from which the minimum distance is computed."""

FILL = 0.46
"""The radius of the largest dot, as a fraction of the minimum distance of two marks."""

MIN_DOT = 0.25
"""The radius of the smallest dot, as a fraction of that of the largest."""


def draw(opening: Opening, ids: str = "heat-") -> SafeString | None:
    """Draw a dot on each mark where matches began. ``ids`` is the prefix of ids.

    ``None`` if all marks are off the board, or it can't be drawn any more.
    """
    board = _board_of(opening.variant)
    middles = svg.middles_of(board) if board else {}
    cells = [cell for cell in opening.cells if cell.mark in middles]
    if board is None or not cells:
        return None
    dots = svg.group(*_dots(cells, middles, _nearest(board)), fill=svg.ACCENT, opacity=0.8)
    message = ngettext(
        "Where matches began: most often at {place}, {count} times",
        "Where matches began: most often at {place}, {count} times",
        cells[0].number,
    )
    label = message.format(place=cells[0].mark, count=cells[0].number)
    drawing = svg.Drawing(board.width, board.height, (*board.children, dots), label)
    # Drawings are built from elements that escape what they are given.
    return mark_safe(svg_writer.render(drawing, ids=ids, marks=False))  # noqa: S308


def labels(variant: Variant) -> dict[str, str]:
    """Return the names of the marks in words. Empty if the board can't be drawn any more."""
    board = _board_of(variant)
    return dict(svg.marks_of(board)) if board else {}


def _board_of(variant: Variant) -> svg.Drawing | None:
    return _board(variant.title, variant.seats, json.dumps(variant.params, sort_keys=True))


@cached(CACHE_SIZE)
def _board(slug: str, seats: int, params: str) -> svg.Drawing | None:
    """Return the first position. If chance sets it up, always the same one."""
    dice = CommittedDice(hashlib.sha256(slug.encode()).digest())
    try:
        title = registry.get(slug)
        state = title.setup(seats, json.loads(params), dice)
        return title.draw(title.view(state, None), ()).board
    except (GameError, *NOT_READABLE):
        return None


def _nearest(board: svg.Drawing) -> float:
    """Return the minimum distance of two marks. A sixth of the board for a single mark."""
    points = [mark.at for mark in board.marks if mark.at and not mark.on][:NEAR]
    apart = (dist(one, other) for one, other in combinations(dict.fromkeys(points), 2))
    return min(apart, default=board.width / 6)


def _dots(cells: Sequence[Cell], middles: dict[str, svg.Point], near: float) -> list[svg.Element]:
    most = max(cell.number for cell in cells)
    return [
        svg.circle(*middles[mark], FILL * near * max(sqrt(number / most), MIN_DOT))
        for mark, number in cells
    ]
