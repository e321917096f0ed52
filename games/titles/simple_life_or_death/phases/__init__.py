"""Phases: what a position waits for, made of the steps that may be taken in it.

A step is one kind of move with all that belongs to it. Attacks, for one, are a step of three
phases.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, Protocol

from games.kernel.errors import MalformedMove
from games.kernel.options import Options, Requirement
from games.titles.simple_life_or_death.entry import Words, follow
from games.titles.simple_life_or_death.moves import Move, parse
from games.titles.simple_life_or_death.position import FREE, PLACE, Position
from games.titles.simple_life_or_death.transition import Transition


class Step(Protocol):
    """A kind of move in the phases that have it."""

    kind: type[Any]

    def moves(self, state: Position) -> Iterator[Move]:
        """Return every legal move of this kind, each once."""

    def why_not(self, state: Position, move: Any) -> str:
        """Return why a move of this kind is forbidden; empty if it is legal."""

    def play(self, transition: Transition, move: Any) -> None:
        """Do what a legal move says, without what follows from it by itself."""

    def words(self, state: Position) -> Words:
        """Return the words with which a legal move may begin."""


class Duty(Step, Protocol):
    """A step that a phase asks for; ``asks`` is the end of a sentence that refuses others."""

    asks: str

    def prompt(self, state: Position) -> str:
        """Return the sentence that asks for a move."""


@dataclass(frozen=True)
class Phase:
    """A phase by its steps, in the order in which their moves are listed.

    ``duty`` is the one that is asked for; ``others`` refuses some moves of other kinds with
    sentences of its own.
    """

    duty: Duty
    steps: tuple[Step, ...]
    others: Mapping[type, str] = field(default_factory=dict)

    def moves(self, state: Position) -> Iterator[Move]:
        """Return every legal move, each once."""
        return chain.from_iterable(step.moves(state) for step in self.steps)

    def refusal(self, state: Position, move: Move) -> str:
        """Return why a move is forbidden; empty if it is legal."""
        for step in self.steps:
            if isinstance(move, step.kind):
                return step.why_not(state, move)
        return self.others.get(type(move), self.duty.asks)

    def play(self, transition: Transition, move: Move) -> None:
        """Do what a legal move says."""
        next(step for step in self.steps if isinstance(move, step.kind)).play(transition, move)

    def options(self, state: Position, typed: str) -> Options:
        """Return how a text may go on to a legal move; neither complete nor next if it is none."""
        words = chain.from_iterable(step.words(state) for step in self.steps)
        prompt, is_legal = self.duty.prompt(state), self._is_legal(state, typed)
        found = follow(words, typed, prompt, is_complete=is_legal)
        return replace(found, requirements=requirements(state))

    def _is_legal(self, state: Position, typed: str) -> bool:
        try:
            return not self.refusal(state, parse(typed))
        except MalformedMove:
            return False


def requirements(state: Position) -> tuple[Requirement, ...]:
    """Return what the turn asks of its seat; nothing of who answers an attack."""
    if state.attack:
        return ()
    more = ", or place one more" if any(state.stock[state.turn]) else ""
    return (
        Requirement("Place a piece", is_done=state.phase != PLACE),
        Requirement(f"Move a piece{more}", is_done=state.phase == FREE),
    )
