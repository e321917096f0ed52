"""Moves: where the next piece is held, and how it is tilted, as values and as texts."""

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from games.kernel.errors import MalformedMove, quoted
from games.kernel.language import decimal, gettext

WIDEST = 300
"""Maximum distance from the axis, in tenths of a millimetre."""

STEEPEST = 20
"""Maximum tilt, in degrees."""

PLACEMENT = re.compile(
    r"place\s*([+-]?[0-9]{1,2}(?:\.[0-9])?)(?:\s*([+-][0-9]{1,2})|\s+([0-9]{1,2}))?", re.IGNORECASE
)

LEAST_TOLD = 0.05
"""Half of the last digit of a distance in words, in millimetres."""


class Place(NamedTuple):
    """Hold the next piece at a distance from the axis, in tenths of a mm, tilted by degrees.

    Positive is to the right, and for the tilt to the left, counter-clockwise.
    """

    tenths: int
    tilt: int

    @property
    def at(self) -> float:
        """The distance of the middle of the piece from the axis, in mm."""
        return self.tenths / 10

    def __str__(self) -> str:
        return f"place {self.at:+.1f} {self.tilt:+d}"


@cache
def all_places() -> Sequence[Place]:
    """Return every move, in the order of their texts. They are the same in every position."""
    tenths = sorted(range(-WIDEST, WIDEST + 1), key=lambda n: f"{n / 10:+.1f}")
    tilts = sorted(range(-STEEPEST, STEEPEST + 1), key=lambda n: f"{n:+d}")
    return tuple(Place(at, tilt) for at in tenths for tilt in tilts)


def parse(text: str) -> Place:
    """Parse a move such as ``place +1.5 -3``. Without a tilt it is upright.

    ``str(move)`` is the inverse.

    :raises MalformedMove: it is invalid, or the distance or tilt is too large.
    """
    match = PLACEMENT.fullmatch(text.strip())
    if match is None:
        message = gettext(
            "{text} is no placement: millimetres and degrees are, as in place +1.5 -3."
        )
        raise MalformedMove(message.format(text=quoted(text.strip())))
    place = Place(round(float(match[1]) * 10), int(match[2] or match[3] or 0))
    if abs(place.tenths) > WIDEST:
        message = gettext("{distance} is out of reach: a piece is held at -30.0 to +30.0.")
        raise MalformedMove(message.format(distance=f"{place.at:+.1f}"))
    if abs(place.tilt) > STEEPEST:
        message = gettext("{tilt} is too steep: a piece is tilted by -20 to +20.")
        raise MalformedMove(message.format(tilt=f"{place.tilt:+d}"))
    return place


def distance_text(distance: float) -> str:
    """Return a distance from the axis in mm, as in ``2.1 mm right of the axis``."""
    if abs(distance) < LEAST_TOLD:
        # Translators: where a piece is held, as in "Release the pawn over the axis, upright".
        return gettext("over the axis")
    # Translators: where a piece is held, as in "Release the pawn 2.1 mm right of the axis, …".
    right = gettext("{distance} mm right of the axis")
    # Translators: where a piece is held, as in "Release the pawn 2.1 mm left of the axis, …".
    left = gettext("{distance} mm left of the axis")
    return (right if distance > 0 else left).format(distance=decimal(abs(distance)))
