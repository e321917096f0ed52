"""What lies on the table before each tower: its next piece, what is left, the score sheet.

The score sheet is a sheet of paper: totals are written one after the other, and all but the last
are crossed off, legible still, for the tower is rebuilt from them.
"""

from collections.abc import Iterator, Mapping

from games.kernel import svg
from games.kernel.svg import Element, Node, Value
from games.titles.precary_ice.drawing.geometry import COLUMN, Geometry
from games.titles.precary_ice.drawing.symbols import (
    draw_die,
    draw_pennant,
    draw_small_piece,
    draw_star,
    seat_colour,
)
from games.titles.precary_ice.meta import name_of
from games.titles.precary_ice.pieces import LETTERS, NAMES, PIECES

LEFT = 5 - COLUMN / 2
"""Where what is said of a tower begins, from its axis."""

WIDTH = COLUMN - 10
PLATE, NEXT, STOCK, PAPER = 8.5, 14, 39, 45
"""Where the name, the next piece, the stock and the sheet of paper stand, below the table."""

ROW, FIRST = 9.5, 10
"""How far rows of totals are apart, and the room for the rounds before above them."""

SKEW = (-0.8, 0.6, -0.5, 0.9, -0.7, 0.5)
"""By how many degrees each sheet lies askew."""

NUMBER = 7

PEN: Mapping[str, Value] = {
    "fill": "none",
    "stroke": svg.INK,
    "stroke_width": 0.6,
    "stroke_linecap": "round",
}
"""The ink in which totals are crossed off."""


def height_below(geometry: Geometry) -> float:
    """Return the room that all of it takes below the table."""
    return PAPER + FIRST + ROW * geometry.rows + 6


def draw_below(geometry: Geometry, seat: int) -> Iterator[Node]:
    """Yield what lies before a tower: x from its axis, y from the table's lower edge."""
    yield from _plate(geometry, seat)
    yield from _next(geometry, seat)
    yield from _stock(geometry, seat)
    turn = f"translate({LEFT} {PAPER}) rotate({SKEW[seat]})"
    yield svg.mark(
        f"sheet-{seat}",
        _describe(geometry, seat),
        svg.group(*_paper(geometry, seat), transform=turn),
    )


def _plate(geometry: Geometry, seat: int) -> Iterator[Element]:
    name, tower = name_of(seat), geometry.towers[seat]
    yield svg.group(
        svg.text(LEFT, PLATE, name, font_size=8, font_weight="bold", text_anchor="start"),
        fill=svg.INK if geometry.view.in_[seat] else svg.INK_SOFT,
    )
    if tower.total == geometry.best_now:
        yield from draw_pennant(-LEFT - 27, PLATE)
        yield _note("highest", -LEFT, PLATE)
    elif tower.fallen:
        yield _note("fallen", -LEFT, PLATE)


def _note(said: str, x: float, y: float, anchor: str = "end") -> Element:
    return svg.text(x, y, said, font_size=6, fill=svg.INK_SOFT, text_anchor=anchor)


def _next(geometry: Geometry, seat: int) -> Iterator[Element]:
    """Yield the die and the piece that it gives."""
    letter, face = geometry.towers[seat].next, geometry.towers[seat].die
    if letter is None:
        return
    if face is not None:
        yield from draw_die(face, LEFT, NEXT)
    yield svg.group(draw_small_piece(letter, LEFT + 19, NEXT + 11), fill=seat_colour(seat))
    yield svg.text(
        LEFT + 26,
        NEXT + 8.5,
        f"{NAMES[letter]} next",
        font_size=7,
        fill=svg.INK,
        text_anchor="start",
    )


def _stock(geometry: Geometry, seat: int) -> Iterator[Element]:
    """Yield how many pieces of each size are left."""
    step, left = WIDTH / len(LETTERS), geometry.towers[seat].left
    for at, (letter, count) in enumerate(zip(LETTERS, left, strict=True)):
        x = LEFT + 4 + at * step
        yield svg.group(
            draw_small_piece(letter, x, STOCK),
            fill=seat_colour(seat),
            opacity=None if count else 0.35,
        )
        yield _note(f"×{count}", x + 5, STOCK - 0.5, "start")


# --- The sheet of paper -----------------------------------------------------------------------


def _paper(geometry: Geometry, seat: int) -> Iterator[Element]:
    deep = FIRST + ROW * geometry.rows + 2
    yield svg.rect(0.8, 1, WIDTH, deep, fill=svg.SHADOW, fill_opacity=0.14)
    yield svg.rect(0, 0, WIDTH, deep, stroke=svg.CELL_EDGE, stroke_width=0.4)
    lines = "".join(f"M2 {FIRST + ROW * row:.1f}h{WIDTH - 4}" for row in range(geometry.rows + 1))
    yield svg.path(lines, stroke=svg.CELL_EDGE, stroke_width=0.3)
    yield from _rounds_before(geometry, seat)
    totals = geometry.towers[seat].sheet
    numbers = [_total(geometry, at, total) for at, total in enumerate(totals)]
    yield svg.group(*numbers[:-1], fill=svg.INK_SOFT, font_size=NUMBER)
    yield svg.group(*numbers[-1:], fill=svg.INK, font_size=NUMBER + 1, font_weight="bold")
    crossed = "".join(_stroke(geometry, at) for at in range(len(totals) - 1))
    yield svg.path(crossed, **PEN)
    yield from _due(geometry, seat)


def _due(geometry: Geometry, seat: int) -> Iterator[Element]:
    """Yield, unseen, what the pen is to write: pages show it while the piece falls into place."""
    tower = geometry.towers[seat]
    if tower.next:
        last, total = len(tower.sheet) - 1, tower.total + PIECES[tower.next].points
        yield svg.group(
            svg.path(_stroke(geometry, last), **PEN),
            svg.group(_total(geometry, last + 1, total), fill=svg.INK, font_weight="bold"),
            class_="due",
            font_size=NUMBER + 1,
            visibility="hidden",
        )


def _rounds_before(geometry: Geometry, seat: int) -> Iterator[Element]:
    """Yield the scores of the rounds before, the highest of the match with a star."""
    yield _note(f"Round {geometry.view.round}", 2, 7, "start")
    scores = geometry.view.scores[seat]
    apart = min(10.0, 38 / max(1, len(scores)))
    for at, score in enumerate(reversed(scores)):
        x = WIDTH - 6 - apart * at
        yield _note(str(score), x, 7, "middle")
        if score == geometry.best_ever:
            yield draw_star(x, 0)


def _spot(geometry: Geometry, at: int) -> tuple[float, float]:
    row, column = divmod(at, geometry.in_a_row)
    return 2 + (column + 0.5) * (WIDTH - 4) / geometry.in_a_row, FIRST + ROW * (row + 1) - 2


def _total(geometry: Geometry, at: int, total: int) -> Element:
    x, y = _spot(geometry, at)
    return svg.text(x, y, str(total))


def _stroke(geometry: Geometry, at: int) -> str:
    x, y = _spot(geometry, at)
    return f"M{x - 4:.1f} {y - 0.8:.1f}l8 {-3.2 if at % 2 else -4:.1f}"


def _describe(geometry: Geometry, seat: int) -> str:
    """Return in words what a sheet says."""
    tower = geometry.towers[seat]
    text = f"{name_of(seat)}’s sheet: {tower.total} points"
    if crossed := ", ".join(map(str, tower.sheet[:-1])):
        text += f"; crossed off {crossed}"
    if before := geometry.view.scores[seat]:
        text += f"; rounds before {', '.join(map(str, before))}"
    return text
