"""Phases: what a turn asks for at one time, made of steps, one for each kind of move.

A step holds everything about one kind of move: the legal moves, why others are refused, what a
move does and the words to enter it. A phase holds steps and the question. :class:`Phases` plays a
move by the phase of the state, and then settles what follows automatically.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from games.kernel.completion import folded, no_move_begins_with
from games.kernel.contract import Meta, Ranks, Seat
from games.kernel.entry import Words, follow
from games.kernel.errors import IllegalMove, MalformedMove
from games.kernel.language import gettext
from games.kernel.options import Options
from games.kernel.preconditions import check_mover
from games.kernel.transition import Transition


class PhasedState(Protocol):
    @property
    def phase(self) -> str: ...

    @property
    def mover(self) -> Seat: ...

    @property
    def ranks(self) -> Ranks | None:
        """The result by seat, or ``None`` while the match runs."""


S = TypeVar("S", bound=PhasedState)
T = TypeVar("T", bound=Transition[Any])

NOTHING = Options(complete=False, next=())
"""Options if no legal move begins with the typed text."""


class Step(ABC, Generic[S, T]):
    """One kind of move; ``kind`` is the class of its moves."""

    kind: ClassVar[type]

    @abstractmethod
    def moves(self, state: S) -> Iterable[Any]:
        """Return every legal move of this kind, each once, lazily if many."""

    def refusal(self, state: S, move: Any) -> str:
        """Return why a move of this kind is forbidden. Empty if it is legal."""
        return ""

    @abstractmethod
    def play(self, transition: T, move: Any) -> None:
        """Do what a legal move says, without what follows automatically."""

    def words(self, state: S) -> Words:
        """Return the words with which such a move may begin."""
        return ()


class Phase(ABC, Generic[S, T]):
    """What a state waits for, and the steps that may be taken.

    ``asks`` is the end of a sentence that refuses moves of all other kinds, marked by
    ``gettext_noop``. ``parse`` reads the moves of the game.
    """

    name: str
    steps: Sequence[Step[S, T]]
    asks: str
    parse: Callable[[str], Any]

    @cached_property
    def _by_kind(self) -> Mapping[type, Step[S, T]]:
        return {step.kind: step for step in self.steps}

    def moves(self, state: S) -> Iterable[Any]:
        return chain.from_iterable(step.moves(state) for step in self.steps)

    def refusal(self, state: S, move: Any) -> str:
        """Return why a move is forbidden. Empty if it is legal."""
        step = self._by_kind.get(type(move))
        return step.refusal(state, move) if step else gettext(self.asks)

    def play(self, transition: T, move: Any) -> None:
        self._by_kind[type(move)].play(transition, move)

    def prompt(self, state: S) -> str:
        return ""

    def words(self, state: S) -> Words:
        return chain.from_iterable(step.words(state) for step in self.steps)

    def options(self, state: S, typed: str) -> Options:
        """Return how a text may continue to a legal move. Empty if it can't."""
        is_complete = self._is_legal(state, typed)
        return follow(self.words(state), typed, self.prompt(state), is_complete=is_complete)

    def _is_legal(self, state: S, text: str) -> bool:
        try:
            return not self.refusal(state, self.parse(text))
        except MalformedMove:
            return False

    def settle(self, transition: T) -> bool:
        """Continue if nobody has a choice, and return whether that is so."""
        return False


class Phases(Generic[S, T]):
    """The phases of a game, by the name that its states have."""

    def __init__(self, meta: Meta, phases: Iterable[Phase[S, T]]) -> None:
        self._meta = meta
        self._phases = {phase.name: phase for phase in phases}

    def __getitem__(self, name: str) -> Phase[S, T]:
        return self._phases[name]

    def moves(self, state: S, seat: Seat) -> Iterable[Any]:
        """Return every legal move of a seat. Empty if it isn't to move."""
        is_asked = seat == state.mover and not state.ranks
        return self._phases[state.phase].moves(state) if is_asked else ()

    def options(self, state: S, seat: Seat, typed: str) -> Options:
        """:raises MalformedMove: no legal move begins with the text."""
        is_asked = seat == state.mover and not state.ranks
        options = self._phases[state.phase].options(state, typed) if is_asked else NOTHING
        if folded(typed) and not options.complete and not options.next:
            raise no_move_begins_with(typed)
        return options

    def play(self, transition: T, seat: Seat, move: Any) -> None:
        """Make a move, and settle what follows from it.

        :raises RulesError: the seat may not do that, or not now.
        """
        state = transition.state
        check_mover(move, seat, mover=state.mover, ranks=state.ranks, meta=self._meta)
        phase = self._phases[state.phase]
        if refusal := phase.refusal(state, move):
            raise IllegalMove(refusal, str(move))
        phase.play(transition, move)
        self.settle(transition)

    def settle(self, transition: T) -> None:
        """Continue until somebody has a choice, or the match has ended."""
        while not (state := transition.state).ranks:
            if not self._phases[state.phase].settle(transition):
                return
