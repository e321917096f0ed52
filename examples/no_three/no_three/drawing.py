"""The board of No Three, drawn."""

from collections.abc import Collection, Sequence
from functools import cache

from games.kernel import svg
from games.kernel.grids import HexGrid, corners
from games.kernel.hexgrid import Cells, HexBoard
from games.kernel.language import gettext
from games.kernel.svg import Drawing, Element, Mark, Point

RADIUS = 30
ACROSS = 52
MARGIN = 42
STONE = 17
SIDES = (0, 4, 3)
"""The sides of the sign on the stones of each seat; 0 is a ring."""


def draw(board: HexBoard, stones: Sequence[Cells], last: Collection[str]) -> Drawing:
    """Return the board with its stones; the cells in ``last`` are highlighted."""
    grid = _grid(board.size)
    owners = {str(cell): seat for seat, own in enumerate(stones) for cell in board.cells_of(own)}
    marks = [
        _mark(name, at, owners.get(name), is_last=name in last) for name, at in grid.places.items()
    ]
    words = gettext("{count} cells, {empty} empty.")
    words = words.format(count=len(marks), empty=len(marks) - len(owners))
    return Drawing(grid.width, grid.height, tuple(marks), words)


@cache
def _grid(size: int) -> HexGrid:
    return HexGrid(size, ACROSS, MARGIN)


def _mark(name: str, at: Point, owner: int | None, *, is_last: bool) -> Mark:
    x, y = at
    edge = {"stroke": svg.LAST if is_last else svg.CELL_EDGE, "stroke_width": 4 if is_last else 2}
    shapes = [svg.polygon(corners(at, RADIUS - 3), fill=svg.CELL, **edge)]
    if owner is None:
        shapes.append(svg.text(x, y + 22, name, fill=svg.INK_SOFT, font_size=11))
    else:
        shapes += (svg.circle(x, y, STONE, fill=svg.seat_role(owner)), _sign(owner, x, y))
    words = _words(owner).format(cell=name)
    if is_last:
        words = gettext("{cell}, just placed").format(cell=words)
    return svg.mark(name, words, svg.group(*shapes), at=at)


def _words(owner: int | None) -> str:
    if owner is None:
        return gettext("{cell}, empty")
    stones = [
        gettext("{cell}, a red stone"),
        gettext("{cell}, a blue stone"),
        gettext("{cell}, a green stone"),
    ]
    return stones[owner]


def _sign(seat: int, x: float, y: float) -> Element:
    if not SIDES[seat]:
        ink = svg.on_seat_role(seat)
        return svg.circle(x, y, STONE / 2, fill="none", stroke=ink, stroke_width=3)
    return svg.polygon(corners((x, y), STONE * 0.55, SIDES[seat]), fill=svg.on_seat_role(seat))
