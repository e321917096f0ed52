"""The tables of a team match: both clubs in turn, and everybody plays two matches."""

from collections.abc import Sequence
from itertools import chain, zip_longest

from games.events.pairing import Round, Table
from games.events.pairing.round_robin import table_sizes


def divides(boards: int, seats: tuple[int, int]) -> bool:
    """Whether two teams of ``boards`` players divide into tables without a rest.

    ``seats`` is the minimum and maximum size of a table.
    """
    return sum(table_sizes(2 * boards, seats)) == 2 * boards


def team_tables(
    teams: tuple[Sequence[int], Sequence[int]], seats: tuple[int, int]
) -> tuple[Round, Round]:
    """Return two rounds in which every entrant has one match each.

    The teams are in the order of their boards. Seats alternate between them, so the numbers of
    their players at a table differ by at most one. In the second round each seat is the other
    team's. Tables of an even size bring the same players together again, in the reverse order, so
    a pair plays twice with seats swapped.
    """
    one, other = teams
    sizes = table_sizes(len(one) + len(other), seats)
    first = list(chain.from_iterable(zip(one, other, strict=True)))
    second = list(chain.from_iterable(zip(other, one, strict=True)))
    return (
        Round(_cut(first, sizes), []),
        Round([_reversed(table) for table in _cut(second, sizes)], []),
    )


def _cut(entrants: Sequence[int], sizes: Sequence[int]) -> list[Table]:
    left = iter(entrants)
    return [tuple(next(left) for _ in range(size)) for size in sizes]


def _reversed(table: Table) -> Table:
    """Reverse the order of each team at a table. The team of each seat stays."""
    pairs = zip_longest(table[::2][::-1], table[1::2][::-1])
    return tuple(entrant for pair in pairs for entrant in pair if entrant is not None)
