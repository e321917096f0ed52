"""What the page of a match shows a user."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any
from uuid import UUID, uuid4

from django.urls import reverse
from django.utils import timezone

from games.bots import queue_length
from games.bots import services as bots
from games.bots.levels import Level
from games.kernel import svg
from games.kernel.contract import Seat
from games.kernel.errors import GameError
from games.kernel.options import Choice
from games.lobby import commitments
from games.lobby.commitments import PendingSecret
from games.matches import (
    formatting,
    listing,
    log_entries,
    move_input,
    pauses,
    presentation,
    time_given,
)
from games.matches.listing import read_snapshot
from games.matches.log_entries import LATEST
from games.matches.log_lines import Line, offering
from games.matches.models import LogEntry, Player
from games.matches.offers import agreed_by
from games.matches.pauses import Reason
from games.web.match.board import BoardPage
from games.web.match.entry import NOTHING_TYPED, EntryPanel, Typed, address
from games.web.match.private import PrivatePanel
from games.web.match.rematch import Rematch, RematchDice, rematch_dice, rematch_of
from games.web.rules.page import anchor

FEW_DOTS = 12
"""So many dots never cover a board."""


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


@dataclass(frozen=True)
class MatchPage(BoardPage):
    """A match as it stands, with what the user has entered, and why the last action was refused."""

    typed: Typed
    refusal: GameError | None = None

    @classmethod
    def read(
        cls, match_id: int, user: Any, typed: Typed, refusal: GameError | None = None
    ) -> "MatchPage":
        """Read everything that the page shows.

        :raises NoSuchMatch: there is no such match.
        """
        snapshot = read_snapshot(match_id)
        log = log_entries.recent(snapshot.match)
        return cls(snapshot, snapshot.seat_of(user), log, user, typed, refusal)

    @cached_property
    def lines(self) -> list[Line]:
        """The latest entries of the log in words."""
        return self.lines_of(self.log[-LATEST:])

    @property
    def has_more_lines(self) -> bool:
        """Whether there are entries before the latest."""
        return self.match.version > LATEST

    @property
    def my_turn(self) -> bool:
        """Whether the match waits for the user."""
        return self.viewer is not None and self.viewer in self.snapshot.actors

    @property
    def pair(self) -> Sequence[str]:
        """The names of two players who can be compared, the reader first; else empty."""
        users = [one.user for one in sorted(self.players, key=lambda one: one != self.own)]
        are_known = all(user.is_active and not user.is_guest for user in users)
        return [user.username for user in users] if self.of_two and are_known else []

    @property
    def title(self) -> str:
        """The title of the page."""
        turn = "Your turn: " if self.my_turn else ""
        return f"{turn}{self.meta.name}, {self.versus} · Turnstone"

    @property
    def brief_section(self) -> str:
        """The anchor in the rules in brief of what the position is about; empty for the top."""
        return anchor(self.snapshot.title.brief_section(self.view))

    @property
    def new_submission(self) -> UUID:
        """An id for a form that changes the match, another each time."""
        return uuid4()

    # --- Move entry -----------------------------------------------------------------------------

    @cached_property
    def _entered(self) -> tuple[EntryPanel | None, GameError | None]:
        """Move entry with what was typed, or empty with the reason why that was refused."""
        if self.viewer is None or not self.my_turn:
            return None, None
        try:
            return self._panel(self.viewer, self.typed), None
        except GameError as error:
            return self._panel(self.viewer, NOTHING_TYPED), error

    def _panel(self, seat: Seat, typed: Typed) -> EntryPanel:
        return EntryPanel(self.snapshot, self._enter(seat, typed), seat, self.path, typed)

    def _enter(self, seat: Seat, typed: Typed) -> move_input.MoveInput:
        entered = move_input.enter(self.snapshot, seat, typed.moves, typed.words)
        if typed.filled is None:
            return entered
        word = move_input.fill(entered, *typed.filled)
        return move_input.enter(self.snapshot, seat, typed.moves, (*entered.stem, word))

    @property
    def panel(self) -> EntryPanel | None:
        """Move entry; ``None`` while the user is not to move."""
        return self._entered[0]

    @property
    def error(self) -> GameError | None:
        """Why what was sent, or else what was typed, is refused; ``None`` if it is not."""
        return self.refusal or self._entered[1]

    @property
    def text(self) -> str:
        """The text in the field: what was typed, even if it was refused."""
        return self.typed.text if self.error or not self.panel else self.panel.entry.typed

    @property
    def typed_address(self) -> str:
        """The address of the page with what has been typed."""
        return address(self.path, self.typed.moves, self.typed.words)

    @property
    def path(self) -> str:
        """The path of the page."""
        return self.address

    @property
    def is_unfinished(self) -> bool:
        """Whether what was typed is the beginning of a move, and not a whole one."""
        panel, error = self._entered
        return panel is not None and error is None and panel.entry.preview is None

    @property
    def preview(self) -> presentation.Preview | None:
        """What the entered move would do; ``None`` while it is unfinished."""
        return self.panel.entry.preview if self.panel else None

    @property
    def plays_at_once(self) -> bool:
        """Whether the user plays moves without confirming them."""
        return not self.user.confirm_moves

    @property
    def entry_method(self) -> str:
        """The HTTP method of the next word: ``post`` where a whole move is played at once."""
        return "post" if self.plays_at_once else "get"

    @property
    def entry_action(self) -> str:
        """The address to which the next word is sent."""
        return reverse("match-move", args=[self.match.pk]) if self.plays_at_once else self.address

    @property
    def entry_button(self) -> str:
        """The label of the button after a word."""
        return "Play" if self.plays_at_once else "Preview"

    @cached_property
    def drawing(self) -> svg.Drawing:
        """The board as the entered move would leave it, else with a dot on each choice.

        There are no dots where they would cover most of the board.
        """
        if self.preview:
            return self.preview.drawing
        drawing = self._drawing_so_far
        targets = self.panel.targets if self.panel else {}
        if len(targets) > max(FEW_DOTS, len(drawing.marks) // 2):
            return drawing
        return svg.with_targets(drawing, targets.keys() & svg.middles_of(drawing).keys())

    @property
    def _drawing_so_far(self) -> svg.Drawing:
        """The board as what is entered of an unfinished move would leave it, or as it stands."""
        entry = self.panel.entry if self.panel else None
        if entry is None or not (entry.view or entry.moves):
            return self.drawing_at(self.match.version)
        return self.snapshot.title.draw(entry.view or entry.standing, ())

    @property
    def links(self) -> Mapping[str, str]:
        """The address that a click on each mark of the board leads to."""
        return {**self.alternatives, **self.panel.targets} if self.panel else {}

    @property
    def alternatives(self) -> Mapping[str, str]:
        """The addresses of the marks that go back on what was chosen so far."""
        return self.panel.alternatives if self.panel else {}

    @property
    def opened_marks(self) -> Collection[str]:
        """The marks whose inner marks are shown: the clicked one and those around it."""
        return svg.opened_by(self.drawing, self.typed.mark) if self.panel else ()

    @property
    def chosen_marks(self) -> Collection[str]:
        """The marks that were chosen so far for an unfinished move."""
        return self.panel.entry.chosen if self.panel else ()

    @cached_property
    def answers(self) -> list[Choice]:
        """The moves that answer a pending question in one click; empty if one needs more."""
        if (
            not self.pending_question
            or self.panel is None
            or self.panel.entry.moves
            or self.typed.words
        ):
            return []
        choices = [option for option in self.panel.entry.offered if isinstance(option, Choice)]
        return choices if all(map(self._is_whole, choices)) else []

    def _is_whole(self, choice: Choice) -> bool:
        return (
            self.viewer is not None
            and move_input.options(self.snapshot, self.viewer, choice.text).complete
        )

    @cached_property
    def private(self) -> PrivatePanel | None:
        """The user's queue and standing order; ``None`` for whoever does not play any more."""
        if not self.is_in or self.viewer is None:
            return None
        panel = PrivatePanel(self.snapshot, self.viewer, self.typed.queue if self.refusal else "")
        return panel if panel.is_offered else None

    # --- Other actions ----------------------------------------------------------------------------

    @cached_property
    def is_in(self) -> bool:
        """Whether the user still plays in a running match."""
        return self.match.is_running and self.own in self.snapshot.seats_still_in()

    @property
    def offerers(self) -> list[Player]:
        """The players who have made the open offer, or agree to it."""
        running = self.match.is_running
        return [player for player in self.snapshot.players if running and agreed_by(player)]

    @property
    def offered(self) -> str:
        """What is offered, after who does: ``offers a draw``, ``offer a pause``."""
        offer = next(map(agreed_by, self.offerers), "")
        verb, what = offering(offer, of_two=self.of_two)
        return f"{verb} {what}" if len(self.offerers) > 1 else f"{verb}s {what}"

    @property
    def may_end_pause(self) -> bool:
        """Whether the match is paused by agreement, and the user can let the clocks run on."""
        return self.pause_end is not None

    @cached_property
    def pause_end(self) -> datetime | None:
        """When the pause by agreement ends if nobody ends it before; ``None`` without one."""
        now = timezone.now()
        found = pauses.of_player(self.own) if self.is_in and self.own else []
        agreed = (one.end for one in found if one.reason == Reason.AGREEMENT and one.goes_on(now))
        return next(agreed, None)

    @property
    def time_gift(self) -> str:
        """What the user can give the opponent: ``bruno 1 day``; empty if nothing."""
        if not self.is_in or self.viewer is None or not self.match.time_control:
            return ""
        player, now = time_given.only_opponent(self.snapshot, self.viewer), timezone.now()
        left = pauses.left(player, now) if player and player.clock_since else None
        gift = self.match.time_control.gift(left) if left is not None else None
        return f"{player.user.shown_name} {formatting.span(gift)}" if player and gift else ""

    @property
    def may_answer(self) -> bool:
        """Whether an open offer waits for the user's answer."""
        return self.is_in and bool(self.offerers) and self.own not in self.offerers

    @property
    def may_withdraw(self) -> bool:
        """Whether the user has an offer open."""
        return self.own in self.offerers

    @property
    def may_take_back(self) -> bool:
        """Whether the user's last move can be taken back at will."""
        if self.viewer is None:
            return False
        target = log_entries.can_take_back(self.snapshot, self.log, self.viewer)
        return target is not None and self._has_take_backs_left(target)

    def _has_take_backs_left(self, target: LogEntry) -> bool:
        return log_entries.has_take_backs_left(self.snapshot, self.log, target)

    @property
    def may_rematch(self) -> bool:
        """Whether the user can ask for a rematch, or go to it if it has begun.

        Nobody asks players who have no account any more.
        """
        if self.match.is_running or self.own is None:
            return False
        are_here = all(player.user.is_active for player in self.players)
        return are_here or self.rematch.match_id is not None

    @cached_property
    def rematch(self) -> Rematch:
        """How the rematch of the ended match stands."""
        return rematch_of(self.match, self.user)

    @cached_property
    def rematch_dice(self) -> RematchDice | None:
        """The dice of the rematch; ``None`` without chance."""
        return rematch_dice(self.match, self.user) if self.meta.has_chance else None

    @property
    def next_level(self) -> Level | None:
        """The level to play at again; ``None`` if there is none, or others than bots played."""
        return bots.next_level(self.others) if self.may_rematch else None

    @cached_property
    def next_level_dice(self) -> PendingSecret | None:
        """The dice of the match one level up; ``None`` without chance."""
        return commitments.make(self.user) if self.meta.has_chance else None

    @property
    def is_queue_long(self) -> bool:
        """Whether the bots that the match waits for may need longer than usual."""
        return queue_length.is_long()

    @property
    def has_next(self) -> bool:
        """Whether another match waits for the user."""
        return listing.has_waiting(self.user, but=self.match)

    @cached_property
    def questions(self) -> dict[str, Question]:
        """The actions that need confirming, by their names in addresses."""
        if not self.is_in:
            return {}
        found = {} if self.offerers else self._offers
        if log_entries.may_cancel(self.snapshot, self.log):
            found["cancel"] = CANCEL
        return {**found, "resign": LOSE if self.of_two else LEAVE}

    @property
    def _offers(self) -> dict[str, Question]:
        """The offers that the user can make."""
        found = {"offer": DRAW if self.of_two else CLOSE}
        if self.match.clock and not self.may_end_pause:
            found["pause"] = PAUSE
        if not log_entries.may_cancel(self.snapshot, self.log):
            found["offer-cancel"] = OFFER_CANCEL
        seat = Seat(self.viewer or 0)
        targets = log_entries.taken_back_by_agreement(self.snapshot, self.log, seat)
        if targets and self._has_take_backs_left(targets[-1]):
            found["offer-take-back"] = OFFER_TAKE_BACK
        return found

    @property
    def question(self) -> Question | None:
        """The action to confirm; ``None`` if there is none."""
        return self.questions.get(self.typed.asked)
