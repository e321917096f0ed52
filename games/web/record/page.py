"""What the record of a match shows: one position of it, and the way to all others."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from games.kernel import svg
from games.kernel.contract import Tally
from games.matches import log_entries, selectors
from games.matches.errors import NoSuchMatch
from games.matches.listing import read_snapshot
from games.matches.log_lines import Line
from games.matches.models import LogEntry, Match, Player
from games.talk import selectors as talk
from games.web.match.board import BoardPage

LENGTH = 60
"""How many entries of the log are shown at once, about."""

LONGEST_TURN = 20
"""Entries before the end of such a part among which the end of a turn is looked for."""


ReadLog = Callable[..., Sequence[LogEntry]]
"""Reads the entries of a match ``after`` a number, up to another, in order."""


@dataclass(frozen=True)
class RecordPage(BoardPage):
    """A match after entry ``number``, 0 for the start; its log is what led there."""

    number: int

    @classmethod
    def read(cls, match_id: int, number: int, user: Any) -> "RecordPage":
        """Read what the page shows.

        :raises NoSuchMatch: there is no such match, or its log is shorter.
        """
        snapshot = read_snapshot(match_id)
        if number > snapshot.match.version:
            raise NoSuchMatch(f"Match {match_id} has no entry {number}.")
        log = log_entries.leading_to(snapshot.match, number)
        return cls(snapshot, snapshot.seat_of(user), log, user, number)

    @property
    def title(self) -> str:
        """The title of the page."""
        position = f"After {self.number}" if self.number else "Start"
        return f"{position}: {self.meta.name}, {self.versus} · Turnstone"

    @property
    def stage(self) -> str:
        """Which position it is, in a few words: ``ada won``, ``After move 12``, ``Start``."""
        if self.number == self.last and self.outcome_heading:
            return self.outcome_heading
        return f"After move {self.number}" if self.number else "Start"

    def tallies_of(self, player: Player) -> Sequence[Tally]:
        """Return nothing: the strips stay as they are while one steps through the match."""
        return ()

    @cached_property
    def current(self) -> Line | None:
        """The entry that led here; ``None`` at the start."""
        return self.lines_of(self.log[-1:])[0] if self.number else None

    @property
    def last(self) -> int:
        """The number of the last entry."""
        return self.match.version

    @property
    def before(self) -> int | None:
        """The number of the position before this one; ``None`` at the start."""
        return self.number - 1 if self.number else None

    @property
    def after(self) -> int | None:
        """The number of the position after this one; ``None`` at the end."""
        return self.number + 1 if self.number < self.last else None

    @cached_property
    def drawing(self) -> svg.Drawing:
        """The board as it was, with what the entry did highlighted."""
        return self.drawing_at(self.number)

    # --- Log ------------------------------------------------------------------------------------

    @cached_property
    def lines(self) -> list[Line]:
        """The part of the log around the entry, in words."""
        return self.lines_of(part_of_log(self.match, max(self.number, 1), self.entries))

    def entries(self, match: Match, *, after: int, upto: int) -> Sequence[LogEntry]:
        """Read those entries of its log."""
        return selectors.log(match, after=after, upto=upto)

    @property
    def earlier(self) -> int | None:
        """The number of the last entry before that part; ``None`` if it begins the log."""
        return self.lines[0].entry.number - 1 or None if self.lines else None

    @property
    def later(self) -> int | None:
        """The number of the first entry after that part; ``None`` if it ends the log."""
        after = self.lines[-1].entry.number + 1 if self.lines else 1
        return after if after <= self.last else None

    @cached_property
    def comment_counts(self) -> Mapping[int, int]:
        """How many comments the reader may read, by position."""
        return talk.comment_counts(self.match, self.user)

    @cached_property
    def newest(self) -> LogEntry | None:
        """The last move of the whole log that was not taken back; ``None`` before the first."""
        return log_entries.newest_standing(self.match)

    def undone_among(self, entries: Sequence[LogEntry]) -> frozenset[int | None]:
        """Return the numbers of those entries that were taken back, by the whole log."""
        return log_entries.numbers_undone(self.match, entries)


def part_of_log(match: Match, number: int, read: ReadLog = selectors.log) -> Sequence[LogEntry]:
    """Return the part of a log that holds entry ``number``, from the end of a turn to another."""
    start = (number - 1) // LENGTH * LENGTH
    first, last = max(start - LONGEST_TURN, 0), start + 2 * LENGTH
    entries = read(match, after=first, upto=last)
    ends = [_end(entries, start + step * LENGTH, match.version) for step in (0, 1, 2)]
    begin, end = ends[:2] if number <= ends[1] else ends[1:]
    return [entry for entry in entries if begin < entry.number <= end]


def _end(entries: Sequence[LogEntry], bound: int, last: int) -> int:
    """Return where the part ends that may reach to ``bound``: with a turn, if one ends near it."""
    if bound >= last or not bound:
        return min(bound, last)
    near = range(bound - LONGEST_TURN + 1, bound + 1)
    turns = (entry.number for entry in entries if entry.number in near and entry.turns_ended)
    return max(turns, default=bound)
