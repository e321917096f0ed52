"""Replay: a match played again from its log, with the recorded chance."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from games.kernel.contract import AnyGame, Event, Params, Seat
from games.kernel.dice import Dice, Outcome, RecordedDice
from games.kernel.errors import NotYourTurn

Kind: TypeAlias = Literal["play", "drop", "close"]


@dataclass(frozen=True, slots=True)
class Step:
    """One entry of a record: a move in notation, a seat that drops, or the closing."""

    kind: Kind
    seat: Seat | None = None
    text: str = ""
    chance: tuple[Outcome, ...] = ()


class Moment(NamedTuple):
    """A match after a step: the position, what the step did and what it drew."""

    state: Any
    events: tuple[Event, ...]
    drawn: tuple[Outcome, ...]


def replay(
    title: AnyGame,
    seats: int,
    params: Params,
    setup_chance: Iterable[Outcome],
    steps: Iterable[Step],
) -> Iterator[Moment]:
    """Yield the match after its setup and after every step.

    :raises GameError: the rules refuse a step, or chance does not fit it.
    """
    dice = RecordedDice(tuple(setup_chance))
    state = title.setup(seats, params, dice)
    dice.finish()
    yield Moment(state, (), tuple(dice.drawn))
    for step in steps:
        dice = RecordedDice(step.chance)
        state, events = take(title, state, step, dice)
        dice.finish()
        yield Moment(state, events, tuple(dice.drawn))


def take(title: AnyGame, state: Any, step: Step, dice: Dice) -> tuple[Any, tuple[Event, ...]]:
    """Take one step from a position.

    :raises RulesError: the rules refuse it.
    """
    if step.kind == "close":
        return title.close(state)
    if step.seat is None:
        raise NotYourTurn("A move and a drop are somebody's: a seat is missing.")
    if step.kind == "drop":
        return title.drop(state, step.seat, dice)
    return title.play(state, step.seat, title.parse(step.text), dice)
