"""Text to move; ``str(move)`` is the way back."""

import re

from games.kernel.errors import MalformedMove
from games.titles.precary_ice.moves import STEEPEST, WIDEST, Place

PLACE = re.compile(
    r"place\s*([+-]?[0-9]{1,2}(?:\.[0-9])?)(?:\s*([+-][0-9]{1,2})|\s+([0-9]{1,2}))?", re.IGNORECASE
)


def parse(text: str) -> Place:
    """Return the move that a text such as ``place +1.5 -3`` stands for; no tilt is upright.

    :raises MalformedMove: it is none, or aims farther than the hand reaches.
    """
    found = PLACE.fullmatch(text.strip())
    if found is None:
        raise MalformedMove(
            f"{text.strip()!r} is no placement: millimetres and degrees are, as in place +1.5 -3."
        )
    place = Place(round(float(found[1]) * 10), int(found[2] or found[3] or 0))
    if abs(place.tenths) > WIDEST:
        raise MalformedMove(f"{place.at:+.1f} is out of reach: a piece is held at -30.0 to +30.0.")
    if abs(place.tilt) > STEEPEST:
        raise MalformedMove(f"{place.tilt:+d} is too steep: a piece is tilted by -20 to +20.")
    return place
