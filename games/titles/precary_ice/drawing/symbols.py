"""The symbols of the drawing: pieces, die, pennant and the like.

Pieces are drawn in millimetres around their centre of mass, with y upwards, so that a tower is
drawn in the numbers of the position. A piece has as many pips as points. Each size comes in two
colours, the seat's own and a pale one.
"""

import math
from collections.abc import Iterator, Mapping

from games.kernel import svg
from games.kernel.svg import Element, Id, Point, Value
from games.titles.precary_ice.meta import META
from games.titles.precary_ice.pieces import LETTERS, PIECES, Placed

PALE = 0.38
"""The fraction of the seat's own colour in its second one."""

SMALL = 0.27
"""The scale of a piece in a line of text."""

LIT = 0.2
"""The fraction of the base on the lit side."""

DIE = 11.0
"""The side of a die."""

SPREAD = 3.1
"""The distance of the pips of a die."""

PIPS: Mapping[int, tuple[Point, ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
"""The positions of the pips of a die, from its middle, in units of ``SPREAD``."""


def seat_colour(seat: int) -> svg.Role:
    return svg.hue_role(META.colours[seat].name.lower())


def piece_parts() -> Iterator[Element]:
    """Yield the parts that are drawn repeatedly: each size in both colours, filled by the seat."""
    for letter in LETTERS:
        for below in ("", letter):
            drawn = _piece(letter, is_pale=is_pale(letter, below))
            yield svg.group(*drawn, id=part_id(letter, below))


def part_id(letter: str, below: str) -> Id:
    """Return the name of the drawing of a piece over some others."""
    return Id(f"{letter}{int(is_pale(letter, below))}")


def is_pale(letter: str, below: str) -> bool:
    """Whether a piece over some others has the second colour: every other one of its size does."""
    return below.count(letter) % 2 == 1


def draw_piece(piece: Placed, below: str) -> Element:
    """Draw a piece of a tower, over pieces of these sizes."""
    return svg.element("use", href=part_id(piece.letter, below), transform=_place(piece))


def draw_outline(piece: Placed) -> Element:
    """Draw the outline of a piece of a tower."""
    return svg.polygon(PIECES[piece.letter].outline, transform=_place(piece))


def _place(piece: Placed) -> str:
    """Return the transformation that brings a piece to its place in a tower."""
    return f"translate({piece.x:.2f} {piece.y:.2f}) rotate({math.degrees(piece.angle):.2f})"


def draw_small_piece(letter: str, x: float, y: float) -> Element:
    """Draw a piece in a line of text. The middle of its base is given."""
    up = PIECES[letter].centre * SMALL
    move = f"translate({x:.2f} {y - up:.2f}) scale({SMALL} {-SMALL})"
    return svg.element("use", href=part_id(letter, ""), transform=move)


def _piece(letter: str, *, is_pale: bool) -> Iterator[Element]:
    piece = PIECES[letter]
    left, right, tip = piece.outline
    edge: dict[str, Value] = {"stroke": svg.INK, "stroke_width": 0.55, "stroke_linejoin": "round"}
    if is_pale:
        yield svg.polygon((left, right, tip), fill=svg.CELL)
    yield svg.polygon((left, right, tip), fill_opacity=PALE if is_pale else None, **edge)
    lit = (left[0] + piece.base * LIT, left[1])
    yield svg.polygon((left, lit, tip), fill=svg.SHINE, fill_opacity=0.3)
    for at in range(piece.points):
        x = (at - (piece.points - 1) / 2) * 3.6
        yield _pip(x, left[1] + 3, fill=svg.CELL, stroke=svg.INK, stroke_width=0.4)


def _pip(x: float, y: float, **paint: Value | None) -> Element:
    return svg.circle(x, y, 1.15, **paint)


def draw_die(face: int, x: float, y: float) -> Iterator[Element]:
    """Yield a die that shows a face. Its upper left corner is given."""
    middle = DIE / 2
    yield svg.rect(x, y, DIE, DIE, rx=2.2, fill=svg.CELL, stroke=svg.INK, stroke_width=0.6)
    for dx, dy in PIPS[face]:
        yield _pip(x + middle + dx * SPREAD, y + middle + dy * SPREAD, fill=svg.INK)


def draw_pennant(x: float, y: float) -> Iterator[Element]:
    """Yield a pennant on a pole, for the highest of the round. The foot of the pole is given."""
    yield svg.line((x, y), (x, y - 8), stroke=svg.INK, stroke_width=0.7)
    yield svg.polygon(((x, y - 8), (x + 6, y - 5.8), (x, y - 3.6)), fill=svg.ACCENT)


def draw_star(x: float, y: float) -> Element:
    """Return a star, for the highest of the match, around its middle."""
    turns = (math.pi * at / 5 for at in range(10))
    reach = (2.9 if at % 2 == 0 else 1.2 for at in range(10))
    points = [(x + r * math.sin(t), y - r * math.cos(t)) for t, r in zip(turns, reach, strict=True)]
    return svg.polygon(points, fill=svg.ACCENT)


def draw_centre_of_mass(x: float, y: float) -> Iterator[Element]:
    """Yield the sign of a centre of mass: a circle quartered in ink and paper."""
    yield svg.circle(x, y, 2.3, fill=svg.CELL, stroke=svg.INK, stroke_width=0.5)
    quarters = f"M{x:.2f} {y:.2f}v-2.3a2.3 2.3 0 0 1 2.3 2.3zv2.3a2.3 2.3 0 0 1 -2.3 -2.3z"
    yield svg.path(quarters, fill=svg.INK)
