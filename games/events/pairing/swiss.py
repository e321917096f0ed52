"""Swiss rounds: opponents with about the same score who haven't met yet."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import ceil, log2

import networkx as nx

from games.events.pairing import Round
from games.events.pairing.round_robin import table_sizes
from games.events.pairing.seats import Seated, seat_order
from games.kernel.two_players import PAIR

BYE = -1
"""The node for a bye in the graph of possible pairings."""


ROUNDS_OF_TABLES = 3
"""How many rounds there are at tables of several seats, unless the organiser says."""


def rounds_possible(players: int) -> int:
    """Return how many rounds of two seats surely have a pairing in which nobody meets again.

    A bye counts as an opponent. In each round after the first, everybody must be able to meet half
    of the others. Four can always play all three rounds.
    """
    even = players + players % 2
    return even - 1 if even <= 2 * PAIR else even // 2


def rounds_for(players: int, seats: int, asked: int) -> int:
    """Return how many rounds there are. ``asked`` is the organiser's number, or 0."""
    if seats > PAIR:
        return asked or ROUNDS_OF_TABLES
    usual = ceil(log2(max(players, PAIR))) + 1
    return max(1, min(asked or usual, rounds_possible(players)))


@dataclass(frozen=True)
class SwissEntrant:
    """An entrant before a round; ``number`` is the place in the draw, the strongest first.

    ``seats`` are the seats of the matches played, ``met`` the opponents.
    """

    number: int
    score: Fraction = Fraction(0)
    met: Sequence[int] = ()
    seats: Sequence[int] = ()
    byes: int = 0
    losses: int = 0


def swiss_round(standings: Sequence[SwissEntrant]) -> Round | None:
    """Pair entrants of two seats. ``None`` if nobody can be paired without meeting again.

    This finds a maximum-weight matching among all pairs that haven't met: the scores of opponents
    should differ as little as possible. With an odd number, the lowest entrant without a bye has
    one. Nobody has two byes.
    """
    ordered = ranked(standings)
    rank = {one.number: place for place, one in enumerate(ordered)}
    graph = nx.Graph()
    for one, other in combinations(ordered, PAIR):
        if other.number not in one.met:
            graph.add_edge(one.number, other.number, weight=-_distance(one, other, rank))
    if len(ordered) % 2:
        for one in ordered:
            if not one.byes:
                graph.add_edge(BYE, one.number, weight=-_bye_cost(one, ordered, rank))
    matching = nx.max_weight_matching(graph, maxcardinality=True)
    if 2 * len(matching) < len(ordered):
        return None
    return _round(matching, ordered, rank)


def _round(
    matching: set[tuple[int, int]], ordered: Sequence[SwissEntrant], rank: dict[int, int]
) -> Round:
    seated = seats_so_far(ordered)
    byes = [one + other - BYE for one, other in matching if BYE in (one, other)]
    pairs = [sorted(pair, key=rank.__getitem__) for pair in matching if BYE not in pair]
    pairs.sort(key=lambda pair: rank[pair[0]])
    tables = []
    for place, pair in enumerate(pairs):
        # Before the first round, the stronger player of every other table has the first seat.
        tables.append(seat_order(pair[::-1] if place % 2 else pair, seated))
    return Round(tables, byes)


def ranked(standings: Sequence[SwissEntrant]) -> list[SwissEntrant]:
    """Return entrants by score, then by their place in the draw."""
    return sorted(standings, key=lambda one: (-one.score, one.number))


def seats_so_far(standings: Sequence[SwissEntrant]) -> Seated:
    """Count the seats that each entrant has had."""
    return Counter((one.number, seat) for one in standings for seat in one.seats)


def _distance(one: SwissEntrant, other: SwissEntrant, rank: dict[int, int]) -> int:
    """Return how far a pairing is from the ideal: by scores, then seats, then the fold.

    Within a score the upper half should meet the lower half, as the first meets the middle one.
    """
    scores = int(abs(one.score - other.score) * 120) ** 2
    seats = abs(_lean(one) + _lean(other)) if _lean(one) * _lean(other) > 0 else 0
    near = len(rank) // 2 - abs(rank[one.number] - rank[other.number])
    return scores * 10_000 + seats * 500 + max(near, 0)


def _lean(one: SwissEntrant) -> int:
    """Return how much more often an entrant has had the first seat than the second."""
    return sum(1 if seat == 0 else -1 for seat in one.seats)


def _bye_cost(one: SwissEntrant, ordered: Sequence[SwissEntrant], rank: dict[int, int]) -> int:
    lowest = ordered[-1].score
    above = int((one.score - lowest) * 120) ** 2
    return above * 10_000 + 1000 * (len(ordered) - rank[one.number])


def swiss_tables(standings: Sequence[SwissEntrant], seats: tuple[int, int]) -> Round:
    """Seat entrants at tables of several seats, with similar scores and few earlier meetings.

    From the top, each table is filled with the next entrants. Of those within reach, the one who
    has met the table least often is taken.
    """
    left = ranked(standings)
    sizes = table_sizes(len(left), seats)
    byes = _lowest(left, len(left) - sum(sizes))
    left = [one for one in left if one not in byes]
    seated = seats_so_far(standings)
    tables = []
    for size in sizes:
        group = [left.pop(0)]
        while len(group) < size:
            within = left[: 2 * size]
            chosen = min(within, key=lambda one: (meetings(one, group), left.index(one)))
            left.remove(chosen)
            group.append(chosen)
        tables.append(seat_order([one.number for one in group], seated))
    return Round(tables, [one.number for one in byes])


def _lowest(ordered: Sequence[SwissEntrant], count: int) -> list[SwissEntrant]:
    upwards = list(reversed(ordered))
    return sorted(upwards, key=lambda one: one.byes)[:count]


def meetings(one: SwissEntrant, group: Sequence[SwissEntrant]) -> int:
    """Return how often an entrant has met a group. Two meetings with one person count as four."""
    met = Counter(one.met)
    return sum(met[other.number] ** 2 for other in group)
