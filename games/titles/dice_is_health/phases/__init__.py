"""Base classes for the phases of a turn."""

from abc import abstractmethod
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

from games.kernel.contract import Seat
from games.kernel.entry import Word, Words
from games.kernel.language import gettext, gettext_noop
from games.kernel.phase import Phase, Step
from games.titles.dice_is_health import events, moves
from games.titles.dice_is_health.moves import Done
from games.titles.dice_is_health.state import State
from games.titles.dice_is_health.transition import Transition

# Translators: a reason, after a colon.
HAVE_FOUGHT = gettext_noop("those two have fought this turn already.")


class TurnStep(Step[State, Transition]):
    """A kind of move with few choices in a phase, each entered as a whole."""

    @abstractmethod
    def label(self, state: State, move: Any) -> tuple[str, str]:
        """Return a move in words, and its mark."""

    def forecast(self, state: State, move: Any) -> str:
        """Return what is known of a move before it is played. Empty if nothing is."""
        return ""

    def words(self, state: State) -> Words:
        for move in self.moves(state):
            label, mark = self.label(state, move)
            yield Word(str(move), label, (mark,), forecast=self.forecast(state, move))


class DeclineStep(Step[State, Transition]):
    """Ends the phase early. ``proceed`` does what comes next."""

    kind = Done

    def __init__(self, phase: str, label: str, proceed: Callable[[Transition], None]) -> None:
        self.phase = phase
        self.label = label
        self.proceed = proceed

    def moves(self, state: State) -> Iterable[Done]:
        return (Done(),)

    def play(self, transition: Transition, move: Done) -> None:
        transition.emit(events.Declined(transition.state.turn, self.phase))
        self.proceed(transition)

    def words(self, state: State) -> Words:
        yield Word(str(Done()), gettext(self.label))


class TurnPhase(Phase[State, Transition]):
    """A phase of a turn. With fewer than two moves, nobody is asked."""

    parse = staticmethod(moves.parse)

    def moves(self, state: State) -> Iterable[Any]:
        return sorted(super().moves(state), key=str)

    @abstractmethod
    def leave(self, transition: Transition) -> None:
        """Continue if there is at most one choice."""

    def settle(self, transition: Transition) -> bool:
        """Continue if there are fewer than two moves."""
        if len(list(islice(super().moves(transition.state), 2))) > 1:
            return False
        self.leave(transition)
        return True

    def void(self, transition: Transition, seat: Seat) -> None:
        """Cancel what waits for a seat, not the mover, that has just dropped out."""
