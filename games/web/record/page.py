"""The record of a match: one position of it, with links to all others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.matches import selectors
from games.matches.errors import NoSuchMatch
from games.matches.log import log_entries
from games.matches.log.commitment import Commitment, commitment_of
from games.matches.log.lines import LogLine
from games.matches.models import LogEntry
from games.matches.selectors import MatchSnapshot
from games.matches.view.history import History, StoredHistory
from games.matches.view.match_view import MatchView
from games.matches.view.parts import LogTurn
from games.screen.board import LinkedBoard
from games.study import private
from games.study.models import PrivateBoard
from games.talk import selectors as talk

PAGE_LENGTH = 60
"""Approximate number of log entries shown at once."""

MAX_TURN_LENGTH = 20
"""Entries before the end of such a part in which to look for the end of a turn."""


@dataclass(frozen=True)
class RecordPage:
    """A match after entry ``number`` of its ``history``, 0 for the start.

    The log of ``view`` is what led there.
    """

    view: MatchView
    history: History
    number: int
    user: Any

    @classmethod
    def read(cls, match_id: int, number: int, user: Any) -> "RecordPage":
        """Read everything that the page shows.

        :raises NoSuchMatch: there is no such match, or its log is shorter.
        """
        snapshot = selectors.snapshot(match_id)
        if number > snapshot.match.version:
            message = _("Match {match} has no entry {number}.")
            raise NoSuchMatch(message.format(match=match_id, number=number))
        log = log_entries.leading_to(snapshot.match, number)
        history = StoredHistory(snapshot)
        view = MatchView(snapshot.table, snapshot.seat_of(user), log, history, number)
        return cls(view, history, number, user)

    @property
    def snapshot(self) -> MatchSnapshot:
        """The rows of the match, for data of other apps about it."""
        return cast("StoredHistory", self.history).snapshot

    @cached_property
    def commitment(self) -> Commitment | None:
        """The public part of the commitment to the dice. ``None`` without chance."""
        return commitment_of(self.snapshot)

    @property
    def title(self) -> str:
        message = _("Start: {game}, {players} · Turnstone")
        if self.number:
            message = _("After move {number}: {game}, {players} · Turnstone")
        game, players = self.view.meta.name, self.view.versus
        return message.format(number=self.move, game=game, players=players)

    @property
    def stage(self) -> str:
        """The position in a few words: ``ada won``, ``After move 12``, ``Start``."""
        if self.number == self.last and self.view.outcome_heading:
            return self.view.outcome_heading
        if not self.number:
            return pgettext("position of a match", "Start")
        return _("After move {number}").format(number=self.move)

    @cached_property
    def _moves(self) -> Sequence[int]:
        return self.history.count_moves(self.number, self.last)

    @property
    def move(self) -> int:
        """How many moves led here, without offers, answers and moves taken back."""
        return self._moves[0]

    @property
    def last_move(self) -> int:
        """How many moves the match has."""
        return self._moves[1]

    @cached_property
    def board(self) -> LinkedBoard:
        """The board at that time, with the effects of the entry highlighted."""
        return LinkedBoard(self.view.drawing)

    @cached_property
    def current(self) -> LogLine | None:
        """The entry that led here. ``None`` at the start."""
        return self.view.lines_of(self.view.log[-1:])[0] if self.number else None

    @property
    def last(self) -> int:
        return self.view.match.version

    @property
    def before(self) -> int | None:
        """The number of the position before this one. ``None`` at the start."""
        return self.number - 1 if self.number else None

    @property
    def after(self) -> int | None:
        """The number of the position after this one. ``None`` at the end."""
        return self.number + 1 if self.number < self.last else None

    @cached_property
    def comment_counts(self) -> Mapping[int, int]:
        """How many comments the reader may read, by position."""
        return talk.comment_counts(self.snapshot.match, self.user)

    @cached_property
    def thoughts(self) -> Sequence[PrivateBoard]:
        """The players' analysis boards: those published with the record, and the reader's own."""
        return private.of_ended(self.snapshot.match, self.user)

    # --- Log ------------------------------------------------------------------------------------

    @cached_property
    def _part(self) -> Sequence[LogEntry]:
        """The part of the log around the entry."""
        return part_of_log(self.history, max(self.number, 1), self.last)

    @cached_property
    def turns(self) -> Sequence[LogTurn]:
        """That part of the log by turns, the newest first."""
        (before,) = self.history.count_moves(self._part[0].number - 1) if self._part else (0,)
        return self.view.turns_of(
            self._part, current=self.number, comments=self.comment_counts, moves_before=before
        )

    @property
    def at_start(self) -> bool:
        return not self.number

    @property
    def start_comments(self) -> int:
        """How many comments there are on the start."""
        return self.comment_counts.get(0, 0)

    @property
    def earlier(self) -> int | None:
        """The number of the last entry before that part. ``None`` if it begins the log."""
        return self._part[0].number - 1 or None if self._part else None

    @property
    def later(self) -> int | None:
        """The number of the first entry after that part. ``None`` if it ends the log."""
        after = self._part[-1].number + 1 if self._part else 1
        return after if after <= self.last else None


def part_of_log(history: History, number: int, length: int) -> Sequence[LogEntry]:
    """Return the part of a log around entry ``number``, which begins and ends with turns.

    ``length`` is the number of the last entry.
    """
    start = (number - 1) // PAGE_LENGTH * PAGE_LENGTH
    first, last = max(start - MAX_TURN_LENGTH, 0), start + 2 * PAGE_LENGTH
    entries = history.entries(after=first, upto=last)
    ends = [_end(entries, start + step * PAGE_LENGTH, length) for step in (0, 1, 2)]
    begin, end = ends[:2] if number <= ends[1] else ends[1:]
    return [entry for entry in entries if begin < entry.number <= end]


def _end(entries: Sequence[LogEntry], bound: int, last: int) -> int:
    """Return the end of a part that may reach to ``bound``, preferably the end of a turn."""
    if bound >= last or not bound:
        return min(bound, last)
    near = range(bound - MAX_TURN_LENGTH + 1, bound + 1)
    turns = (entry.number for entry in entries if entry.number in near and entry.turns_ended)
    return max(turns, default=bound)
