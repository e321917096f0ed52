"""Moves through HTTP: how many a second and how long each takes, beside a bare view."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from statistics import median
from uuid import uuid4

from django.utils import timezone

from bench import load, people, site
from bench.load import Request, Run
from bench.models import Counter
from bench.people import Person
from bench.rows import Row, percentile

SECTION = "A move through HTTP: 50 players at once, 2 web processes, PostgreSQL"

PLAYERS = 50
SIZE = 5
"""Of the board: the one that a challenge begins with."""

MATCHES = 6
"""How many matches each player plays, one after the other, at most."""

SECONDS = 8.0
WARM_UP = 3.0
ROUNDS = 5
GOAL, DEFECT = 0.5, 0.35


def rows() -> Iterator[Row]:
    """Measure the floor and the site by turns."""
    crowd = [people.sign_in(user) for user in people.make(PLAYERS, "mover")]
    with site.serving() as ports:
        yield from compare(Lanes(bare(crowd, ports)), Lanes(moves(crowd, ports)))


class Lanes:
    """What is to be sent, and how much of it has been."""

    def __init__(self, lanes: list[list[Request]]) -> None:
        self._lanes = lanes

    def drive(self, hand: ProcessPoolExecutor, seconds: float) -> Run:
        """Send on for some seconds."""
        run: Run = hand.submit(load.drive, self._lanes, seconds).result()
        self._lanes = [lane[used:] for lane, used in zip(self._lanes, run.used, strict=True)]
        if not all(self._lanes):
            raise RuntimeError("Somebody has nothing left to send: give MATCHES a higher number.")
        return run


def compare(floor: Lanes, moves: Lanes) -> Iterator[Row]:
    """Measure both by turns, several times; the ratio is the median of the turns' ratios."""
    with ProcessPoolExecutor(1, get_context("spawn")) as hand:
        for lanes in (floor, moves):
            lanes.drive(hand, WARM_UP)
        turns = [(floor.drive(hand, SECONDS), moves.drive(hand, SECONDS)) for _ in range(ROUNDS)]
    for bare, run in turns:
        site.say(f"{run.rate:.1f} moves/s, bare view {bare.rate:.1f}/s")
    yield _throughput(turns)
    for percent in (50, 95, 99):
        yield _latency(turns, percent)


def _throughput(turns: Sequence[tuple[Run, Run]]) -> Row:
    ratio = median(run.rate / bare.rate for bare, run in turns)
    measured, floor = median(run.rate for _, run in turns), median(bare.rate for bare, _ in turns)
    goal = f"≥ {GOAL} ×, below {DEFECT} a defect"
    return Row("moves", measured, "/s", floor, "/s, bare view", goal, ratio >= GOAL, ratio)


def _latency(turns: Sequence[tuple[Run, Run]], percent: int) -> Row:
    bare, run = (
        percentile([time for turn in turns for time in turn[which].times], percent)
        for which in (0, 1)
    )
    return Row(f"answered, p{percent}", run, "ms", bare, "ms, bare view")


def bare(crowd: Sequence[Person], ports: Sequence[int]) -> list[list[Request]]:
    """Return what is sent to the bare view: each player and the next count together."""
    entries = sum(len(people.record(SIZE, seed)) for seed in range(MATCHES))
    counters = Counter.objects.bulk_create(Counter(changed=timezone.now()) for _ in crowd)
    return [
        [
            _form(
                pair[version % 2], ports[version % 2], f"/bench/{counter.pk}/moves/", version, "c3"
            )
            for version in range(entries)
        ]
        for counter, pair in zip(counters, pairs(crowd), strict=True)
    ]


def moves(crowd: Sequence[Person], ports: Sequence[int]) -> list[list[Request]]:
    """Return what is sent to the site: each player plays whole matches against the next."""
    return [
        [
            request
            for number in range(MATCHES)
            for request in _match(pair, ports, lane * MATCHES + number)
        ]
        for lane, pair in enumerate(pairs(crowd))
    ]


def pairs(crowd: Sequence[Person]) -> list[tuple[Person, Person]]:
    """Return everybody with the next one, in a ring."""
    return list(zip(crowd, [*crowd[1:], crowd[0]], strict=True))


def _match(pair: tuple[Person, Person], ports: Sequence[int], seed: int) -> list[Request]:
    """Start a match; return its moves."""
    return moves_of(people.start([person.user for person in pair], SIZE).pk, pair, ports, seed)


def moves_of(
    match_id: int, pair: Sequence[Person], ports: Sequence[int], seed: int
) -> list[Request]:
    """Return the moves of a match, those of either player to a process of their own."""
    path = f"/matches/{match_id}/moves/"
    return [
        _form(pair[version % 2], ports[version % 2], path, version, text)
        for version, text in enumerate(people.record(SIZE, seed))
    ]


def _form(person: Person, port: int, path: str, version: int, text: str) -> Request:
    """Write a move as the form on the page sends it; it is answered by the way to the page."""
    token, submission = person.token, uuid4()
    fields = {"csrfmiddlewaretoken": token, "version": version, "submission": submission}
    return load.post(port, path, person.cookies, 303, **fields, word=text)
