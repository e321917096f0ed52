"""Knock-out rounds: who has lost too often is out. With two lives it is a double elimination."""

from collections.abc import Sequence
from itertools import combinations

import networkx as nx

from games.events.pairing import Round, Table
from games.events.pairing.seats import Seated, seat_order
from games.events.pairing.swiss import Standing, seats_so_far
from games.kernel.two_players import PAIR


def knock_out_round(standings: Sequence[Standing], lives: int) -> Round | None:
    """Pair those who are still in; ``None`` when one is left.

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


def _resting(group: Sequence[Standing]) -> list[Standing]:
    if len(group) % 2 == 0:
        return []
    return [min(group, key=lambda one: (one.byes, one.number))]


def _paired(group: Sequence[Standing], seated: Seated) -> list[Table]:
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
