"""Replay: the entries of a log applied to positions, with the outcomes that were recorded.

Matches, imported records, boards and golden matches are all replayed here.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

from games.kernel.contract import AnyGame, Event, Params, Seat
from games.kernel.dice import Dice, Outcome, RecordedDice
from games.kernel.errors import NotYourTurn
from games.kernel.language import gettext

Action: TypeAlias = Literal["play", "drop", "close"]

ACTIONS: Mapping[str, Action] = {
    "play": "play",
    "drop": "drop",
    "resign": "drop",
    "timeout": "drop",
    "remove": "drop",
    "close": "close",
}
"""The function of a game that an entry calls, by its kind. Other entries leave the position."""


class Entry(Protocol):
    """An entry of a log; ``undoes`` is the number of the entry that a take-back undoes."""

    @property
    def kind(self) -> str: ...

    @property
    def seat(self) -> int | None: ...

    @property
    def text(self) -> str: ...

    @property
    def chance(self) -> Sequence[Outcome]: ...

    @property
    def undoes(self) -> int | None: ...


@dataclass(frozen=True, slots=True)
class PlainEntry:
    """An entry that isn't stored in the database."""

    kind: str
    seat: Seat | None = None
    text: str = ""
    chance: tuple[Outcome, ...] = ()
    undoes: int | None = None


class Moment(NamedTuple):
    """A match after an entry: the position, the events, the outcomes drawn and their dice."""

    state: Any
    events: tuple[Event, ...] = ()
    drawn: tuple[Outcome, ...] = ()
    sides: tuple[int | None, ...] = ()


def replay(
    title: AnyGame,
    seats: int,
    params: Params,
    chance: Sequence[Outcome],
    entries: Iterable[Entry],
) -> Iterator[Moment]:
    """Yield the match after its setup and after every entry.

    :param chance: the outcomes of the setup.
    :raises GameError: the rules refuse an entry, or the outcomes don't fit.
    """
    first = setup(title, seats, params, chance)
    yield first
    yield from follow(title, first.state, entries)


def setup(title: AnyGame, seats: int, params: Params, chance: Sequence[Outcome]) -> Moment:
    """Return the match after its setup.

    :raises GameError: the outcomes aren't those of the setup.
    """
    dice = RecordedDice(chance)
    state = title.setup(seats, params, dice)
    dice.finish()
    return Moment(state, (), tuple(dice.drawn), tuple(dice.sides))


def follow(
    title: AnyGame, state: Any, entries: Iterable[Entry], number: int = 0
) -> Iterator[Moment]:
    """Yield the match after each entry that follows entry ``number``, which led to ``state``.

    :raises GameError: the rules refuse an entry, or its outcomes don't fit.
    :raises KeyError: an entry takes back one before the first.
    """
    states = {number: state}
    for at, entry in enumerate(entries, number + 1):
        before = states[entry.undoes - 1] if entry.undoes else states[at - 1]
        dice = RecordedDice(entry.chance)
        moment = take(title, before, entry, dice)
        dice.finish()
        states[at] = moment.state
        yield moment


def take(title: AnyGame, state: Any, entry: Entry, dice: Dice) -> Moment:
    """Apply one entry to a position. A take-back or an offer leaves it as it is.

    :raises RulesError: the rules refuse it.
    """
    action = ACTIONS.get(entry.kind)
    events: tuple[Event, ...] = ()
    if action == "close":
        state, events = title.close(state)
    elif action is not None:
        if entry.seat is None:
            raise NotYourTurn(gettext("A move and a drop are somebody's: a seat is missing."))
        seat = Seat(entry.seat)
        if action == "drop":
            state, events = title.drop(state, seat, dice)
        else:
            state, events = title.play(state, seat, title.parse(entry.text), dice)
    return Moment(state, events, tuple(dice.drawn), tuple(dice.sides))
