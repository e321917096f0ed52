"""The order of seats at a table: nobody has the same seat much more often than another."""

from collections import Counter
from collections.abc import Sequence
from itertools import permutations

from games.events.pairing import Table

Seated = Counter[tuple[int, int]]
"""How often each entrant has had each seat."""

MOST_TRIED = 6
"""Up to this size, all orders of a table are tried. Larger ones are filled seat by seat."""


def seat_order(group: Sequence[int], seated: Seated) -> Table:
    """Return a table in which everybody has the seat that they have had least often.

    The first order in the order of the group wins a tie, so the result is reproducible.
    """
    if len(group) > MOST_TRIED:
        return _seat_by_seat(group, seated)
    return min(permutations(group), key=lambda order: _repeated(order, seated))


def _repeated(order: Sequence[int], seated: Seated) -> int:
    # The increase of the sum of squares if this order is played.
    return sum(2 * seated[entrant, seat] + 1 for seat, entrant in enumerate(order))


def _seat_by_seat(group: Sequence[int], seated: Seated) -> Table:
    left = list(group)
    order: list[int] = []
    for seat in range(len(group)):
        chosen = min(left, key=lambda entrant: seated[entrant, seat])
        left.remove(chosen)
        order.append(chosen)
    return tuple(order)
