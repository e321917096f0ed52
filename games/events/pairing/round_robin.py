"""Round robins: everybody meets everybody (two seats), or about as often (more seats)."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from random import Random

from games.events.pairing import Round, Table
from games.events.pairing.seats import Seated, seat_order
from games.kernel.two_players import PAIR

ATTEMPTS = 40
"""How often a round of several seats is drawn. The most balanced draw is used."""

SWAPS = 400
"""How many exchanges of two entrants are tried on each draw."""


def round_robin(field: Sequence[int], seed: str) -> list[Round]:
    """Return the rounds of a round robin for two seats, by the circle method.

    Every two entrants meet once. With an odd number everybody has one bye. Everybody's numbers of
    first and second seats differ by at most one.
    """
    drawn = _shuffled(field, seed)
    place = {entrant: index for index, entrant in enumerate(drawn)}
    circle: list[int | None] = [*drawn, *([None] * (len(drawn) % 2))]
    half = len(circle) // 2
    rounds = []
    for _ in range(len(circle) - 1):
        tables: list[Table] = []
        byes: list[int] = []
        for one, other in zip(circle[:half], reversed(circle[half:]), strict=True):
            if one is None or other is None:
                byes += [entrant for entrant in (one, other) if entrant is not None]
            elif _begins(place[one], place[other], len(circle) - 1):
                tables.append((one, other))
            else:
                tables.append((other, one))
        rounds.append(Round(tables, byes))
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return rounds


def _begins(place: int, other: int, odd: int) -> bool:
    """Whether an entrant has the first seat against another.

    On a circle of ``odd`` entrants, everybody begins against those an odd number of places ahead,
    which is half of the others. The last of an even field begins against every second one.
    """
    if odd in (place, other):
        return (place == odd) == (min(place, other) % 2 == 0)
    return (other - place) % odd % 2 == 1


def balanced_tables(
    field: Sequence[int], seats: tuple[int, int], rounds: int, seed: str
) -> list[Round]:
    """Return rounds for tables of several seats at which everybody meets about equally often.

    ``seats`` is the minimum and maximum size of a table. Tables are as large as possible. If the
    field can't be divided into such tables, some entrants have a bye, in turns.
    """
    met: Counter[frozenset[int]] = Counter()
    byes: Counter[int] = Counter()
    seated: Seated = Counter()
    made = []
    for number in range(rounds):
        draw = Random(f"{seed}/{number}")  # noqa: S311 - reproducible on purpose
        sizes = table_sizes(len(field), seats)
        resting = _resting(field, len(field) - sum(sizes), byes, draw)
        playing = [entrant for entrant in field if entrant not in resting]
        groups = _balanced(playing, sizes, met, draw)
        tables = [seat_order(group, seated) for group in groups]
        for table in tables:
            seated.update((entrant, seat) for seat, entrant in enumerate(table))
            met.update(map(frozenset, combinations(table, PAIR)))
        byes.update(resting)
        made.append(Round(tables, resting))
    return made


def table_sizes(players: int, seats: tuple[int, int]) -> list[int]:
    """Return the sizes of tables: as large as possible, with as few byes as possible."""
    least, most = seats
    count = -(-players // most)
    if count * least <= players:
        small, extra = divmod(players, count)
        return [small + 1] * extra + [small] * (count - extra)
    return [most] * (players // most)


def _shuffled(field: Sequence[int], seed: str) -> list[int]:
    mixed = sorted(field)
    Random(seed).shuffle(mixed)  # noqa: S311 - reproducible on purpose
    return mixed


def _resting(field: Sequence[int], count: int, byes: Counter[int], draw: Random) -> list[int]:
    mixed = sorted(field)
    draw.shuffle(mixed)
    return sorted(mixed, key=byes.__getitem__)[:count]


Weights = dict[int, Counter[int]]
"""The cost of a meeting of two entrants, by one and the other."""


def _balanced(
    playing: Sequence[int], sizes: Sequence[int], met: Counter[frozenset[int]], draw: Random
) -> list[list[int]]:
    """Return the best of several improved draws: the one with the fewest repeated meetings."""
    weights: Weights = {entrant: Counter() for entrant in playing}
    for one, other in combinations(playing, PAIR):
        # A third meeting weighs more than two second ones.
        weights[one][other] = weights[other][one] = met[frozenset((one, other))] ** 3
    best: list[list[int]] = []
    lowest = -1
    for _ in range(ATTEMPTS):
        groups = _dealt(playing, sizes, draw)
        cost = _improve(groups, weights, draw)
        if lowest < 0 or cost < lowest:
            best = groups
            lowest = cost
        if lowest == 0:
            break
    return best


def _dealt(playing: Sequence[int], sizes: Sequence[int], draw: Random) -> list[list[int]]:
    mixed = sorted(playing)
    draw.shuffle(mixed)
    cards = iter(mixed)
    return [[next(cards) for _ in range(size)] for size in sizes]


def _improve(groups: list[list[int]], weights: Weights, draw: Random) -> int:
    """Exchange entrants of two tables wherever that lowers the cost, and return the cost."""
    costs = [sum(weights[one][other] for one, other in combinations(g, PAIR)) for g in groups]
    for _ in range(SWAPS if len(groups) >= PAIR else 0):
        at, to = draw.sample(range(len(groups)), PAIR)
        if not costs[at] + costs[to]:
            continue
        one = groups[at]
        other = groups[to]
        i, j = draw.randrange(len(one)), draw.randrange(len(other))
        first = _exchange(one, i, other[j], weights)
        second = _exchange(other, j, one[i], weights)
        if first + second <= 0:
            one[i], other[j] = other[j], one[i]
            costs[at] += first
            costs[to] += second
    return sum(costs)


def _exchange(group: Sequence[int], place: int, entrant: int, weights: Weights) -> int:
    """Return the additional cost of a table with another entrant at a place."""
    old, new = weights[group[place]], weights[entrant]
    return sum(new[one] - old[one] for at, one in enumerate(group) if at != place)
