"""Base classes for the phases: steps with words, and steps of a piece that is chosen first.

Attacks, for example, are a step of three phases.
"""

from abc import abstractmethod
from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any, ClassVar

from games.kernel.entry import Word, Words
from games.kernel.language import gettext, ngettext
from games.kernel.options import Options, Requirement
from games.kernel.phase import Phase, Step
from games.titles.simple_life_or_death import moves
from games.titles.simple_life_or_death.components import Piece, Role
from games.titles.simple_life_or_death.entry import (
    EntryView,
    Selection,
    entry_view,
    on_its_square,
    piece_marks,
)
from games.titles.simple_life_or_death.moves import Attack, Go, Move
from games.titles.simple_life_or_death.state import FREE, PLACE, State
from games.titles.simple_life_or_death.transition import Transition


class Duty(Step[State, Transition]):
    """A step that a phase asks for.

    ``asks`` is the end of a sentence that refuses other moves, marked by ``gettext_noop``.
    """

    asks: ClassVar[str]

    @abstractmethod
    def prompt(self, state: State) -> str:
        """Return the sentence that asks for a move."""


def with_attacks(state: State, question: str) -> str:
    """Add to a duty's question that the player may attack first, if an attack is possible."""
    if not (state.weapons and state.has_targets):
        return question
    first = gettext("You may attack first.")
    return f"{question} {first}"


class PieceStep(Step[State, Transition]):
    """A step of one of the mover's pieces on the board, which is chosen first."""

    kind: ClassVar[type[Any]]

    @abstractmethod
    def is_able(self, state: State, piece: Piece) -> bool:
        """Whether a piece can make a move of this kind."""

    @abstractmethod
    def prompt_for(self, state: State, piece: Piece) -> str:
        """Return the question about the action of such a piece."""

    @abstractmethod
    def next_words(self, state: State, piece: Piece) -> Words:
        """Return the words that may come after a piece."""


class TurnPhase(Phase[State, Transition]):
    """A phase with its question and its steps, in the order in which their moves are listed.

    ``others`` refuses some moves of other kinds with sentences of its own, marked by
    ``gettext_noop``.
    """

    parse = staticmethod(moves.parse)

    def __init__(
        self,
        name: str,
        duty: Duty,
        words: Sequence[Step[State, Transition]],
        pieces: Sequence[PieceStep] = (),
        others: Mapping[type, str] | None = None,
    ) -> None:
        self.name = name
        self.asks = duty.asks
        self.steps = (*words, *pieces)
        self._duty = duty
        self._pieces = pieces
        self._others = others or {}

    def refusal(self, state: State, move: Move) -> str:
        if reason := self._others.get(type(move)):
            return gettext(reason)
        return super().refusal(state, move)

    def settle(self, transition: Transition) -> bool:
        """Eliminate seats, and end the turn or the match if that ends it."""
        if not transition.state.pending:
            transition.finalize()
        return False

    def prompt(self, state: State) -> str:
        return self._duty.prompt(state)

    def options(self, state: State, typed: str) -> Options:
        return replace(super().options(state, typed), requirements=requirements(state))

    def words(self, state: State) -> Words:
        """Yield first words: those of steps, then pieces. A verb before a piece may be typed."""
        yield from super().words(state)
        yield from _pieces(state, self._pieces, "")
        for piece_step in self._pieces:
            verb = f"{piece_step.kind.verb} "
            more = partial(_pieces, state, [piece_step])
            yield Word(verb, more=more, prompt=gettext("Choose a piece."), is_offered=False)


def _pieces(state: State, steps: Sequence[PieceStep], _typed: str) -> Words:
    """Yield the mover's pieces that can act, each with all its actions."""
    for piece in state.pieces_of(state.turn) if steps else ():
        if able := [step for step in steps if step.is_able(state, piece)]:
            yield Word(
                f"{piece} ",
                _label(state, piece, {step.kind for step in able}),
                piece_marks(state, piece),
                partial(_next_words, state, steps, piece),
                " ".join(step.prompt_for(state, piece) for step in able),
                show=partial(_show, state, piece),
            )


def _label(state: State, piece: Piece, kinds: Container[type]) -> str:
    """Return a piece with what it carries, and the kinds of moves that it can make."""
    count = len(state.carried(piece))
    if Go in kinds and Attack in kinds:
        message = gettext("Move {piece}, or attack with it")
        with_load = ngettext(
            "Move {piece}, carrying {count} piece, or attack with it",
            "Move {piece}, carrying {count} pieces, or attack with it",
            count,
        )
    elif Go in kinds:
        message = gettext("Move {piece}")
        with_load = ngettext(
            "Move {piece}, carrying {count} piece", "Move {piece}, carrying {count} pieces", count
        )
    else:
        message = gettext("Attack with {piece}")
        with_load = ngettext(
            "Attack with {piece}, carrying {count} piece",
            "Attack with {piece}, carrying {count} pieces",
            count,
        )
    role = Role.OBJECT if Go in kinds else Role.AFTER
    named = on_its_square(state, piece, role)
    return (with_load if count else message).format(piece=named, count=count)


def _next_words(state: State, steps: Sequence[PieceStep], piece: Piece, _typed: str) -> Words:
    return chain.from_iterable(step.next_words(state, piece) for step in steps)


def _show(state: State, piece: Piece) -> EntryView:
    targets = state.targets(piece) if state.weapons else ()
    return entry_view(state, Selection(piece, state.squares[piece], tuple(targets)))


def requirements(state: State) -> tuple[Requirement, ...]:
    """Return the duties of the turn. Empty while an answer to an attack is pending."""
    if state.attack:
        return ()
    has_stock = any(state.stock[state.turn])
    second = gettext("Move or place one more") if has_stock else gettext("Move a piece")
    return (
        Requirement(gettext("Place a piece"), is_done=state.phase != PLACE),
        Requirement(second, is_done=state.phase == FREE),
    )
