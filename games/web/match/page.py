"""What the page of a match shows a user."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from django.utils import timezone
from django.utils.safestring import SafeString
from msgspec import Struct

from accounts import signup
from config.addresses import path_of
from games.bots import queue_length
from games.bots import services as bots
from games.bots.levels import Level
from games.kernel.contract import AnswerPolicy, Seat
from games.kernel.errors import GameError
from games.kernel.options import Choice
from games.lobby import commitments
from games.lobby.commitments import PendingSecret
from games.matches import formatting, listing
from games.matches.clocks import pauses, time_given
from games.matches.clocks.pauses import Reason
from games.matches.listing import read_snapshot
from games.matches.log import log_entries
from games.matches.log.log_entries import MIN_RECENT
from games.matches.log_lines import offering
from games.matches.models import LogEntry, Player
from games.matches.play import move_input
from games.matches.play.offers import agreed_by
from games.matches.view.match_view import MatchView
from games.matches.view.parts import LogTurn
from games.ratings.selectors import Effect, effect_of
from games.web.match.entered import EnteredMove
from games.web.match.entry import EntryPanel, Typed
from games.web.match.private import PrivatePanel
from games.web.match.rematch import Rematch, RematchDice, rematch_dice, rematch_of
from games.web.rules import page as rules
from games.web.rules.page import anchor


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


class Actions(Struct, frozen=True):
    """What a user can do beside moving; nothing for who is not ``is_in`` the match any more.

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
class MatchPage:
    """A match as it stands, with what the user has entered, and why the last action was refused.

    ``user`` may be anonymous. ``queue_is_long`` says whether bots may need longer than usual;
    ``None`` if nobody has looked.
    """

    view: MatchView
    user: Any
    typed: Typed
    refusal: GameError | None = None
    queue_is_long: bool | None = None

    @classmethod
    def read(
        cls, match_id: int, user: Any, typed: Typed, refusal: GameError | None = None
    ) -> "MatchPage":
        """Read everything that the page shows.

        :raises NoSuchMatch: there is no such match.
        """
        snapshot = read_snapshot(match_id)
        log = log_entries.recent(snapshot.match)
        return cls(MatchView(snapshot, snapshot.seat_of(user), log), user, typed, refusal)

    @cached_property
    def turns(self) -> Sequence[LogTurn]:
        """The latest entries of the log by turns, the newest first."""
        return self.view.turns_of(self.view.log[-MIN_RECENT:])

    @property
    def has_more_lines(self) -> bool:
        """Whether there are entries before the latest."""
        return self.view.match.version > MIN_RECENT

    @property
    def my_turn(self) -> bool:
        """Whether the match waits for the user."""
        return self.view.viewer is not None and self.view.viewer in self.view.snapshot.actors

    @cached_property
    def is_newcomer(self) -> bool:
        """Whether the user plays here, and has never moved in a match of this game."""
        own = self.view.own
        if own is None or own.version or not self.view.match.is_running:
            return False
        return not listing.has_moved(own.user, self.view.meta.slug)

    @property
    def introduction(self) -> Mapping[str, SafeString]:
        """The rules in brief and the pictures for somebody new to the game."""
        slug = self.view.meta.slug
        return {"brief": rules.brief(slug), "pictures": rules.pictures(slug)}

    @property
    def pair(self) -> Sequence[str]:
        """The names of two players who can be compared, the reader first; else empty."""
        view = self.view
        users = [one.user for one in sorted(view.players, key=lambda one: one != view.own)]
        are_known = all(user.is_active and not user.is_guest for user in users)
        return [user.username for user in users] if view.of_two and are_known else []

    @property
    def brief_section(self) -> str:
        """The anchor in the rules in brief of what the position is about; empty for the top."""
        return anchor(self.view.snapshot.title.brief_section(self.view.position))

    # --- Move entry -----------------------------------------------------------------------------

    @cached_property
    def entered(self) -> EnteredMove:
        """The move as far as it has been entered, and the board with it."""
        view = self.view
        return EnteredMove(
            view.snapshot,
            view.viewer if self.my_turn else None,
            self.typed,
            view.address,
            lambda: view.drawing,
            self.refusal,
        )

    @property
    def plays_at_once(self) -> bool:
        """Whether the user plays moves without confirming them."""
        return self.user.is_authenticated and not self.user.confirm_moves

    @property
    def entry_method(self) -> str:
        """The HTTP method of the next word: ``post`` where a whole move is played at once."""
        return "post" if self.plays_at_once else "get"

    @property
    def entry_action(self) -> str:
        """The address to which the next word is sent."""
        pk = self.view.match.pk
        return path_of("match-move", pk) if self.plays_at_once else self.view.address

    @property
    def entry_button(self) -> str:
        """The label of the button after a word."""
        return "Play" if self.plays_at_once else "Preview"

    @cached_property
    def answers(self) -> list[Choice]:
        """The moves that take one click: the only move there is, or the answers to a question.

        Answers follow the preference to confirm moves: a card that is played can't be taken back.
        Empty if a move needs more words.
        """
        panel = self.entered.panel
        if panel is None or panel.entry.moves or self.typed.words:
            return []
        asks = self.view.pending_question and self.plays_at_once
        if not asks and not self._is_forced(panel):
            return []
        choices = [option for option in panel.entry.offered if isinstance(option, Choice)]
        if not all(self._is_whole(panel, choice) for choice in choices):
            return []
        if self._is_forced(panel):
            return [replace(choice, label=self._phrase(panel, choice)) for choice in choices]
        return choices

    @property
    def forced_orders(self) -> Mapping[str, AnswerPolicy]:
        """The standing orders that would make the only move there is; empty if one is given."""
        panel = self.entered.panel
        private = self.private
        if panel is None or private is None or private.order or not private.is_forced:
            return {}
        return private.orders if self._is_forced(panel) else {}

    def _is_forced(self, panel: EntryPanel) -> bool:
        return len(panel.entry.offered) == 1 and not self.typed.words

    def _is_whole(self, panel: EntryPanel, choice: Choice) -> bool:
        return move_input.options(self.view.snapshot, panel.seat, choice.text).complete

    def _phrase(self, panel: EntryPanel, choice: Choice) -> str:
        title, seat = self.view.snapshot.title, panel.seat
        return title.phrase(title.parse(choice.text), panel.entry.standing, seat, seat)

    @cached_property
    def private(self) -> PrivatePanel | None:
        """The user's plan and standing order; ``None`` for spectators and former players."""
        view = self.view
        if not self.is_in or view.viewer is None:
            return None
        typed = (self.typed.queue, self.typed.line) if self.refusal else ("", "")
        return PrivatePanel(view.snapshot, view.viewer, *typed)

    # --- Other actions ----------------------------------------------------------------------------

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

    @property
    def may_end_pause(self) -> bool:
        """Whether the match is paused by agreement, and the user can let the clocks run on."""
        return self.pause_end is not None

    @cached_property
    def pause_end(self) -> datetime | None:
        """When the pause by agreement ends if nobody ends it before; ``None`` without one."""
        now = timezone.now()
        found = pauses.of_player(self.view.own) if self.is_in and self.view.own else []
        agreed = (one.end for one in found if one.reason == Reason.AGREEMENT and one.goes_on(now))
        return next(agreed, None)

    @property
    def gift_label(self) -> str:
        """What the button says that gives it."""
        return f"Give {self.time_gift} more"

    @cached_property
    def time_gift(self) -> str:
        """What the user can give the opponent: ``bruno 1 day``; empty if nothing."""
        if not self.is_in or self.view.viewer is None or not self.view.match.time_control:
            return ""
        player = time_given.only_opponent(self.view.snapshot, self.view.viewer)
        now = timezone.now()
        left = pauses.left(player, now) if player and player.clock_since else None
        gift = self.view.match.time_control.gift(left) if left is not None else None
        return f"{player.user.shown_name} {formatting.span(gift)}" if player and gift else ""

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

    @property
    def may_rematch(self) -> bool:
        """Whether the user can ask for a rematch, or go to it if it has begun.

        Nobody asks players who have no account any more.
        """
        if self.view.match.is_running or self.view.own is None:
            return False
        are_here = all(player.user.is_active for player in self.view.players)
        return are_here or self.rematch.match_id is not None

    @cached_property
    def rematch(self) -> Rematch:
        """How the rematch of the ended match stands."""
        return rematch_of(self.view.match, self.user)

    @cached_property
    def rematch_dice(self) -> RematchDice | None:
        """The dice of the rematch; ``None`` without chance."""
        return rematch_dice(self.view.match, self.user) if self.view.meta.has_chance else None

    @cached_property
    def rating_effect(self) -> Effect | None:
        """What the ended match did to ratings; ``None`` if it isn't rated."""
        return effect_of(self.view.match)

    @property
    def next_level(self) -> Level | None:
        """The level to play at next, as of :func:`games.bots.services.next_level`."""
        own = self.view.own
        return bots.next_level(own, self.view.others) if own and self.may_rematch else None

    @cached_property
    def next_level_dice(self) -> PendingSecret | None:
        """The dice of the match at the next level; ``None`` without chance."""
        return commitments.make(self.user) if self.view.meta.has_chance else None

    @property
    def is_queue_long(self) -> bool:
        """Whether the bots that the match waits for may need longer than usual."""
        return queue_length.is_long() if self.queue_is_long is None else self.queue_is_long

    @property
    def awaited_address(self) -> str:
        """The address that the user still has to confirm; empty if there is none."""
        return signup.known_awaited_address(self.user)

    @property
    def has_next(self) -> bool:
        """Whether another match waits for the user."""
        own = self.view.own
        return listing.count_waiting(self.user) > (own is not None and own.to_move)

    @cached_property
    def questions(self) -> dict[str, Question]:
        """The actions that need confirming, by their names in addresses."""
        if not self.is_in:
            return {}
        found = {} if self.offerers else self._offers
        if log_entries.may_cancel(self.view.snapshot, self.view.log):
            found["cancel"] = CANCEL
        return {**found, "resign": LOSE if self.view.of_two else LEAVE}

    @property
    def _offers(self) -> dict[str, Question]:
        """The offers that the user can make."""
        found = {"offer": DRAW if self.view.of_two else CLOSE}
        if self.view.match.clock and not self.may_end_pause:
            found["pause"] = PAUSE
        if not log_entries.may_cancel(self.view.snapshot, self.view.log):
            found["offer-cancel"] = OFFER_CANCEL
        seat = Seat(self.view.viewer or 0)
        targets = log_entries.taken_back_by_agreement(self.view.snapshot, self.view.log, seat)
        if targets and self._has_take_backs_left(targets[-1]):
            found["offer-take-back"] = OFFER_TAKE_BACK
        return found

    @property
    def actions(self) -> Actions:
        """What the user can do beside moving."""
        return Actions(
            self.view.match.pk,
            self.is_in,
            self.question,
            self.is_in and self.may_take_back,
            self.gift_label if self.time_gift else "",
            tuple(self.questions.items()),
        )

    @property
    def question(self) -> Question | None:
        """The action to confirm; ``None`` if there is none."""
        return self.questions.get(self.typed.asked)
