"""The board of Noughts and Crosses, drawn."""

from collections.abc import Collection, Mapping

from games.kernel import svg
from games.kernel.grids import SquareGrid
from games.kernel.language import gettext
from games.kernel.svg import Drawing, Element, Mark, Point

SIDE, MARGIN, ARM = 60, 20, 18
GRID = SquareGrid(3, 3, SIDE, MARGIN)


def draw(cells: Mapping[str, str], last: Collection[str]) -> Drawing:
    """Return the board with the letters of its cells; the cells in ``last`` are highlighted."""
    marks = [_cell(name, at, cells[name], is_last=name in last) for name, at in GRID.places.items()]
    labels = svg.group(*GRID.letters(GRID.height - 5), *GRID.numbers(10, 5), fill=svg.INK_SOFT)
    empty = list(cells.values()).count(".")
    words = gettext("Three by three cells, {count} empty.").format(count=empty)
    return Drawing(GRID.width, GRID.height, (*marks, labels), words)


def _cell(name: str, at: Point, letter: str, *, is_last: bool) -> Mark:
    x, y = at[0] - SIDE / 2, at[1] - SIDE / 2
    edge = {"stroke": svg.LAST if is_last else svg.CELL_EDGE, "stroke_width": 4 if is_last else 2}
    shapes = [svg.rect(x + 2, y + 2, SIDE - 4, SIDE - 4, **edge)]
    if letter != ".":
        shapes.append(_cross(*at) if letter == "x" else _nought(*at))
    square = svg.group(*shapes, fill=svg.CELL)
    return svg.mark(name, _words(letter, is_last=is_last).format(cell=name), square, at=at)


def _words(letter: str, *, is_last: bool) -> str:
    if letter == ".":
        return gettext("{cell}, empty")
    if letter == "x":
        return gettext("{cell}, a cross, just taken") if is_last else gettext("{cell}, a cross")
    return gettext("{cell}, a nought, just taken") if is_last else gettext("{cell}, a nought")


def _cross(x: float, y: float) -> Element:
    way = f"M{x - ARM} {y - ARM}L{x + ARM} {y + ARM}M{x - ARM} {y + ARM}L{x + ARM} {y - ARM}"
    return svg.path(way, stroke=svg.seat_role(0), stroke_width=7)


def _nought(x: float, y: float) -> Element:
    return svg.circle(x, y, ARM, fill="none", stroke=svg.seat_role(1), stroke_width=7)
