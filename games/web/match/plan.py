"""The page on which a player plans moves, each on the board of the position foreseen for it."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from django.urls import reverse

from games.kernel.contract import Seat
from games.kernel.errors import GameError
from games.matches.listing import read_snapshot
from games.matches.plans import planning
from games.matches.play import move_input
from games.matches.selectors import MatchSnapshot
from games.matches.view.match_view import MatchView
from games.web.match.entered import EnteredMove, enter
from games.web.match.entry import Typed


@dataclass(frozen=True)
class PlanPage:
    """A match as it is foreseen after the ``planned`` moves, with one more being entered.

    ``phrases`` are those moves in words.
    """

    view: MatchView
    user: Any
    typed: Typed
    planned: tuple[str, ...]
    phrases: tuple[str, ...]
    refusal: GameError | None = None

    @classmethod
    def read(
        cls, match_id: int, user: Any, typed: Typed, refusal: GameError | None = None
    ) -> "PlanPage":
        """Read everything that the page shows.

        :raises NoSuchMatch: there is no such match.
        :raises Refused: the user has no seat in it, is to move already, or nothing can be foreseen.
        :raises RulesError: a planned move is not legal in the position foreseen for it.
        """
        snapshot = read_snapshot(match_id)
        seat = snapshot.seat_for(user)
        planning.check_waits(snapshot, seat)
        move_input.check(typed.moves)
        foreseen = planning.next_turn(snapshot, seat, typed.moves)
        # without the log, as the current position reveals what its newest entry hides
        view = MatchView(foreseen, seat, ())
        entering = replace(typed, moves=())
        return cls(view, user, entering, typed.moves, foreseen.phrases, refusal)

    @property
    def path(self) -> str:
        """The path of the page."""
        return reverse("match-plan", args=[self.view.match.pk])

    @cached_property
    def entered(self) -> EnteredMove:
        """The next move as far as it has been entered, and the board with it."""
        view = self.view
        return EnteredMove(
            view.snapshot,
            view.viewer,
            self.typed,
            self.path,
            lambda: view.drawing,
            self.refusal,
            self._enter,
        )

    def _enter(self, snapshot: MatchSnapshot, seat: Seat, typed: Typed) -> move_input.MoveInput:
        entered = enter(snapshot, seat, typed)
        goes_on = entered.preview is not None and planning.goes_on(snapshot, seat, entered.preview)
        return replace(entered, moves=self.planned, phrases=self.phrases, goes_on=goes_on)
