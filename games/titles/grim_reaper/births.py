"""Which births can happen together: every child needs a mother of its own.

A set of birth squares is possible when distinct mothers can be found for all of them, that is,
when the bipartite graph of squares and mothers has a matching that covers the squares. The
matching grows by augmenting paths, one square at a time.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from games.titles.grim_reaper import squares
from games.titles.grim_reaper.squares import Square, Squares

Mothers: TypeAlias = Mapping[Square, Squares]
"""For every square where a birth is possible, all females who could bear there."""

Matching: TypeAlias = dict[Square, Square]
"""By the mother's square, where she bears."""


def extend(matching: Matching, spot: Square, mothers: Mothers) -> Matching | None:
    """Return a matching that covers one square more, or ``None`` when there is none."""
    longer = dict(matching)
    return longer if _augment(longer, spot, mothers, set()) else None


def match(spots: Iterable[Square], mothers: Mothers) -> Matching | None:
    """Return a matching that covers these squares, or ``None`` when there is none."""
    matching: Matching | None = {}
    for spot in spots:
        if matching is not None:
            matching = extend(matching, spot, mothers)
    return matching


def free(spots: Iterable[Square], mothers: Mothers) -> dict[Square, Squares]:
    """Return where one birth more is possible beside those on ``spots``, and who may bear it.

    Who may bear it is every mother for whom all the other births still find theirs.
    """
    taken = set(spots)
    able = {spot: _able(spot, taken, mothers) for spot in mothers if spot not in taken}
    return {spot: who for spot, who in able.items() if who}


def sets(mothers: Mothers) -> Iterator[tuple[Square, ...]]:
    """Yield every set of squares, but the empty one, where births can happen together."""
    order = sorted(mothers)
    stack: list[tuple[tuple[Square, ...], Matching, int]] = [((), {}, 0)]
    while stack:
        chosen, matching, start = stack.pop()
        if chosen:
            yield chosen
        stack.extend(
            ((*chosen, order[index]), longer, index + 1)
            for index in reversed(range(start, len(order)))
            if (longer := extend(matching, order[index], mothers)) is not None
        )


def _able(spot: Square, taken: set[Square], mothers: Mothers) -> Squares:
    return squares.set_of(
        mother
        for mother in squares.each(mothers[spot])
        if match(taken, {at: mothers[at] & ~squares.bit(mother) for at in taken}) is not None
    )


def _augment(matching: Matching, spot: Square, mothers: Mothers, asked: set[Square]) -> bool:
    """Find a mother for ``spot``, moving other births to other mothers where that helps."""
    for mother in squares.each(mothers[spot]):
        if mother in asked:
            continue
        asked.add(mother)
        if mother not in matching or _augment(matching, matching[mother], mothers, asked):
            matching[mother] = spot
            return True
    return False
