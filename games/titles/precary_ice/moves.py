"""The move: where the next piece is held, and how it is tilted."""

from collections.abc import Iterator
from typing import NamedTuple

WIDEST = 300
"""How far from the axis a piece can be held, in tenths of a millimetre."""

STEEPEST = 20
"""How far a piece can be tilted, in degrees."""


class Place(NamedTuple):
    """Hold the next piece so many tenths of a mm over the axis, tilted by so many degrees.

    Positive is to the right, and for the tilt to the left, counter-clockwise.
    """

    tenths: int
    tilt: int

    @property
    def at(self) -> float:
        """Where the middle of the piece is held, in mm from the axis."""
        return self.tenths / 10

    def __str__(self) -> str:
        return f"place {self.at:+.1f} {self.tilt:+d}"


def all_places() -> Iterator[Place]:
    """Yield every move, in the order of their texts."""
    tenths = sorted(range(-WIDEST, WIDEST + 1), key=lambda n: f"{n / 10:+.1f}")
    tilts = sorted(range(-STEEPEST, STEEPEST + 1), key=lambda n: f"{n:+d}")
    return (Place(at, tilt) for at in tenths for tilt in tilts)
