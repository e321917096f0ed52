"""What the phases of a turn have in common."""

from abc import abstractmethod
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

from games.kernel.contract import Seat
from games.kernel.entry import Word, Words
from games.kernel.phase import Phase, Step
from games.titles.dice_is_health import events, moves
from games.titles.dice_is_health.moves import Done
from games.titles.dice_is_health.state import TWO, State
from games.titles.dice_is_health.transition import Transition

HAVE_FOUGHT = "those two have fought this turn already."


class TurnStep(Step[State, Transition]):
    """A kind of move of which a phase offers a few, each entered as a whole."""

    @abstractmethod
    def label(self, state: State, move: Any) -> tuple[str, str]:
        """Return a move in words, and its mark."""

    def forecast(self, state: State, move: Any) -> str:
        """Return what is known of a move before it is played; empty where there is nothing."""
        return ""

    def words(self, state: State) -> Words:
        """Yield the moves."""
        for move in self.moves(state):
            label, mark = self.label(state, move)
            yield Word(str(move), label, (mark,), forecast=self.forecast(state, move))


class Declining(Step[State, Transition]):
    """Having enough of what a phase offers; ``proceed`` does what comes next."""

    kind = Done

    def __init__(self, phase: str, label: str, proceed: Callable[[Transition], None]) -> None:
        self.phase = phase
        self.label = label
        self.proceed = proceed

    def moves(self, state: State) -> Iterable[Done]:
        """Return the one move."""
        return (Done(),)

    def play(self, transition: Transition, move: Done) -> None:
        """Go on."""
        transition.emit(events.Declined(transition.state.turn, self.phase))
        self.proceed(transition)

    def words(self, state: State) -> Words:
        """Yield the one word."""
        yield Word(str(Done()), self.label)


class TurnPhase(Phase[State, Transition]):
    """A phase of a turn. Where there are fewer than two moves, nobody is asked."""

    parse = staticmethod(moves.parse)

    def moves(self, state: State) -> Iterable[Any]:
        """Return the moves in the order of their texts."""
        return sorted(super().moves(state), key=str)

    @abstractmethod
    def leave(self, transition: Transition) -> None:
        """Go on where there is nothing, or only one thing, to choose."""

    def settle(self, transition: Transition) -> bool:
        """Go on where there are fewer than two moves."""
        if len(list(islice(super().moves(transition.state), TWO))) == TWO:
            return False
        self.leave(transition)
        return True

    def void(self, transition: Transition, seat: Seat) -> None:
        """Void what waits for a seat other than the mover that has just dropped out."""
