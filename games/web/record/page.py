"""What the record of a match shows: one position of it, and the way to all others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from games.matches.errors import NoSuchMatch
from games.matches.listing import read_snapshot
from games.matches.log import log_entries
from games.matches.log.lines import Line
from games.matches.models import LogEntry
from games.matches.view.history import History, StoredHistory
from games.matches.view.match_view import MatchView
from games.matches.view.parts import LogTurn
from games.study import private
from games.study.models import PrivateBoard
from games.talk import selectors as talk
from games.web.match.board import Board

PAGE_LENGTH = 60
"""How many entries of the log are shown at once, about."""

MAX_TURN_LENGTH = 20
"""Entries before the end of such a part among which the end of a turn is looked for."""


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
        """Read what the page shows.

        :raises NoSuchMatch: there is no such match, or its log is shorter.
        """
        snapshot = read_snapshot(match_id)
        if number > snapshot.match.version:
            raise NoSuchMatch(f"Match {match_id} has no entry {number}.")
        log = log_entries.leading_to(snapshot.match, number)
        history = StoredHistory(snapshot)
        view = MatchView(snapshot, snapshot.seat_of(user), log, history, number)
        return cls(view, history, number, user)

    @property
    def title(self) -> str:
        """The title of the page."""
        position = f"After {self.number}" if self.number else "Start"
        return f"{position}: {self.view.meta.name}, {self.view.versus} · Turnstone"

    @property
    def stage(self) -> str:
        """Which position it is, in a few words: ``ada won``, ``After move 12``, ``Start``."""
        if self.number == self.last and self.view.outcome_heading:
            return self.view.outcome_heading
        return f"After move {self.number}" if self.number else "Start"

    @cached_property
    def board(self) -> Board:
        """The board as it was, with what the entry did highlighted."""
        return Board(self.view.drawing)

    @cached_property
    def current(self) -> Line | None:
        """The entry that led here; ``None`` at the start."""
        return self.view.lines_of(self.view.log[-1:])[0] if self.number else None

    @property
    def last(self) -> int:
        """The number of the last entry."""
        return self.view.match.version

    @property
    def before(self) -> int | None:
        """The number of the position before this one; ``None`` at the start."""
        return self.number - 1 if self.number else None

    @property
    def after(self) -> int | None:
        """The number of the position after this one; ``None`` at the end."""
        return self.number + 1 if self.number < self.last else None

    @cached_property
    def comment_counts(self) -> Mapping[int, int]:
        """How many comments the reader may read, by position."""
        return talk.comment_counts(self.view.match, self.user)

    @cached_property
    def thoughts(self) -> Sequence[PrivateBoard]:
        """The boards on which players thought: those published with the record, and one's own."""
        return private.of_ended(self.view.match, self.user)

    # --- Log ------------------------------------------------------------------------------------

    @cached_property
    def _part(self) -> Sequence[LogEntry]:
        """The part of the log around the entry."""
        return part_of_log(self.history, max(self.number, 1), self.last)

    @cached_property
    def turns(self) -> Sequence[LogTurn]:
        """That part of the log by turns, the newest first."""
        return self.view.turns_of(self._part, current=self.number, comments=self.comment_counts)

    @property
    def at_start(self) -> bool:
        """Whether the start is shown."""
        return not self.number

    @property
    def start_comments(self) -> int:
        """How many comments there are on the start."""
        return self.comment_counts.get(0, 0)

    @property
    def earlier(self) -> int | None:
        """The number of the last entry before that part; ``None`` if it begins the log."""
        return self._part[0].number - 1 or None if self._part else None

    @property
    def later(self) -> int | None:
        """The number of the first entry after that part; ``None`` if it ends the log."""
        after = self._part[-1].number + 1 if self._part else 1
        return after if after <= self.last else None


def part_of_log(history: History, number: int, length: int) -> Sequence[LogEntry]:
    """Return the part of a log that holds entry ``number``, from the end of a turn to another.

    ``length`` is the number of the last entry.
    """
    start = (number - 1) // PAGE_LENGTH * PAGE_LENGTH
    first, last = max(start - MAX_TURN_LENGTH, 0), start + 2 * PAGE_LENGTH
    entries = history.entries(after=first, upto=last)
    ends = [_end(entries, start + step * PAGE_LENGTH, length) for step in (0, 1, 2)]
    begin, end = ends[:2] if number <= ends[1] else ends[1:]
    return [entry for entry in entries if begin < entry.number <= end]


def _end(entries: Sequence[LogEntry], bound: int, last: int) -> int:
    """Return where the part ends that may reach to ``bound``: with a turn, if one ends near it."""
    if bound >= last or not bound:
        return min(bound, last)
    near = range(bound - MAX_TURN_LENGTH + 1, bound + 1)
    turns = (entry.number for entry in entries if entry.number in near and entry.turns_ended)
    return max(turns, default=bound)
