"""Two worlds that one viewer cannot tell apart: a stretch of a match, and its twin.

The second world begins with a twin of the first one's position, from ``twins.py`` in the game's
tests. It continues with moves and outcomes that look the same to the viewer: other players may lay
other hidden cards, and chance may deal others.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice, takewhile
from typing import Any, Protocol

from games.kernel import registry
from games.kernel.contract import AnyGame, Event, Params, Position, Seat, SecretEvent
from games.kernel.dice import RecordedDice
from games.kernel.errors import GameError
from games.kernel.replay import PlainEntry, take
from tests.contract.game_modules import twins_of
from tests.contract.random_play import Record, matches

ALIKE = 25
"""So many other moves of a hidden hand are tried in the place of one."""

VARIED = 3
"""So many other outcomes of hidden draws."""


class Twins(Protocol):
    """What a game says of its secrets (see :mod:`tests.contract.game_modules`)."""

    REVEALS: frozenset[str]

    def indistinguishable(
        self, position: Position, viewer: Seat | None, chance: random.Random
    ) -> Position: ...


@dataclass(frozen=True)
class World:
    """A stretch of a match: where it begins, and what happens in it."""

    start: Position
    steps: tuple[PlainEntry, ...]


@dataclass(frozen=True)
class Pair:
    """Two worlds that look the same to a viewer."""

    title: AnyGame
    seats: int
    params: Params
    viewer: Seat | None
    scenarios: tuple[World, World]

    def replay(self, world: World) -> Iterator[tuple[Any, tuple[Event, ...]]]:
        """Yield position and events of the start and of every step."""
        state = self.load(world.start)
        yield state, ()
        for step in world.steps:
            moment = take(self.title, state, step, RecordedDice(step.chance))
            state = moment.state
            yield state, moment.events

    def load(self, position: Position) -> Any:
        return self.title.load(position, self.seats, self.params)


def owners_of(event: Event) -> tuple[Seat, ...]:
    """Return the seats for which something is in an event that is hidden from others."""
    return event.owners if isinstance(event, SecretEvent) else ()


def records(title: AnyGame) -> list[Record]:
    """Return the random matches in which something was hidden."""
    return [
        record
        for record in matches(title.meta.slug)
        if any(owners_of(event) for moment in record.moments for event in moment.events)
    ]


@cache
def some_pairs(slug: str) -> list[Pair]:
    """Return pairs of worlds for tests that only look at them."""
    chance, indistinguishable, found = random.Random(4), twins_of(slug), []
    for record in records(registry.get(slug)):
        found += pairs(record, indistinguishable, chance, most=4, length=6)
    return found


def pairs(
    record: Record, indistinguishable: Twins, chance: random.Random, *, most: int, length: int
) -> Iterator[Pair]:
    """Yield pairs for every viewer, from stretches that end where something hidden happens."""
    steps = range(1, len(record.moments) - 1)
    hidden = [n for n in steps if any(owners_of(event) for event in record.moments[n].events)]
    ends = chance.sample(hidden, min(len(hidden), most)) or [0]
    for end in sorted(ends):
        begin = max(0, end - chance.randrange(length))
        for viewer in record.viewers:
            yield pair(record, indistinguishable, viewer, (begin, end), chance)


def pair(
    record: Record,
    indistinguishable: Twins,
    viewer: Seat | None,
    stretch: tuple[int, int],
    chance: random.Random,
) -> Pair:
    """Return the stretch of a match from one moment to another, and its twin for a viewer."""
    title, (begin, end) = record.title, stretch
    start = title.dump(record.states[begin])
    other = indistinguishable.indistinguishable(start, viewer, chance)
    mirror = _Mirror(title, indistinguishable, viewer, chance)
    state = title.load(other, record.seats, record.params)
    here: list[PlainEntry] = []
    there: list[PlainEntry] = []
    for number in range(begin, end):
        step, after = record.steps[number], record.moments[number + 1]
        found = mirror.counterpart(step, (after.state, after.events), state)
        if found is None:
            break
        state = take(title, state, found, RecordedDice(found.chance)).state
        here.append(step)
        there.append(found)
    scenarios = World(start, tuple(here)), World(other, tuple(there))
    return Pair(title, record.seats, record.params, viewer, scenarios)


@dataclass(frozen=True)
class _Mirror:
    """Finds what happens in the twin's world when something happens in the first one."""

    title: AnyGame
    indistinguishable: Twins
    viewer: Seat | None
    chance: random.Random

    def counterpart(
        self, step: PlainEntry, after: tuple[Any, tuple[Event, ...]], state: Any
    ) -> PlainEntry | None:
        """Return a step that leaves the viewer in the dark. ``None`` without one.

        Only views and what was turned up are compared: all else is for the tests to find equal.
        So another move than the first world's is preferred, and other outcomes.
        """
        wanted = self._standing(*after)
        for text in self._texts(step, state):
            for chance in self._outcomes(replace(step, text=text), wanted, state):
                candidate = replace(step, text=text, chance=chance)
                if self._try(candidate, state)[0] == wanted:
                    return candidate
        return None

    def _standing(self, state: Any, events: Sequence[Event]) -> Any:
        title, turned_up = self.title, self.indistinguishable.REVEALS
        told = [event.seen_by(self.viewer) for event in events if event.type in turned_up]
        return title.view(state, self.viewer), title.actors(state), title.result(state), told

    def _try(self, step: PlainEntry, state: Any) -> tuple[Any, list[int | None]]:
        """Return where a step leads, and the dice it rolled; nothing if it cannot be."""
        dice = RecordedDice(step.chance)
        try:
            after = take(self.title, state, step, dice)
            dice.finish()
        except GameError:
            return None, []
        return self._standing(after.state, after.events), dice.sides

    def _texts(self, step: PlainEntry, state: Any) -> list[str]:
        """Return other moves of the same seat, those first that begin alike, then the same."""
        if step.kind != "play" or step.seat is None or step.seat == self.viewer:
            return [step.text]
        moves = map(str, islice(self.title.moves(state, step.seat), 5000))
        others = [text for text in moves if text != step.text]
        self.chance.shuffle(others)
        others.sort(key=lambda text: _common(text, step.text), reverse=True)
        return [*others[:ALIKE], step.text]

    def _outcomes(self, step: PlainEntry, wanted: Any, state: Any) -> Iterator[tuple[Any, ...]]:
        """Yield what chance may give instead: some changes of a roll, then what it gave.

        Where that leads elsewhere, as when the viewer's own card lies elsewhere, all changes.
        """
        standing, sides = self._try(step, state)
        if standing is None:
            return
        changes = [
            (*step.chance[:at], face, *step.chance[at + 1 :])
            for at, count in enumerate(sides)
            for face in range(1, (count or 0) + 1)
            if face != step.chance[at]
        ]
        self.chance.shuffle(changes)
        yield from changes[:VARIED] if standing == wanted else changes
        yield step.chance


def _common(one: str, other: str) -> int:
    """Return how many words two texts begin with in common."""
    words = zip(one.split(), other.split(), strict=False)
    return sum(1 for _ in takewhile(lambda both: both[0] == both[1], words))
