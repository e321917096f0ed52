"""Phases: what a position waits for, made of the steps that may be taken in it.

A step is one kind of move with all that belongs to it. Attacks, for one, are a step of three
phases.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import Any, Protocol

from games.kernel.errors import MalformedMove
from games.kernel.formatting import listed
from games.kernel.options import Options, Requirement
from games.titles.simple_life_or_death.components import Piece
from games.titles.simple_life_or_death.entry import (
    EntryView,
    Selection,
    Word,
    Words,
    entry_view,
    follow,
    piece_marks,
)
from games.titles.simple_life_or_death.moves import Move, parse
from games.titles.simple_life_or_death.state import FREE, PLACE, State
from games.titles.simple_life_or_death.transition import Transition


class Step(Protocol):
    """A kind of move."""

    kind: type[Any]

    def moves(self, state: State) -> Iterator[Move]:
        """Return every legal move of this kind, each once."""

    def why_not(self, state: State, move: Any) -> str:
        """Return why a move of this kind is forbidden; empty if it is legal."""

    def play(self, transition: Transition, move: Any) -> None:
        """Do what a legal move says, without what follows from it by itself."""


class Duty(Protocol):
    """What a phase asks for; ``asks`` is the end of a sentence that refuses other moves."""

    asks: str

    def prompt(self, state: State) -> str:
        """Return the sentence that asks for a move."""


class WordStep(Step, Protocol):
    """A step that begins with words of its own."""

    def words(self, state: State) -> Words:
        """Return the words with which such a move may begin."""


class PieceStep(Step, Protocol):
    """A step of one of the mover's pieces on the board, which is chosen first."""

    def described(self, state: State, piece: Piece) -> str:
        """Return what a piece can do, as in ``attack oM1``; empty if it cannot."""

    def next_words(self, state: State, piece: Piece) -> Words:
        """Return the words that may come after a piece."""


@dataclass(frozen=True)
class Phase:
    """A phase by its steps, in the order in which their moves are listed: first the words.

    ``duty`` is what is asked for; ``others`` refuses some moves of other kinds with sentences of
    its own.
    """

    duty: Duty
    words: tuple[WordStep, ...]
    pieces: tuple[PieceStep, ...] = ()
    others: Mapping[type, str] = field(default_factory=dict)

    @property
    def steps(self) -> tuple[Step, ...]:
        """All steps."""
        return (*self.words, *self.pieces)

    def moves(self, state: State) -> Iterator[Move]:
        """Return every legal move, each once."""
        return chain.from_iterable(step.moves(state) for step in self.steps)

    def refusal(self, state: State, move: Move) -> str:
        """Return why a move is forbidden; empty if it is legal."""
        for step in self.steps:
            if isinstance(move, step.kind):
                return step.why_not(state, move)
        return self.others.get(type(move), self.duty.asks)

    def play(self, transition: Transition, move: Move) -> None:
        """Do what a legal move says."""
        next(step for step in self.steps if isinstance(move, step.kind)).play(transition, move)

    def options(self, state: State, typed: str) -> Options:
        """Return how a text may go on to a legal move; neither complete nor next if it is none."""
        prompt = self.duty.prompt(state)
        is_legal = self._is_legal(state, typed)
        found = follow(self._words(state), typed, prompt, is_complete=is_legal)
        return replace(found, requirements=requirements(state))

    def _words(self, state: State) -> Words:
        """Yield first words: those of steps, then pieces; a verb before a piece may be typed."""
        for step in self.words:
            yield from step.words(state)
        yield from _pieces(state, self.pieces, "")
        for piece_step in self.pieces:
            verb = f"{piece_step.kind.verb} "
            more = partial(_pieces, state, [piece_step])
            yield Word(verb, "", more=more, prompt="Which piece?", is_offered=False)

    def _is_legal(self, state: State, typed: str) -> bool:
        try:
            return not self.refusal(state, parse(typed))
        except MalformedMove:
            return False


def _pieces(state: State, steps: Sequence[PieceStep], _typed: str) -> Words:
    """Yield the mover's pieces that can do something, each with all that it can."""
    for piece in state.pieces_of(state.turn) if steps else ():
        if able := [told for step in steps if (told := step.described(state, piece))]:
            square = state.squares[piece]
            carried = state.carried(piece)
            load = f", carrying {listed(carried)}" if carried else ""
            yield Word(
                f"{piece} ",
                f"{piece} on {square}{load}: {' or '.join(able)}",
                piece_marks(state, piece),
                partial(_next_words, state, steps, piece),
                f"{piece} can {' or '.join(able)}.",
                partial(_show, state, piece),
            )


def _next_words(state: State, steps: Sequence[PieceStep], piece: Piece, _typed: str) -> Words:
    return chain.from_iterable(step.next_words(state, piece) for step in steps)


def _show(state: State, piece: Piece) -> EntryView:
    targets = state.targets(piece) if state.weapons else ()
    return entry_view(state, Selection(piece, state.squares[piece], tuple(targets)))


def requirements(state: State) -> tuple[Requirement, ...]:
    """Return what the turn asks of its seat; nothing of who answers an attack."""
    if state.attack:
        return ()
    more = ", or place one more" if any(state.stock[state.turn]) else ""
    return (
        Requirement("Place a piece", is_done=state.phase != PLACE),
        Requirement(f"Move a piece{more}", is_done=state.phase == FREE),
    )
