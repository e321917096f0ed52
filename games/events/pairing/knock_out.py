"""Knock-out rounds, in which losses put players out. With two lives it is a double elimination.

With several seats the best of each table advance, until all remaining players fit at one table.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import networkx as nx

from games.events.pairing import Round, Table
from games.events.pairing.round_robin import table_sizes
from games.events.pairing.seats import Seated, seat_order
from games.events.pairing.swiss import SwissEntrant, meetings, seats_so_far
from games.kernel.two_players import PAIR


def knock_out_round(standings: Sequence[SwissEntrant], lives: int) -> Round | None:
    """Pair the remaining players. ``None`` if one is left.

    Entrants with the same number of losses play each other: the strongest in the draw meets the
    weakest, and two meet again only if nobody else is left. In a group of an odd number, the
    strongest of those with the fewest byes has one. When only one is left in each group, they play
    each other.
    """
    alive = [one for one in standings if one.losses < lives]
    if len(alive) < PAIR:
        return None
    groups = [[one for one in alive if one.losses == lost] for lost in range(lives)]
    if all(len(group) < PAIR for group in groups):
        groups = [alive]
    seated = seats_so_far(alive)
    tables: list[Table] = []
    byes: list[int] = []
    for group in groups:
        resting = _resting(group)
        byes += [one.number for one in resting]
        tables += _paired([one for one in group if one not in resting], seated)
    return Round(tables, byes)


def knock_out_tables(standings: Sequence[SwissEntrant], seats: tuple[int, int]) -> Round | None:
    """Seat the remaining players at tables of several seats. ``None`` if they are too few.

    ``seats`` is the minimum and maximum size of a table. If all fit at one table, it is the final.
    The strongest of those with the fewest byes rest if the field can't be divided. The strongest
    sit apart, and so do players who have met.
    """
    alive = sorted((one for one in standings if not one.losses), key=lambda one: one.number)
    if len(alive) < seats[0]:
        return None
    sizes = table_sizes(len(alive), seats)
    resting = sorted(alive, key=lambda one: (one.byes, one.number))[: len(alive) - sum(sizes)]
    groups: list[list[SwissEntrant]] = [[] for _ in sizes]
    for one in alive:
        if one not in resting:
            _seat(one, groups, sizes)
    seated = seats_so_far(alive)
    tables = [seat_order([one.number for one in group], seated) for group in groups]
    return Round(tables, [one.number for one in resting])


def _seat(one: SwissEntrant, groups: Sequence[list[SwissEntrant]], sizes: Sequence[int]) -> None:
    """Put an entrant into the roomiest group whose members they have met least."""
    room = [size - len(group) for size, group in zip(sizes, groups, strict=True)]
    lap = len(groups[room.index(max(room))])
    places = [at for at, free in enumerate(room) if free == max(room)]
    # Forwards and backwards in turn, so that the groups are about equally strong.
    places = places[::-1] if lap % 2 else places
    groups[min(places, key=lambda at: meetings(one, groups[at]))].append(one)


def going_on(sizes: Sequence[int], byes: int, seats: tuple[int, int]) -> int:
    """Return how many of each table advance after a round of several seats.

    The winner of the only table wins the tournament. Otherwise the better half of a full table
    advances, or more if the next round would have too few players. At least one of each table is
    out.
    """
    least, most = seats
    if len(sizes) == 1 and not byes:
        return 1
    best = best_of(most)
    while best < most - 1 and byes + sum(min(best, size - 1) for size in sizes) < least:
        best += 1
    return best


class Stage(NamedTuple):
    """The sizes of the tables of a round that isn't drawn yet, byes included as 1.

    ``lower`` are those of players with one loss, in a double elimination.
    """

    upper: list[int]
    lower: list[int]


def stages_ahead(unbeaten: int, beaten: int = 0, *, lives: int = 1) -> list[Stage]:
    """Return the rounds that follow in a knock-out for two, if nobody leaves.

    ``beaten`` are the players with one loss who are still in. A second final, which only some
    results need, isn't among them.
    """
    ahead = []
    while unbeaten + beaten >= PAIR:
        if unbeaten < PAIR and beaten < PAIR:
            ahead.append(Stage([PAIR], []))
            break
        ahead.append(Stage(_pairs(unbeaten), _pairs(beaten)))
        losers = unbeaten // PAIR if lives > 1 else 0
        unbeaten, beaten = (unbeaten + 1) // PAIR, (beaten + 1) // PAIR + losers
    return ahead


def _pairs(players: int) -> list[int]:
    return [PAIR] * (players // PAIR) + [1] * (players % PAIR)


def stages_of_tables(players: int, seats: tuple[int, int]) -> list[Stage]:
    """Return the rounds that follow at tables of several seats, if nobody leaves."""
    ahead = []
    while players >= seats[0]:
        sizes = table_sizes(players, seats)
        byes = players - sum(sizes)
        ahead.append(Stage([*sizes, *([1] * byes)], []))
        if len(sizes) == 1 and not byes:
            break
        best = going_on(sizes, byes, seats)
        players = byes + sum(min(best, size - 1) for size in sizes)
    return ahead


def best_of(seats: int) -> int:
    """Return how many of a full table usually advance."""
    return max(1, seats // 2)


def _resting(group: Sequence[SwissEntrant]) -> list[SwissEntrant]:
    if len(group) % 2 == 0:
        return []
    return [min(group, key=lambda one: (one.byes, one.number))]


def _paired(group: Sequence[SwissEntrant], seated: Seated) -> list[Table]:
    ordered = sorted(group, key=lambda one: one.number)
    place = {one.number: index for index, one in enumerate(ordered)}
    graph = nx.Graph()
    for one, other in combinations(ordered, PAIR):
        # The fold: places that add up to the number of the last.
        fold = (place[one.number] + place[other.number] - len(ordered) + 1) ** 2
        again = one.met.count(other.number) * 1_000_000
        graph.add_edge(one.number, other.number, weight=-(fold + again))
    matching = nx.max_weight_matching(graph, maxcardinality=True)
    pairs = sorted(sorted(pair, key=place.__getitem__) for pair in matching)
    return [
        seat_order(pair[::-1] if index % 2 else pair, seated) for index, pair in enumerate(pairs)
    ]
