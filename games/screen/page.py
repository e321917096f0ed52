"""The page of a match for one user."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from django.utils import timezone
from django.utils.safestring import SafeString

from accounts import signup
from config.addresses import path_of
from games.achievements.selectors import of_match
from games.bots import queue_length
from games.bots import services as bots
from games.bots.levels import Level
from games.kernel.contract import AnswerPolicy
from games.kernel.errors import GameError
from games.kernel.language import gettext, pgettext
from games.kernel.options import Choice
from games.lobby import commitments
from games.lobby import services as lobby
from games.lobby.commitments import PendingSecret
from games.matches import formatting, listing, selectors
from games.matches.log import log_entries
from games.matches.log.commitment import Commitment, commitment_of
from games.matches.log.log_entries import MIN_RECENT
from games.matches.models import Player
from games.matches.play import move_input
from games.matches.selectors import MatchSnapshot
from games.matches.view.match_view import MatchView
from games.matches.view.parts import LogTurn
from games.ratings.selectors import Effect, effect_of
from games.screen import rules
from games.screen.actions import Actions
from games.screen.entered import EnteredMove
from games.screen.entry import EntryPanel, Typed
from games.screen.private import PrivatePanel
from games.screen.rematch import Rematch, RematchDice, rematch_dice, rematch_of


@dataclass(frozen=True)
class MatchPage:
    """The current match with the user's input, and why the last action was refused.

    ``snapshot`` are the rows of the match, for data of other apps about it. ``user`` may be
    anonymous. ``queue_is_long`` says whether bots may need longer than usual, ``None`` if it isn't
    known.
    """

    snapshot: MatchSnapshot
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
        snapshot = selectors.snapshot(match_id)
        log = log_entries.recent(snapshot.match)
        view = MatchView(snapshot.table, snapshot.seat_of(user), log)
        return cls(snapshot, view, user, typed, refusal)

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
        return self.view.viewer is not None and self.view.viewer in self.view.table.actors

    @cached_property
    def is_newcomer(self) -> bool:
        """Whether the user plays here, and has never moved in a match of this game."""
        own = self.view.own
        if own is None or own.version or not self.view.match.is_running:
            return False
        return not listing.has_moved(self.user, self.view.meta.slug)

    @property
    def introduction(self) -> Mapping[str, SafeString]:
        """The rules in brief and the pictures for somebody new to the game."""
        slug = self.view.meta.slug
        return {"brief": rules.brief(slug), "pictures": rules.pictures(slug)}

    @property
    def pair(self) -> Sequence[str]:
        """The names of two players who can be compared, the reader first. Otherwise empty."""
        view = self.view
        users = [one.user for one in sorted(view.players, key=lambda one: one != view.own)]
        are_known = all(user.is_active and not user.is_guest for user in users)
        return [user.username for user in users] if view.of_two and are_known else []

    @property
    def brief_section(self) -> str:
        """The anchor of the current phase in the rules in brief. Empty for the top."""
        return rules.anchor(self.view.table.title.brief_section(self.view.position))

    # --- Move entry -----------------------------------------------------------------------------

    @cached_property
    def entered(self) -> EnteredMove:
        """The user's input, and the board with it."""
        view = self.view
        return EnteredMove(
            view.table,
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
        """The HTTP method of the next word: ``post`` if a whole move is played at once."""
        return "post" if self.plays_at_once else "get"

    @property
    def entry_action(self) -> str:
        pk = self.view.match.pk
        return path_of("match-move", pk) if self.plays_at_once else self.view.address

    @property
    def entry_button(self) -> str:
        return pgettext("move", "Play") if self.plays_at_once else pgettext("move", "Preview")

    @cached_property
    def answers(self) -> list[Choice]:
        """The moves that take one click: the only legal move, or the answers to a question.

        Answers follow the preference to confirm moves, since a played card can't be taken back.
        Empty if a move needs more words.
        """
        panel = self.entered.panel
        if panel is None or panel.entry.moves or self.typed.words:
            return []
        asks = self.view.pending_question and self.plays_at_once
        if not asks and not self._is_forced(panel):
            return []
        choices = [option for option in panel.entry.offered if isinstance(option, Choice)]
        snapshot = self.view.table
        if not all(move_input.options(snapshot, panel.seat, one.text).complete for one in choices):
            return []
        if self._is_forced(panel):
            return [replace(choice, label=self._phrase(panel, choice)) for choice in choices]
        return choices

    @property
    def forced_orders(self) -> Mapping[str, AnswerPolicy]:
        """The standing orders that would make the only legal move. Empty if one is given."""
        panel = self.entered.panel
        private = self.private
        if panel is None or private is None or private.order or not private.is_forced:
            return {}
        return private.orders if self._is_forced(panel) else {}

    def _is_forced(self, panel: EntryPanel) -> bool:
        return len(panel.entry.offered) == 1 and not self.typed.words

    def _phrase(self, panel: EntryPanel, choice: Choice) -> str:
        title = self.view.table.title
        seat = panel.seat
        return title.phrase(title.parse(choice.text), panel.entry.standing, seat, seat)

    @cached_property
    def actions(self) -> Actions:
        return Actions(self.view, self.typed.asked)

    @cached_property
    def private(self) -> PrivatePanel | None:
        """The user's plan and standing order. ``None`` for spectators and former players."""
        view = self.view
        if not self.actions.is_in or view.viewer is None:
            return None
        typed = (self.typed.queue, self.typed.line) if self.refusal else ("", "")
        return PrivatePanel(view.table, view.viewer, *typed)

    @cached_property
    def commitment(self) -> Commitment | None:
        """The public part of the commitment to the dice. ``None`` without chance."""
        return commitment_of(self.snapshot)

    # --- After the match --------------------------------------------------------------------------

    @property
    def has_rematch(self) -> bool:
        """Whether the page shows the state of the rematch."""
        return not self.view.match.is_running and self.view.own is not None

    @cached_property
    def rematch(self) -> Rematch:
        return rematch_of(self.snapshot.match, self.user)

    @property
    def awaits_rematch(self) -> bool:
        """Whether the user can still ask for a rematch or accept it."""
        return self.has_rematch and not self.rematch.match_id and not self.rematch.is_own

    @cached_property
    def rematch_refusal(self) -> str:
        """Why the user can't ask for a rematch or accept it. Empty if they can or have done so."""
        if not self.awaits_rematch:
            return ""
        now = timezone.now()
        if self.rematch.asked:
            return lobby.refusal(self.rematch.asked, self.user, now)
        return lobby.rematch_refusal(self.snapshot.players, self.user, now)

    @cached_property
    def rematch_dice(self) -> RematchDice | None:
        """The dice of the rematch. ``None`` without chance."""
        return rematch_dice(self.snapshot.match, self.user) if self.view.meta.has_chance else None

    @cached_property
    def rating_effect(self) -> Effect | None:
        """The effect of the ended match on ratings. ``None`` if it isn't rated."""
        return effect_of(self.snapshot.match)

    @cached_property
    def achievements(self) -> Sequence[str]:
        """Sentences about what players have earned first in the ended match, one for each."""
        match = self.snapshot.match
        if match.is_running or not match.rated:
            return ()
        earned: defaultdict[int, list[str]] = defaultdict(list)
        for user, one in of_match(match.pk):
            earned[user].append(gettext(one.name))
        return [
            self._earned(player, formatting.names(earned[player.user_id]))
            for player in self.snapshot.players
            if player.user_id in earned
        ]

    def _earned(self, player: Player, names: str) -> str:
        if player.user_id == self.user.pk:
            return gettext("You have earned {achievements}.").format(achievements=names)
        text = gettext("{player} has earned {achievements}.")
        return text.format(player=player.user.shown_name, achievements=names)

    @property
    def next_level(self) -> Level | None:
        """The next level to play at, see :func:`games.bots.services.next_level`."""
        seat = self.view.viewer
        if seat is None or not self.has_rematch:
            return None
        own = self.snapshot.players[seat]
        return bots.next_level(own, [one for one in self.snapshot.players if one != own])

    @cached_property
    def next_level_dice(self) -> PendingSecret | None:
        """The dice of the match at the next level. ``None`` without chance."""
        return commitments.make(self.user) if self.view.meta.has_chance else None

    @property
    def is_queue_long(self) -> bool:
        """Whether the bots that the match waits for may need longer than usual."""
        return queue_length.is_long() if self.queue_is_long is None else self.queue_is_long

    @property
    def awaited_address(self) -> str:
        """The address that the user still has to confirm. Empty without one."""
        return signup.known_awaited_address(self.user)

    @property
    def has_next(self) -> bool:
        """Whether another match waits for the user."""
        own = self.view.own
        return listing.count_waiting(self.user) > (own is not None and own.to_move)
