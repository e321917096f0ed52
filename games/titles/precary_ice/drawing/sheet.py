"""Each builder's desk beside the towers: the next piece, the stock, the score sheet.

The score sheet is a sheet of paper: totals are written one after the other, and all except the last
are crossed off but legible, since the tower is rebuilt from them.
"""

from collections.abc import Iterable, Iterator, Mapping

from games.kernel import svg
from games.kernel.language import gettext, ngettext, pgettext
from games.kernel.svg import Drawing, Element, Node, Value
from games.titles.precary_ice.drawing.geometry import COLUMN, Geometry
from games.titles.precary_ice.drawing.symbols import (
    draw_die,
    draw_pennant,
    draw_small_piece,
    draw_star,
    seat_colour,
)
from games.titles.precary_ice.meta import name_of
from games.titles.precary_ice.pieces import LETTERS, PIECES, by_size

LEFT = 2
"""The left edge of a desk's texts."""

WIDTH = COLUMN - 4
PLATE = 8
"""The position of the name."""

NEXT = 12
"""The position of the next piece."""

STOCK = 37
"""The position of the stock."""

TRAY = 41
"""The height of name, next piece and stock together."""

ROW = 9.5
"""The distance between rows of totals."""

FIRST = 10
"""The room above them for earlier rounds."""

SCALE = 1.9
"""Pixels per millimetre."""

SKEW = (-0.8, 0.6, -0.5, 0.9, -0.7, 0.5)
"""The rotation of each sheet, in degrees."""

NUMBER = 7

BAND = 1.6
"""The width of the coloured band that shows the owner of a sheet."""

PEN: Mapping[str, Value] = {
    "fill": "none",
    "stroke": svg.INK,
    "stroke_width": 0.6,
    "stroke_linecap": "round",
}
"""The ink in which totals are crossed off."""


def desk(geometry: Geometry, seat: int) -> Iterator[Drawing]:
    """Yield a seat's desk: a tray with its pieces, and its sheet."""
    tray = (*_plate(geometry, seat), *_next(geometry, seat), *_stock(geometry, seat))
    name = name_of(seat)
    yield _picture(seat, TRAY, tray, gettext("{player}’s pieces").format(player=name))
    turn = f"translate({LEFT} 2) rotate({SKEW[seat]})"
    description = _describe(geometry, seat)
    paper = svg.group(*_paper(geometry, seat), transform=turn)
    sheet = svg.mark(f"sheet-{seat}", description, svg.group(paper, fill=svg.CELL))
    label = gettext("{player}’s sheet").format(player=name)
    yield _picture(seat, FIRST + ROW * geometry.rows + 7, (sheet,), label)


def _picture(seat: int, height: float, drawn: Iterable[Node], label: str) -> Drawing:
    scaled = svg.group(*drawn, data_seat=seat, transform=f"scale({SCALE})")
    return Drawing(round(COLUMN * SCALE), round(height * SCALE), (scaled,), label)


def _plate(geometry: Geometry, seat: int) -> Iterator[Element]:
    name = name_of(seat)
    tower = geometry.towers[seat]
    yield svg.group(
        svg.text(LEFT, PLATE, name, font_size=8, font_weight="bold", text_anchor="start"),
        fill=svg.INK if geometry.view.in_[seat] else svg.INK_SOFT,
    )
    if tower.total == geometry.best_now:
        yield from draw_pennant(LEFT + WIDTH - 27, PLATE)
        # Translators: beside the name of a builder, at most eight letters.
        yield _note(pgettext("builder", "ahead"), LEFT + WIDTH, PLATE)
    elif tower.fallen:
        # Translators: beside the name of a builder whose tower has fallen, at most eight letters.
        yield _note(pgettext("builder", "fallen"), LEFT + WIDTH, PLATE)


def _note(said: str, x: float, y: float, anchor: str = "end") -> Element:
    return svg.text(x, y, said, font_size=6, fill=svg.INK_SOFT, text_anchor=anchor)


def _next(geometry: Geometry, seat: int) -> Iterator[Element]:
    """Yield the die and its piece."""
    letter = geometry.towers[seat].next
    face = geometry.towers[seat].die
    if letter is None:
        return
    if face is not None:
        yield from draw_die(face, LEFT, NEXT)
    yield svg.group(draw_small_piece(letter, LEFT + 19, NEXT + 11), fill=seat_colour(seat))
    yield svg.text(
        LEFT + 26,
        NEXT + 8.5,
        by_size(letter, gettext("pawn next"), gettext("drone next"), gettext("queen next")),
        font_size=7,
        fill=svg.INK,
        text_anchor="start",
    )


def _stock(geometry: Geometry, seat: int) -> Iterator[Element]:
    """Yield the remaining number of each size."""
    step = WIDTH / len(LETTERS)
    left = geometry.towers[seat].left
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
    stroke, width = (svg.ACCENT, 1.4) if geometry.is_winner(seat) else (svg.CELL_EDGE, 0.4)
    yield svg.rect(0, 0, WIDTH, deep, stroke=stroke, stroke_width=width)
    yield svg.rect(0, 0, BAND, deep, fill=seat_colour(seat))
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
    """Yield the hidden scores that appear as the piece lands."""
    tower = geometry.towers[seat]
    if tower.next:
        last = len(tower.sheet) - 1
        total = tower.total + PIECES[tower.next].points
        yield svg.group(
            svg.path(_stroke(geometry, last), **PEN),
            svg.group(_total(geometry, last + 1, total), fill=svg.INK, font_weight="bold"),
            class_="due",
            font_size=NUMBER + 1,
            visibility="hidden",
        )


def _rounds_before(geometry: Geometry, seat: int) -> Iterator[Element]:
    """Yield the scores of earlier rounds, the highest of the match with a star."""
    words = gettext("Round {number}").format(number=geometry.view.round)
    yield _note(words, 2, 7, "start")
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
    """Return a sheet in words."""
    tower = geometry.towers[seat]
    points = ngettext(
        "{player}’s sheet: {count} point", "{player}’s sheet: {count} points", tower.total
    )
    parts = [points.format(player=name_of(seat), count=tower.total)]
    if crossed := ", ".join(map(str, tower.sheet[:-1])):
        parts.append(gettext("crossed off {totals}").format(totals=crossed))
    if before := geometry.view.scores[seat]:
        scores = ", ".join(map(str, before))
        parts.append(gettext("rounds before {scores}").format(scores=scores))
    return "; ".join(parts)
