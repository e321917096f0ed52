"""Where everything lies on the board: its middle is the origin, and sector 0 is at the top."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from games.kernel.svg import Point
from games.titles.dice_is_health.spaces import RING, WALL_SPACES, Space

WIDTH = 432
MIDDLE = WIDTH / 2
RIM, NUMBERS = 214.0, 206.0
"""How far the rim reaches, and where the numbers of the sectors stand on it."""

DEGREES = 360 / RING
"""The angle of a sector."""

WALL = 11.0
"""How thick a wall is, at the far edge of its space."""

TOKEN = 28.0
"""How much room a token of natural size takes."""


class Band(NamedTuple):
    """A ring between two circles, by their radii."""

    inside: float
    outside: float


OUTER, INNER = Band(144, 198), Band(74, 124)
HUB = 71.0
"""How far the hub reaches, on which the dice lie."""


class Place(NamedTuple):
    """Where a token stands, and how large it is drawn."""

    at: Point
    scale: float


def band(space: Space) -> Band:
    """Return the ring on which a space lies."""
    return INNER if space.is_inner else OUTER


def point(radius: float, sector: float) -> Point:
    """Return a point by its distance from the middle and its sector, which may be a part of one."""
    angle = math.radians(sector * DEGREES)
    return radius * math.sin(angle), -radius * math.cos(angle)


def middle(space: Space) -> Point:
    """Return the middle of a space."""
    return point(sum(band(space)) / 2, space.sector)


def corner(space: Space) -> Point:
    """Return a point of a space that its tokens leave free."""
    return point(band(space).inside + 6, space.sector + (0.3 if space.is_inner else 0.4))


def absolute(at: Point) -> Point:
    """Return a point as one of the whole drawing."""
    return round(at[0] + MIDDLE, 1), round(at[1] + MIDDLE, 1)


GRIDS = {
    False: ((1, 1), (2, 1), (2, 2), (3, 2), (3, 3), (4, 3), (4, 4)),
    True: ((1, 1), (1, 2), (2, 2), (2, 3), (3, 3), (3, 4), (4, 4)),
}
"""Columns and rows for ever more tokens, on the outer and on the inner ring."""


def places(space: Space, count: int) -> Sequence[Place]:
    """Return where so many tokens stand on a space, row by row from the middle outwards."""
    if not count:
        return ()
    columns, rows = next(grid for grid in GRIDS[space.is_inner] if math.prod(grid) >= count)
    inside, outside = band(space)
    outside -= WALL if space in WALL_SPACES else 0
    inside, outside = inside + 3, outside - 2
    across, along = (12 if space.is_inner else 18) * 3 / columns, (outside - inside) / rows
    scale = min(1.0, across / TOKEN, along / TOKEN)
    found = []
    for at in range(count):
        row, column = divmod(at, columns)
        in_row = min(columns, count - row * columns)
        radius = inside + (row + 0.5) * along
        aside = (column - (in_row - 1) / 2) * across
        x, y = point(radius, space.sector)
        angle = math.radians(space.sector * DEGREES)
        found.append(Place((x + aside * math.cos(angle), y + aside * math.sin(angle)), scale))
    return found
