"""What the page of a match offers a user beside moves: offers, pauses, take-backs, resigning."""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from django.utils import timezone
from msgspec import Struct

from games.kernel.contract import Seat
from games.matches import formatting
from games.matches.clocks import pauses, time_given
from games.matches.clocks.pauses import Reason
from games.matches.log import log_entries
from games.matches.log.lines import offering
from games.matches.models import LogEntry, Player
from games.matches.play.offers import agreed_by
from games.matches.view.match_view import MatchView


@dataclass(frozen=True)
class Question:
    """An action to confirm.

    ``address`` is the name of its URL, ``text`` the question, ``label`` that of the button.
    """

    address: str
    text: str
    label: str
    look: str = "btn-danger"


DRAW = Question(
    "match-offer", "Offer a draw? It ends the match if accepted.", "Offer a draw", "btn-main"
)
CLOSE = Question(
    "match-offer",
    "Offer to end the match here? It ends if all who still play agree.",
    "Offer to end it",
    "btn-main",
)
LOSE = Question("match-resign", "Resign? You lose the match.", "Resign")
LEAVE = Question("match-resign", "Resign? You leave, and the others play on.", "Resign")
CANCEL = Question("match-cancel", "Cancel the match? It will have no result.", "Cancel the match")
PAUSE = Question(
    "match-pause",
    "Offer a pause? If all agree the clocks stand still, for 30 days at most, until one of you"
    " ends it.",
    "Offer a pause",
    "btn-main",
)
OFFER_TAKE_BACK = Question(
    "match-offer-take-back",
    "Ask to take your last move back? What was moved since is taken back too, if all agree.",
    "Ask to take back",
    "btn-main",
)
OFFER_CANCEL = Question(
    "match-offer-cancel",
    "Offer to cancel the match? If all agree it ends without a result.",
    "Offer to cancel",
    "btn-main",
)


class ActionsRegion(Struct, frozen=True):
    """What the region of actions shows; nothing for who is not ``is_in`` the match any more.

    ``question`` is the action to confirm now; ``gift_label`` is that of the button which gives the
    opponent time, empty without one. ``questions`` are the actions that need confirming, by their
    names in addresses.
    """

    match_id: int
    is_in: bool
    question: Question | None
    may_take_back: bool
    gift_label: str
    questions: tuple[tuple[str, Question], ...]


@dataclass(frozen=True)
class Actions:
    """What a user can do in a match beside moving.

    ``asked`` is the name of the action to confirm now, empty without one.
    """

    view: MatchView
    asked: str

    @cached_property
    def is_in(self) -> bool:
        """Whether the user still plays in a running match."""
        return self.view.match.is_running and self.view.own in self.view.snapshot.seats_still_in()

    @cached_property
    def offerers(self) -> list[Player]:
        """The players who have made the open offer, or agree to it."""
        running = self.view.match.is_running
        return [player for player in self.view.snapshot.players if running and agreed_by(player)]

    @property
    def offered(self) -> str:
        """What is offered, after who does: ``offers a draw``, ``offer a pause``."""
        offer = next(map(agreed_by, self.offerers), "")
        verb, what = offering(offer, of_two=self.view.of_two)
        return f"{verb} {what}" if len(self.offerers) > 1 else f"{verb}s {what}"

    @cached_property
    def pause_end(self) -> datetime | None:
        """When the pause ends that the user has agreed to and can end; ``None`` without one."""
        now = timezone.now()
        stretches = pauses.of_player(self.view.own) if self.is_in and self.view.own else []
        agreed = (
            one.end for one in stretches if one.reason == Reason.AGREEMENT and one.goes_on(now)
        )
        return next(agreed, None)

    @property
    def gift_label(self) -> str:
        """The label of the button that gives the opponent time; empty if nothing can be given."""
        if not self.is_in or self.view.viewer is None or not self.view.match.time_control:
            return ""
        player = time_given.only_opponent(self.view.snapshot, self.view.viewer)
        now = timezone.now()
        left = pauses.left(player, now) if player and player.clock_since else None
        gift = self.view.match.time_control.gift(left) if left is not None else None
        if not player or not gift:
            return ""
        return f"Give {player.user.shown_name} {formatting.span(gift)} more"

    @property
    def may_answer(self) -> bool:
        """Whether an open offer waits for the user's answer."""
        return self.is_in and bool(self.offerers) and self.view.own not in self.offerers

    @property
    def may_withdraw(self) -> bool:
        """Whether the user has an offer open."""
        return self.view.own in self.offerers

    @property
    def may_take_back(self) -> bool:
        """Whether the user's last move can be taken back at will."""
        if self.view.viewer is None:
            return False
        target = log_entries.can_take_back(self.view.snapshot, self.view.log, self.view.viewer)
        return target is not None and self._has_take_backs_left(target)

    def _has_take_backs_left(self, target: LogEntry) -> bool:
        return log_entries.has_take_backs_left(self.view.snapshot, self.view.log, target)

    @cached_property
    def questions(self) -> dict[str, Question]:
        """The actions that need confirming, by their names in addresses."""
        if not self.is_in:
            return {}
        offers = {} if self.offerers else self._offers
        if log_entries.may_cancel(self.view.snapshot, self.view.log):
            offers["cancel"] = CANCEL
        return {**offers, "resign": LOSE if self.view.of_two else LEAVE}

    @property
    def _offers(self) -> dict[str, Question]:
        """The offers that the user can make."""
        offers = {"offer": DRAW if self.view.of_two else CLOSE}
        if self.view.match.clock and self.pause_end is None:
            offers["pause"] = PAUSE
        # how many rated matches a player may cancel alone is limited
        if self.view.match.rated or not log_entries.may_cancel(self.view.snapshot, self.view.log):
            offers["offer-cancel"] = OFFER_CANCEL
        seat = Seat(self.view.viewer or 0)
        targets = log_entries.taken_back_by_agreement(self.view.snapshot, self.view.log, seat)
        if targets and self._has_take_backs_left(targets[-1]):
            offers["offer-take-back"] = OFFER_TAKE_BACK
        return offers

    @property
    def region(self) -> ActionsRegion:
        """What the region of actions shows."""
        return ActionsRegion(
            self.view.match.pk,
            self.is_in,
            self.question,
            self.is_in and self.may_take_back,
            self.gift_label,
            tuple(self.questions.items()),
        )

    @property
    def question(self) -> Question | None:
        """The action to confirm; ``None`` if there is none."""
        return self.questions.get(self.asked)
