"""The actions on a match's page besides moves: offers, pauses, take-backs, resigning."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django_stubs_ext import StrOrPromise
from msgspec import Struct

from games.kernel.contract import Seat
from games.kernel.formatting import listed
from games.kernel.language import gettext, gettext_noop
from games.matches import formatting, pauses
from games.matches.clocks import time_given
from games.matches.log import log_entries
from games.matches.log.lines import headline, offer_messages
from games.matches.models import LogEntry
from games.matches.pauses import Reason
from games.matches.play.offers import agreed_by
from games.matches.table import Participant
from games.matches.view.match_view import MatchView


@dataclass(frozen=True, eq=False)
class Question:
    """An action to confirm. All are constants, so that identity is equality.

    ``address`` is the name of its URL, ``text`` the question, ``label`` that of the button.
    """

    address: str
    text: StrOrPromise
    label: StrOrPromise
    look: str = "btn-danger"


DRAW = Question(
    "match-offer", _("Offer a draw? It ends the match if accepted."), _("Offer a draw"), "btn-main"
)
CLOSE = Question(
    "match-offer",
    _("Offer to end the match here? It ends if all remaining players agree."),
    _("Offer to end it"),
    "btn-main",
)
LOSE = Question("match-resign", _("Resign? You lose the match."), _("Resign"))
LEAVE = Question(
    "match-resign", _("Resign? You leave the match, and the others play on."), _("Resign")
)
CANCEL = Question(
    "match-cancel", _("Cancel the match? It will have no result."), _("Cancel the match")
)
PAUSE = Question(
    "match-pause",
    _(
        "Offer a pause? If all agree, the clocks stop until one of you ends the pause, or for at"
        " most 30 days."
    ),
    _("Offer a pause"),
    "btn-main",
)
OFFER_TAKE_BACK = Question(
    "match-offer-take-back",
    _("Ask to take your last move back? If all agree, the moves after it are taken back, too."),
    _("Ask to take back"),
    "btn-main",
)
OFFER_CANCEL = Question(
    "match-offer-cancel",
    _("Offer to cancel the match? If all agree, it ends without a result."),
    _("Offer to cancel"),
    "btn-main",
)


BY_SEVERAL: Mapping[str, str] = {
    "pause": gettext_noop("{players} offer a pause."),
    "cancel": gettext_noop("{players} offer to cancel the match."),
    "take-back": gettext_noop("{players} ask to take back a move."),
}
"""What several players offer, by the text of its entry. Others are in the log."""

DRAW_BY_SEVERAL = gettext_noop("{players} offer a draw.")
END_BY_SEVERAL = gettext_noop("{players} offer to end the match here.")

TAKE_BACK_OF_MOVE = (
    gettext_noop("You ask to take back a move: {move}."),
    gettext_noop("{player} asks to take back a move: {move}."),
    gettext_noop("{players} ask to take back a move: {move}."),
)
"""Messages about an offer whose move is known: to its only maker, about one and about several."""


class ActionsRegion(Struct, frozen=True):
    """The region of actions. Empty for anyone who has left.

    ``question`` is the action to confirm now. ``gift_label`` is that of the button that gives the
    opponent time, empty without one. ``steady`` are the actions whose buttons are always there, by
    their names in addresses, and whether each is possible now. ``others`` appear when they are
    possible.
    """

    match_id: int
    is_in: bool
    question: Question | None
    may_take_back: bool
    gift_label: str
    steady: tuple[tuple[str, Question, bool], ...]
    others: tuple[tuple[str, Question], ...]


@dataclass(frozen=True)
class Actions:
    """A user's possible actions in a match besides moving.

    ``asked`` is the name of the action to confirm now, empty without one.
    """

    view: MatchView
    asked: str

    @cached_property
    def is_in(self) -> bool:
        """Whether the user still plays in a running match."""
        return self.view.match.is_running and self.view.own in self.view.table.seats_still_in()

    @cached_property
    def offerers(self) -> list[Participant]:
        """The players who have made or accepted the open offer."""
        running = self.view.match.is_running
        return [player for player in self.view.table.players if running and agreed_by(player)]

    @property
    def offered(self) -> str:
        """The offer and its makers: ``ada asks to take back a move: Male a1 → a2.``."""
        own, offer = self.view.own, next(map(agreed_by, self.offerers), "")
        others = [one.user.shown_name for one in self.offerers if one != own]
        move = self._offered_move if offer == "take-back" else ""
        of_two = self.view.of_two
        by_you, by_one = offer_messages(offer, of_two=of_two)
        by_several = BY_SEVERAL.get(offer, DRAW_BY_SEVERAL if of_two else END_BY_SEVERAL)
        if move:
            by_you, by_one, by_several = TAKE_BACK_OF_MOVE
        if own not in self.offerers and len(others) == 1:
            return gettext(by_one).format(player=others[0], move=move)
        if not others:
            return gettext(by_you).format(move=move)
        names = [gettext("You"), *others] if own in self.offerers else others
        return gettext(by_several).format(players=listed(names), move=move)

    @property
    def _offered_move(self) -> str:
        """The move that players offer to take back, in a few words."""
        view = self.view
        offers = (entry for entry in reversed(view.log) if entry.kind == LogEntry.Kind.OFFER)
        seat = next((entry.seat for entry in offers), None)
        if seat is None:
            return ""
        targets = log_entries.taken_back_by_agreement(view.table, view.log, Seat(seat))
        return headline(view.table, targets[-1], view.viewer) if targets else ""

    @cached_property
    def pause_end(self) -> datetime | None:
        """When the pause that the user has agreed to and can end is over. ``None`` without one."""
        now = timezone.now()
        stretches = pauses.of_player(self.view.own) if self.is_in and self.view.own else []
        agreed = (
            one.end for one in stretches if one.reason == Reason.AGREEMENT and one.goes_on(now)
        )
        return next(agreed, None)

    @property
    def gift_label(self) -> str:
        """The label of the button that gives the opponent time. Empty if it can't be given."""
        if not self.is_in or self.view.viewer is None or not self.view.match.time_control:
            return ""
        player = time_given.only_opponent(self.view.table.seats_still_in(), self.view.viewer)
        now = timezone.now()
        left = pauses.left(player, now) if player and player.clock_since else None
        gift = self.view.match.time_control.gift(left) if left is not None else None
        if not player or not gift:
            return ""
        text = gettext("Give {player} {time} more")
        return text.format(player=player.user.shown_name, time=formatting.span(gift))

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
        target = log_entries.can_take_back(self.view.table, self.view.log, self.view.viewer)
        return target is not None and self._has_take_backs_left(target)

    def _has_take_backs_left(self, target: LogEntry) -> bool:
        return log_entries.has_take_backs_left(self.view.table, self.view.log, target)

    @cached_property
    def questions(self) -> dict[str, Question]:
        """The actions that need confirming, by their names in addresses."""
        if not self.is_in:
            return {}
        offers = {} if self.offerers else self._offers
        if log_entries.may_cancel(self.view.table, self.view.log):
            offers["cancel"] = CANCEL
        return {**offers, "resign": LOSE if self.view.of_two else LEAVE}

    @property
    def _offers(self) -> dict[str, Question]:
        offers = {"offer": DRAW if self.view.of_two else CLOSE}
        if self.view.match.clock and self.pause_end is None:
            offers["pause"] = PAUSE
        # how many rated matches a player may cancel alone is limited
        if self.view.match.rated or not log_entries.may_cancel(self.view.table, self.view.log):
            offers["offer-cancel"] = OFFER_CANCEL
        seat = Seat(self.view.viewer or 0)
        targets = log_entries.taken_back_by_agreement(self.view.table, self.view.log, seat)
        if targets and self._has_take_backs_left(targets[-1]):
            offers["offer-take-back"] = OFFER_TAKE_BACK
        return offers

    @property
    def _steady(self) -> dict[str, Question]:
        """The actions whose buttons keep their places through the match."""
        end = DRAW if self.view.of_two else CLOSE
        pause = {"pause": PAUSE} if self.view.match.clock else {}
        return {"offer": end, **pause, "resign": LOSE if self.view.of_two else LEAVE}

    @property
    def region(self) -> ActionsRegion:
        steady = self._steady
        return ActionsRegion(
            self.view.match.pk,
            self.is_in,
            self.question,
            self.is_in and self.may_take_back,
            self.gift_label,
            tuple((name, one, name in self.questions) for name, one in steady.items()),
            tuple(item for item in self.questions.items() if item[0] not in steady),
        )

    @property
    def question(self) -> Question | None:
        """The action to confirm. ``None`` without one."""
        return self.questions.get(self.asked)
