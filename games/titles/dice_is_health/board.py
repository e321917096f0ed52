"""The board: two rings of spaces, and bridges between them that turn with the fan."""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import NewType

from games.kernel.language import cached, gettext

Space = NewType("Space", str)
"""A space by its name: ``o0`` to ``o17`` on the outer ring, ``i0`` to ``i17`` on the inner one."""

RING = 18
"""Spaces of a ring."""

SECTORS = 6
"""Number of positions of the fan, and the number of sectors between two bridges."""

OUTER = tuple(Space(f"o{number}") for number in range(RING))
INNER = tuple(Space(f"i{number}") for number in range(RING))
SPACES = OUTER + INNER
SPACE_PATTERN = "[oi](?:0|1[0-7]?|[2-9])"

ORDER: Mapping[str, int] = {space: number for number, space in enumerate(SPACES)}
"""The index of each space in the order of spaces."""

SECTOR: Mapping[str, int] = {space: number % RING for number, space in enumerate(SPACES)}
"""The number of each space on its ring."""

WALL_SPACES = OUTER[1::3] + INNER[2::SECTORS]
"""The marked spaces, on which walls may stand, in order."""

DIE_SPACES = tuple(space for space in OUTER if space not in WALL_SPACES)
"""Where dice are at the start, and where they reappear, in order."""


@cached(None)
def spoken(space: str) -> str:
    """Return a space in words, as in ``outer 7``: sentences contain no notation."""
    # Translators: a space of the board, also after "on" and "to".
    outer, inner = gettext("outer {number}"), gettext("inner {number}")
    return (outer if space in OUTER else inner).format(number=SECTOR[space])


def opposite(space: Space) -> Space:
    """Return the space of the other ring in the same sector."""
    return SPACES[(ORDER[space] + RING) % len(SPACES)]


def _neighbours(fan: int, space: Space) -> tuple[Space, ...]:
    ring = OUTER if space in OUTER else INNER
    sector = SECTOR[space]
    near = (ring[(sector + 1) % RING], ring[sector - 1])
    return (*near, opposite(space)) if sector % SECTORS == fan else near


NEIGHBOURS: tuple[Mapping[str, tuple[Space, ...]], ...] = tuple(
    {space: _neighbours(fan, space) for space in SPACES} for fan in range(SECTORS)
)
"""By the fan's position and by space, the spaces adjacent to it, those on its ring first."""


@cache
def distances(start: Space, fan: int) -> Mapping[Space, int]:
    """Return the number of steps to every space, ignoring walls."""
    steps = {start: 0}
    edge = [start]
    while edge:
        edge = [near for space in edge for near in NEIGHBOURS[fan][space] if near not in steps]
        steps |= dict.fromkeys(edge, max(steps.values()) + 1)
    return steps


@cache
def farthest_first(start: Space, fan: int) -> tuple[Space, ...]:
    """Return the die spaces, the farthest first. Going up breaks ties."""
    far = distances(start, fan)
    number = SECTOR[start]
    going_up = sorted(DIE_SPACES, key=lambda space: (SECTOR[space] - number) % RING)
    return tuple(sorted(going_up, key=lambda space: -far[space]))


def unwound(fan: Sequence[int]) -> list[int]:
    """Return the fan's positions as running numbers, beyond the last sector and below the first."""
    places = list(fan[:1])
    for here, there in pairwise(fan):
        by = (there - here) % SECTORS
        places.append(places[-1] + (by - SECTORS if by > SECTORS // 2 else by))
    return places


def home(seat: int, seats: int) -> Space:
    """Return the home space of a seat."""
    return INNER[RING * seat // seats]
