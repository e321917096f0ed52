"""What the page of a match shows a user."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from django.utils import timezone
from django.utils.safestring import SafeString

from accounts import signup
from config.addresses import path_of
from games.bots import queue_length
from games.bots import services as bots
from games.bots.levels import Level
from games.kernel.contract import AnswerPolicy
from games.kernel.errors import GameError
from games.kernel.options import Choice
from games.lobby import commitments
from games.lobby import services as lobby
from games.lobby.commitments import PendingSecret
from games.matches import listing
from games.matches.listing import read_snapshot
from games.matches.log import log_entries
from games.matches.log.log_entries import MIN_RECENT
from games.matches.play import move_input
from games.matches.view.match_view import MatchView
from games.matches.view.parts import LogTurn
from games.ratings.selectors import Effect, effect_of
from games.web.match.actions import Actions
from games.web.match.entered import EnteredMove
from games.web.match.entry import EntryPanel, Typed
from games.web.match.private import PrivatePanel
from games.web.match.rematch import Rematch, RematchDice, rematch_dice, rematch_of
from games.web.rules import page as rules
from games.web.rules.page import anchor


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
        snapshot = self.view.snapshot
        if not all(move_input.options(snapshot, panel.seat, one.text).complete for one in choices):
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

    def _phrase(self, panel: EntryPanel, choice: Choice) -> str:
        title = self.view.snapshot.title
        seat = panel.seat
        return title.phrase(title.parse(choice.text), panel.entry.standing, seat, seat)

    @cached_property
    def actions(self) -> Actions:
        """What the user can do beside moving."""
        return Actions(self.view, self.typed.asked)

    @cached_property
    def private(self) -> PrivatePanel | None:
        """The user's plan and standing order; ``None`` for spectators and former players."""
        view = self.view
        if not self.actions.is_in or view.viewer is None:
            return None
        typed = (self.typed.queue, self.typed.line) if self.refusal else ("", "")
        return PrivatePanel(view.snapshot, view.viewer, *typed)

    # --- After the match --------------------------------------------------------------------------

    @property
    def has_rematch(self) -> bool:
        """Whether the page says how the rematch stands."""
        return not self.view.match.is_running and self.view.own is not None

    @cached_property
    def rematch(self) -> Rematch:
        """How the rematch of the ended match stands."""
        return rematch_of(self.view.match, self.user)

    @property
    def awaits_rematch(self) -> bool:
        """Whether a rematch is still for the user to ask for or to accept."""
        return self.has_rematch and not self.rematch.match_id and not self.rematch.is_own

    @cached_property
    def rematch_refusal(self) -> str:
        """Why the user can't ask for a rematch or accept it; empty if they can or have done so."""
        if not self.awaits_rematch:
            return ""
        now = timezone.now()
        if self.rematch.asked:
            return lobby.refusal(self.rematch.asked, self.user, now)
        return lobby.rematch_refusal(self.view.players, self.user, now)

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
        return bots.next_level(own, self.view.others) if own and self.has_rematch else None

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
