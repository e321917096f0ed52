"""The page on which a player plans moves, each on the board of the position foreseen for it."""

from dataclasses import dataclass, replace
from typing import Any

from django.urls import reverse

from games.kernel.contract import Seat
from games.kernel.errors import GameError
from games.matches import move_input, planning
from games.matches.listing import read_snapshot
from games.matches.models import Player
from games.web.match.entry import Typed
from games.web.match.page import MatchPage


@dataclass(frozen=True)
class PlanPage(MatchPage):
    """A match as it is foreseen after the ``planned`` moves, with one more being entered.

    ``phrases`` are those moves in words.
    """

    planned: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()

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
        # Without the log: what its newest entry hides is told by the position as it is.
        entering = replace(typed, moves=())
        return cls(foreseen, seat, (), user, entering, refusal, typed.moves, foreseen.phrases)

    @property
    def path(self) -> str:
        """The path of the page."""
        return reverse("match-plan", args=[self.match.pk])

    @property
    def plays_at_once(self) -> bool:
        """Whether a whole move is kept without being confirmed: never."""
        return False

    @property
    def awaited(self) -> list[Player]:
        """The players for whom the match waits as it stands."""
        return [player for player in self.players if player.to_move]

    def _enter(self, seat: Seat, typed: Typed) -> move_input.MoveInput:
        entered = super()._enter(seat, typed)
        goes_on = entered.preview is not None and planning.goes_on(
            self.snapshot, seat, entered.preview
        )
        return replace(entered, moves=self.planned, phrases=self.phrases, goes_on=goes_on)
