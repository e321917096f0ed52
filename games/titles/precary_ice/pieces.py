"""The pieces: hollow pyramids of three sizes, cut through the middle.

Lengths are in millimetres, masses in grams. A piece is described upright, around its axis (x = 0)
and from its base (y = 0). Its tip is drawn pointed, but what carries the next piece is flat: a
point in a hollow of the same shape is ill-conditioned, and towers of such pieces sink. The next
piece covers the point. Every piece sits on the one below with its ceiling on the flat tip, so a
tower grows by :data:`DEPTH` per piece, whatever its size.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, NamedTuple, TypeAlias

from msgspec import Meta

from games.kernel.language import gettext

Point: TypeAlias = tuple[float, float]

TIP = 1.5
"""Half the width of the flat tip."""

DEPTH = 7.0
"""The distance of the hollow's ceiling below the flat tip."""

PLAY = 0.62
"""How far a piece can be shifted either way on the one below it."""

DENSITY = 1.05e-3
"""In grams per mm³."""

GAUSS = ((-(0.6**0.5), 5 / 9), (0.0, 8 / 9), (0.6**0.5, 5 / 9))
"""The points and weights of the three-point Gauss rule on -1…1."""

DIGITS = 6

LETTERS = "PDQ"
"""Pawn, drone, queen: the smallest first, as the die counts them."""

NAMES = {"P": "pawn", "D": "drone", "Q": "queen"}
"""The English names, which are the themes of puzzles."""

PIECES_PER_SIZE = 10
"""Pieces of each size per player."""

FARTHEST = 10_000.0
"""Maximum distance of a piece in mm, and maximum rotation in radians."""

Letter: TypeAlias = Annotated[str, Meta(pattern=f"^[{LETTERS}]", max_length=1)]
Coordinate: TypeAlias = Annotated[float, Meta(gt=-FARTHEST, lt=FARTHEST)]
Height: TypeAlias = Annotated[float, Meta(ge=0, lt=FARTHEST)]


class Placed(NamedTuple):
    """A piece of a tower: its letter, its centre of mass in mm, its angle in radians.

    x is measured from the axis, y from the table, the angle counter-clockwise.
    """

    letter: Letter
    x: Coordinate
    y: Height
    angle: Coordinate

    @property
    def corners(self) -> Sequence[Point]:
        """The corners of the drawn piece, in mm from axis and table, its point last."""
        cos = math.cos(self.angle)
        sin = math.sin(self.angle)
        return [
            (self.x + x * cos - y * sin, self.y + x * sin + y * cos)
            for x, y in PIECES[self.letter].outline
        ]


@dataclass(frozen=True)
class Piece:
    """A size of piece: its points, its height to the drawn point and the width of its base, in mm.

    All heights below are in mm above the base.
    """

    letter: str
    points: int
    height: float
    base: float

    @property
    def slope(self) -> float:
        """How much narrower half the piece gets, in mm, for each millimetre up."""
        return self.base / 2 / self.height

    @property
    def top(self) -> float:
        """The height of the flat tip."""
        return self.height - TIP / self.slope

    @property
    def ceiling(self) -> float:
        """The height of the ceiling of the hollow."""
        return self.top - DEPTH

    @property
    def outline(self) -> Sequence[Point]:
        """The drawn outline, around its centre of mass, counter-clockwise."""
        half = self.base / 2
        low = -self.centre
        return ((-half, low), (half, low), (0.0, self.height + low))

    @property
    def solids(self) -> Sequence[Sequence[Point]]:
        """The cap and both walls, convex and counter-clockwise, around the centre of mass."""
        outer = self._outer(self.ceiling)
        inner = TIP + PLAY
        foot = self._inner(0)
        wall = ((foot, 0.0), (self.base / 2, 0.0), (outer, self.ceiling), (inner, self.ceiling))
        cap = ((-outer, self.ceiling), (outer, self.ceiling), (TIP, self.top), (-TIP, self.top))
        mirrored = tuple((-x, y) for x, y in reversed(wall))
        return tuple(
            tuple((x, y - self.centre) for x, y in solid) for solid in (cap, wall, mirrored)
        )

    @cached_property
    def centre(self) -> float:
        """The height of the centre of mass."""
        return self._sum(lambda y, _: y) / self._sum(lambda _y, _: 1)

    @cached_property
    def mass(self) -> float:
        """In grams."""
        return DENSITY * self._sum(lambda _y, _: 1)

    @cached_property
    def inertia(self) -> float:
        """The moment of inertia around a level axis through the centre of mass, in g mm²."""
        return DENSITY * self._sum(lambda y, side: side**2 / 12 + (y - self.centre) ** 2)

    def _outer(self, y: float) -> float:
        return self.base / 2 - y * self.slope

    def _inner(self, y: float) -> float:
        return TIP + PLAY + (self.ceiling - y) * self.slope

    def _sum(self, weigh: Callable[[float, float], float]) -> float:
        """Sum over the square slabs of the piece, minus those of its hollow.

        ``weigh`` gives a slab's weight in the sum by its height and side.
        """
        return _slabs(self._outer, self.top, weigh) - _slabs(self._inner, self.ceiling, weigh)


def _slabs(
    half: Callable[[float], float], height: float, weigh: Callable[[float, float], float]
) -> float:
    """Return the integral of ``weigh`` over a frustum, ``half`` as wide as it is at each height.

    The three-point Gauss rule is exact up to the fifth power of the height.
    """
    heights = ((height / 2 * (1 + at), weight) for at, weight in GAUSS)
    slabs = ((y, 2 * half(y), weight) for y, weight in heights)
    return height / 2 * sum(weight * side**2 * weigh(y, side) for y, side, weight in slabs)


PIECES: Mapping[str, Piece] = {
    "P": Piece("P", 1, 25.4, 14.3),
    "D": Piece("D", 2, 34.9, 19.8),
    "Q": Piece("Q", 3, 44.45, 25.4),
}


def by_size(letter: str, pawn: str, drone: str, queen: str) -> str:
    """Return the message for a size. In many languages its name changes other words."""
    return {"P": pawn, "D": drone, "Q": queen}[letter]


def shown_name(letter: str) -> str:
    """Return the name of a size in the reader's language, for lists."""
    return by_size(letter, gettext("pawn"), gettext("drone"), gettext("queen"))


def exact(letters: str) -> tuple[Placed, ...]:
    """Return the tower of these pieces, bottom to top, exactly on its axis.

    Heights are rounded to a millionth, so that they don't depend on the order of summation.
    """
    tower: list[Placed] = []
    base = 0.0
    for below, letter in zip(" " + letters, letters, strict=False):
        piece = PIECES[letter]
        if tower:
            base += PIECES[below].top - piece.ceiling
        tower.append(Placed(letter, 0.0, round(base + piece.centre, DIGITS), 0.0))
    return tuple(tower)
