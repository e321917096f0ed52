"""The board of Noughts and Crosses, drawn."""

from collections.abc import Collection, Iterator, Mapping

from games.kernel import svg
from games.kernel.svg import Drawing, Element, Mark

SIDE = 60
MARGIN = 20
ARM = 18
WORDS = {"x": "a cross", "o": "a nought", ".": "empty"}


def draw(cells: Mapping[str, str], last: Collection[str]) -> Drawing:
    """Return the board with the letters of its cells; the cells in ``last`` are highlighted."""
    names = [f"{column}{row}" for row in "321" for column in "abc"]
    marks = [_cell(name, cells[name], is_last=name in last) for name in names]
    size = 3 * SIDE + 2 * MARGIN
    empty = list(cells.values()).count(".")
    return Drawing(size, size, (*marks, *_labels()), f"Three by three cells, {empty} empty.")


def _cell(name: str, letter: str, *, is_last: bool) -> Mark:
    x = MARGIN + SIDE * "abc".index(name[0])
    y = MARGIN + SIDE * "321".index(name[1])
    middle = (x + SIDE / 2, y + SIDE / 2)
    edge = {"stroke": svg.LAST if is_last else svg.CELL_EDGE, "stroke_width": 4 if is_last else 2}
    shapes = [svg.rect(x + 2, y + 2, SIDE - 4, SIDE - 4, **edge)]
    if letter != ".":
        shapes.append(_cross(*middle) if letter == "x" else _nought(*middle))
    square = svg.group(*shapes, fill=svg.CELL)
    words = f"{name}, {WORDS[letter]}{', just taken' if is_last else ''}"
    return svg.mark(name, words, square, at=middle)


def _cross(x: float, y: float) -> Element:
    way = f"M{x - ARM} {y - ARM}L{x + ARM} {y + ARM}M{x - ARM} {y + ARM}L{x + ARM} {y - ARM}"
    return svg.path(way, stroke=svg.seat_role(0), stroke_width=7)


def _nought(x: float, y: float) -> Element:
    return svg.circle(x, y, ARM, fill="none", stroke=svg.seat_role(1), stroke_width=7)


def _labels() -> Iterator[Element]:
    for at in range(3):
        middle = MARGIN + SIDE * (at + 0.5)
        yield svg.text(middle, 3 * SIDE + 2 * MARGIN - 5, "abc"[at], fill=svg.INK_SOFT)
        yield svg.text(MARGIN / 2, middle + 5, "321"[at], fill=svg.INK_SOFT)
