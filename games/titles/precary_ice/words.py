"""Words that move entry, the drawing and the log have in common."""

from collections.abc import Sequence

from games.titles.precary_ice.meta import META

NEXT_TO_NOTHING = 0.05
"""Less than half of the last digit that is told, in millimetres."""


def name_of(seat: int) -> str:
    """Return the name of a seat's first colour."""
    return META.colours[seat].name


def listed(names: Sequence[str]) -> str:
    """Return names as in ``Red, Blue and Green``."""
    head, tail = names[:-1], "".join(names[-1:])
    return f"{', '.join(head)} and {tail}" if head else tail


def counted(count: int, noun: str) -> str:
    """Return a number of things, as in ``2 pieces``."""
    return f"{count} {noun if count == 1 else noun + 's'}"


def off(distance: float) -> str:
    """Return how far something is off the axis, as in ``2.1 mm right of the axis``."""
    if abs(distance) < NEXT_TO_NOTHING:
        return "over the axis"
    return f"{abs(distance):.1f} mm {'right' if distance > 0 else 'left'} of the axis"


def tilted(degrees: float) -> str:
    """Return a tilt, as in ``tilted 3° to the left``; to the left is positive."""
    if degrees == 0:
        return "upright"
    return f"tilted {abs(degrees):.0f}° to the {'left' if degrees > 0 else 'right'}"


def signed(number: float) -> str:
    """Return a number with its sign, as in ``−0.4``."""
    return f"{number:+.1f}".replace("-", "−")
