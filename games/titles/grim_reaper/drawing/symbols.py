"""Pieces and signs, drawn around the middle of a square of ``SQUARE`` SVG units.

Males are triangles, females circles. Red pieces are filled, Blue's are hollow with a thick rim, so
that the sides differ without their colours.
"""

from collections.abc import Iterator
from pathlib import Path

from games.kernel import svg
from games.kernel.contract import Seat
from games.kernel.svg import Element, Id, Point
from games.kernel.symbols import read_symbols
from games.titles.grim_reaper.state import RED, Piece, Sex

SQUARE = 48
RADIUS = 18

MAX_ONE_DIGIT_LIFE = 9
"""Maximum number of life turns with one digit."""

GRAVESTONE = Id("tomb")
CONTESTED = Id("rivals")


def parts() -> Iterator[Element]:
    """Yield the parts that are drawn repeatedly: the piece of each side and sex, and the signs."""
    for name, drawn in read_symbols(Path(__file__).with_name("symbols.svg")).items():
        yield svg.group(*drawn, id=Id(name))


def piece(middle: Point, shown: Piece) -> Iterator[Element]:
    """Yield a piece with its life turns."""
    x, y = middle
    is_round = shown.sex is Sex.FEMALE
    is_wide = shown.life > MAX_ONE_DIGIT_LIFE
    yield svg.use(_part(shown), x, y)
    yield svg.text(
        x,
        y + (6 if is_round else 11.5),
        str(shown.life),
        fill=svg.on_seat_role(RED) if shown.seat == RED else svg.INK,
        font_size=17 if is_round else 14 if is_wide else 16,
        font_weight="bold",
    )


def dying(middle: Point) -> Iterator[Element]:
    """Yield the badge of a piece that dies at the next ageing: a cross, above it on the right."""
    x, y = middle[0] + 15, middle[1] - 15
    yield svg.circle(x, y, 7.5, fill=svg.DANGER, stroke=svg.CELL, stroke_width=1.5)
    cross = f"M{x:.2f} {y - 4.8:.2f}v9.6M{x - 3.3:.2f} {y - 1.7:.2f}h6.6"
    yield svg.path(cross, fill="none", stroke=svg.CELL, stroke_width=1.7)


def gravestone(middle: Point, *, is_small: bool) -> Element:
    """Return a gravestone, small and in a corner if the square has other content."""
    x, y = (middle[0] - 16, middle[1] - 14) if is_small else middle
    return _use(GRAVESTONE, (x, y), 0.5 if is_small else 1)


def small_piece(seat: Seat, sex: Sex, middle: Point, scale: float) -> Element:
    """Return a piece without its life turns, for use in a text."""
    return _use(_part(Piece(seat, sex, 1)), middle, scale)


def _use(part: Id, middle: Point, scale: float) -> Element:
    placed = f"translate({middle[0]:.2f} {middle[1]:.2f}) scale({scale:.2f})"
    return svg.use(part, 0, 0, transform=placed)


def _part(shown: Piece) -> Id:
    return Id(f"{shown.seat}{shown.sex}")
