"""Random matches of any game, and the samples of them that the contract tests look at."""

import hashlib
import importlib
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any, Literal

from games.kernel import registry
from games.kernel.contract import AnyTitle, Event, Params, Seat
from games.kernel.dice import CommittedDice
from games.kernel.options import Options, Span
from games.kernel.params import complete
from games.kernel.replay import Moment, Step, take
from tests.contract.reference.protocol import Sample

FEW = 5_000
"""So many moves are looked at one by one; more only at random."""

SPECTATOR = None


@dataclass(frozen=True)
class Record:
    """A random match: ``moments[n]`` is the match after step n."""

    title: AnyTitle
    seats: int
    params: Params
    steps: tuple[Step, ...]
    moments: tuple[Moment, ...]

    @property
    def states(self) -> list[Any]:
        return [moment.state for moment in self.moments]

    @property
    def viewers(self) -> tuple[Seat | None, ...]:
        return (SPECTATOR, *map(Seat, range(self.seats)))

    def some_moments(self, count: int) -> list[tuple[int, Moment]]:
        """Return the numbers and moments of first and last and of some between, evenly."""
        last = len(self.moments) - 1
        numbers = sorted({round(k * last / max(1, count - 1)) for k in range(count)})
        return [(number, self.moments[number]) for number in numbers]


def module_of(slug: str) -> Any:
    """Return the module with the second implementation of a game."""
    return importlib.import_module(f"tests.contract.reference.{slug.replace('-', '_')}")


def random_play(
    title: AnyTitle,
    sample: Sample,
    seed: int,
    *,
    stop: Literal["drop", "close"] | None = None,
) -> Record:
    """Play at random; ``stop`` says that a seat drops out, or all agree to close, on the way."""
    rng = random.Random(f"{title.meta.slug} {sample.params} {seed}")
    key = hashlib.sha256(rng.randbytes(32)).digest()
    params = complete(title.meta, sample.params)
    dice = CommittedDice(key)
    state = title.rules.setup(sample.seats, params, dice)
    rolls = len(dice.drawn)
    steps, moments = [], [Moment(state, (), tuple(dice.drawn))]
    stop_at = rng.randrange(40) if stop else sample.plies
    while seats := title.rules.actors(state):
        dice = CommittedDice(key, rolls)
        if len(steps) < stop_at:
            seat = rng.choice(seats)
            step = Step("play", seat, str(random_move(title, state, seat, rng)))
        elif stop == "drop":
            step = Step("drop", rng.choice(still_in(title, state, sample.seats)))
        else:
            step = Step("close")
        state, events = take(title, state, step, dice)
        rolls += sum(isinstance(outcome, int) for outcome in dice.drawn)
        steps.append(Step(step.kind, step.seat, step.text, tuple(dice.drawn)))
        moments.append(Moment(state, events, tuple(dice.drawn)))
        if step.kind == "drop":
            stop_at = len(steps) + rng.randrange(20)
    return Record(title, sample.seats, params, tuple(steps), tuple(moments))


def still_in(title: AnyTitle, state: Any, seats: int) -> list[Seat]:
    """Return the seats that have not dropped out."""
    dropped = title.rules.dump(state).get("dropped", ())
    return [Seat(seat) for seat in range(seats) if seat not in dropped]


def random_move(title: AnyTitle, state: Any, seat: Seat, rng: random.Random) -> Any:
    """Return a legal move: any of them, or where they are very many one that options lead to."""
    moves = list(islice(title.rules.moves(state, seat), 500))
    if len(moves) < 500:
        return rng.choice(moves)
    return title.parse(walk(title, state, seat, rng))


def walk(title: AnyTitle, state: Any, seat: Seat, rng: random.Random) -> str:
    """Return a whole move found by choosing among the options at random, word by word."""
    typed = ""
    while True:
        options = title.options(state, seat, typed)
        if options.complete and (not options.next or rng.random() < 0.5):
            return typed
        typed += rng.choice(list(continuations(options, rng)))


def continuations(options: Options, rng: random.Random | None = None) -> Iterator[str]:
    """Yield the texts that options add: of a range every number, or one at random."""
    for offer in options.next:
        if isinstance(offer, Span):
            count = round((offer.high - offer.low) / offer.step) + 1
            picked = range(count) if rng is None else (rng.randrange(count),)
            yield from (offer.format.format(offer.low + k * offer.step) for k in picked)
        else:
            yield offer.text


@cache
def matches(slug: str) -> tuple[Record, ...]:
    """Return the random matches of a game, played once for all tests."""
    title, samples = registry.get(slug), module_of(slug).SAMPLES
    return tuple(random_play(title, sample, n) for sample in samples for n in range(sample.matches))


@cache
def stopped_matches(slug: str) -> tuple[Record, ...]:
    """Return matches in which somebody drops out, or that are closed, at any point."""
    title, samples = registry.get(slug), module_of(slug).SAMPLES
    return tuple(
        random_play(title, sample, n, stop=stop)
        for sample in samples
        for n in range(min(sample.matches, 6))
        for stop in ("drop", "close")
    )


def events_of(record: Record) -> Iterator[Event]:
    """Yield everything that happened in a match."""
    for moment in record.moments:
        yield from moment.events
