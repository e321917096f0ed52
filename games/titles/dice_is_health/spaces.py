"""The two rings: spaces and their names, bridges, neighbours, and distances."""

from collections.abc import Mapping, Sequence
from functools import cache

RING = 18
"""Spaces of a ring."""

SECTORS = 6
"""The fan's places: its bridges stand so many sectors apart, and there are three of them."""

OUTER, INNER = "o", "i"


class Space(int):
    """A space, numbered from 0 in order: ``o0`` … ``o17`` outside, then ``i0`` … ``i17``."""

    __slots__ = ()

    def __str__(self) -> str:
        return NAMES[self]

    @classmethod
    def read(cls, name: str) -> "Space":
        """Return the space called ``name``.

        :raises ValueError: there is none.
        """
        if name not in _BY_NAME:
            raise ValueError(f"{name!r} is no space: o0 to o17 and i0 to i17 are.")
        return _BY_NAME[name]

    @property
    def sector(self) -> int:
        """The number of the space on its ring."""
        return self % RING

    @property
    def is_inner(self) -> bool:
        """Whether the space is part of the inner ring, the middle."""
        return self >= RING


NAMES = tuple(f"{ring}{number}" for ring in (OUTER, INNER) for number in range(RING))
SPACES = tuple(map(Space, range(2 * RING)))
_BY_NAME: Mapping[str, Space] = dict(zip(NAMES, SPACES, strict=True))

WALL_SPACES = (*SPACES[1:RING:3], *SPACES[RING + 2 :: SECTORS])
"""The marked spaces, on which walls may stand."""

DIE_SPACES = tuple(space for space in SPACES[:RING] if space not in WALL_SPACES)
"""Where dice lie at the start, and where they come to lie again."""

Neighbours = Sequence[Sequence[Space]]


def _neighbours(fan: int) -> Neighbours:
    """Return the neighbours of every space, those on its ring first, with the fan in a place."""
    found = []
    for space in SPACES:
        first = RING if space.is_inner else 0
        near = [Space(first + (space.sector + way) % RING) for way in (1, -1)]
        if space.sector % SECTORS == fan:
            near.append(Space((space + RING) % (2 * RING)))
        found.append(tuple(near))
    return tuple(found)


NEIGHBOURS = tuple(map(_neighbours, range(SECTORS)))
"""By the fan's place and by space, the spaces adjacent to it."""


@cache
def distances(start: Space, fan: int) -> Mapping[Space, int]:
    """Return how many steps away every space is, walls ignored."""
    found, edge = {start: 0}, [start]
    while edge:
        edge = [near for space in edge for near in NEIGHBOURS[fan][space] if near not in found]
        found |= dict.fromkeys(edge, max(found.values()) + 1)
    return found


def home(seat: int, seats: int) -> Space:
    """Return where a seat starts."""
    return Space(RING + RING * seat // seats)
