"""Random matches of any game, and the samples of them that the contract tests look at."""

import hashlib
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from types import ModuleType
from typing import Any, Literal

from games.kernel import registry
from games.kernel.contract import AnyGame, Event, Params, Position, Seat
from games.kernel.dice import CommittedDice, Outcome, Watch
from games.kernel.options import Options, Span
from games.kernel.params import complete
from games.kernel.playthrough import play, playthroughs
from games.kernel.replay import Moment, PlainEntry, take
from tests.contract.game_modules import policy_of, reference_of
from tests.contract.reference import Sample

FEW = 5_000
"""So many moves are looked at one by one; more only at random."""

LISTED, WALKS = 100, 2
"""A policy chooses from so many of the first moves and of those found by options, where moves are
too many to list."""

SPECTATOR = None


@dataclass(frozen=True)
class Record:
    """A random match: ``moments[n]`` is the match after step n."""

    title: AnyGame
    seats: int
    params: Params
    steps: tuple[PlainEntry, ...]
    moments: tuple[Moment, ...]
    start: Position | None = None
    """Where it began, if not with the first position."""

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


class MadeUpDice(CommittedDice):
    """Dice that make up what is observed, instead of watching."""

    def __init__(self, key: bytes, first: int, make_up: Callable[[], Outcome]) -> None:
        super().__init__(key, first)
        self._make_up = make_up

    def observe(self, watch: Watch) -> Outcome:
        return super().observe(lambda: (self._make_up(), None))


def random_play(
    title: AnyGame,
    sample: Sample,
    seed: int,
    *,
    stop: Literal["drop", "close"] | None = None,
    policy: ModuleType | None = None,
) -> Record:
    """Play at random, or by a policy (:mod:`tests.contract.game_modules`).

    ``stop`` says that a seat drops out, or all agree to close, on the way.
    """
    rng = random.Random(f"{title.meta.slug} {sample.params} {seed}")
    key = hashlib.sha256(rng.randbytes(32)).digest()
    params = complete(title.meta, sample.params)
    dice = CommittedDice(key)
    first = title.setup(sample.seats, params, dice)
    start = getattr(policy, "begin", lambda *_: None)(title.dump(first), rng)
    state = title.load(start, sample.seats, params) if start else first
    rolls, steps = len(dice.drawn), []
    moments = [Moment(state, (), tuple(dice.drawn), tuple(dice.sides))]
    stop_at = rng.randrange(2 if start else 40) if stop else sample.plies
    while seats := title.actors(state):
        step = PlainEntry("close")
        if len(steps) < stop_at:
            seat = rng.choice(seats)
            text = chosen_move(title, state, seat, rng, policy, seats=sample.seats, params=params)
            step = PlainEntry("play", seat, text)
        elif stop == "drop":
            asked = seats * 3 if start else ()
            step = PlainEntry("drop", rng.choice([*still_in(title, state, sample.seats), *asked]))
        dice = _dice(title, state, step.seat, policy, key=key, first=rolls, rng=rng)
        moment = take(title, state, step, dice)
        state = moment.state
        rolls += sum(isinstance(outcome, int) for outcome in dice.drawn)
        steps.append(PlainEntry(step.kind, step.seat, step.text, tuple(dice.drawn)))
        moments.append(moment)
        if step.kind == "drop":
            stop_at = len(steps) + rng.randrange(20)
    return Record(title, sample.seats, params, tuple(steps), tuple(moments), start)


def _dice(
    title: AnyGame,
    state: Any,
    seat: Seat | None,
    policy: ModuleType | None,
    *,
    key: bytes,
    first: int,
    rng: random.Random,
) -> CommittedDice:
    """Return the dice of a step; what they observe is made up where a policy does so."""
    observe = getattr(policy, "observe", None)
    if observe is None:
        return CommittedDice(key, first)
    return MadeUpDice(key, first, lambda: observe(title.dump(state), seat, rng))


def still_in(title: AnyGame, state: Any, seats: int) -> list[Seat]:
    """Return the seats that have not dropped out."""
    dropped = title.dump(state).get("dropped", ())
    return [Seat(seat) for seat in range(seats) if seat not in dropped]


def chosen_move(
    title: AnyGame,
    state: Any,
    seat: Seat,
    rng: random.Random,
    policy: ModuleType | None = None,
    **match: Any,
) -> str:
    """Return the text of a legal move: a policy's choice, or any.

    A policy also reads the ``seats`` and ``params`` of the match.

    Where moves are very many, options lead to one, or to some from which the policy chooses.
    """
    choose = getattr(policy, "choose", None)
    texts = [str(move) for move in islice(title.moves(state, seat), 500)]
    if len(texts) == 500:
        walks = [walk(title, state, seat, rng) for _ in range(WALKS if choose else 1)]
        first = texts[:: len(texts) // LISTED] if choose else []
        texts = [*first, *(str(title.parse(text)) for text in walks)]
    return choose(title.dump(state), seat, texts, rng, **match) if choose else rng.choice(texts)


def walk(title: AnyGame, state: Any, seat: Seat, rng: random.Random) -> str:
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
    title, samples = registry.get(slug), reference_of(slug).SAMPLES
    return tuple(random_play(title, sample, n) for sample in samples for n in range(sample.matches))


@cache
def stopped_matches(slug: str) -> tuple[Record, ...]:
    """Return matches in which somebody drops out, or that are closed, at any point."""
    title, samples = registry.get(slug), reference_of(slug).SAMPLES
    return tuple(
        random_play(title, sample, n, stop=stop)
        for sample in samples
        for n in range(min(sample.matches, 6))
        for stop in ("drop", "close")
    )


@cache
def far_matches(slug: str) -> tuple[Record, ...]:
    """Return the matches that are played by the game's policy; some are cut short."""
    title, policy = registry.get(slug), policy_of(slug)
    stops: Sequence[Literal["drop", "close"] | None] = (None, "drop", None, "drop", None, "close")
    return tuple(
        random_play(title, sample, n, stop=stops[n % len(stops)], policy=policy)
        for sample in getattr(policy, "SAMPLES", ())
        for n in range(sample.matches)
    )


@cache
def golden_matches(slug: str) -> tuple[Record, ...]:
    """Return the playthroughs of a game as if they had been played at random."""
    title = registry.get(slug)
    found = []
    for golden in playthroughs(registry.folder(slug)).values():
        moments, params = play(title, golden), complete(title.meta, golden.params)
        steps = zip(golden.steps, moments[1:], strict=True)
        drawn = tuple(PlainEntry(one.kind, one.seat, one.text, after.drawn) for one, after in steps)
        found.append(Record(title, golden.seats, params, drawn, tuple(moments)))
    return tuple(found)


def events_of(record: Record) -> Iterator[Event]:
    """Yield everything that happened in a match."""
    for moment in record.moments:
        yield from moment.events
