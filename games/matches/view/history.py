"""The whole of a match, which its record shows."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from games.matches import selectors
from games.matches.log import log_entries, positions
from games.matches.models import LogEntry
from games.matches.selectors import MatchSnapshot


class History(Protocol):
    """All positions and entries of a match: of a stored one, or of an imported record."""

    @property
    def address(self) -> str:
        """The prefix of the addresses of its positions. The number of an entry follows."""

    def state_after(self, number: int) -> Any:
        """Return the state after an entry, 0 for the start.

        :raises Unreadable: the log doesn't replay.
        """

    def entries(self, *, after: int, upto: int) -> Sequence[LogEntry]:
        """Return log entries in order, from ``after`` (exclusive) to ``upto``."""

    def newest(self) -> LogEntry | None:
        """Return the last move that wasn't taken back. ``None`` before the first."""

    def undone_among(self, entries: Sequence[LogEntry]) -> Collection[int | None]:
        """Return the numbers of those entries that were taken back."""

    def count_moves(self, *numbers: int) -> Sequence[int]:
        """Return for each entry the number of moves up to it that weren't taken back then."""


@dataclass(frozen=True)
class StoredHistory:
    """The history of a match of this site."""

    snapshot: MatchSnapshot

    @property
    def address(self) -> str:
        return self.snapshot.match.get_absolute_url()

    def state_after(self, number: int) -> Any:
        is_last = number == self.snapshot.match.version
        return (
            self.snapshot.state if is_last else positions.state_after(self.snapshot.table, number)
        )

    def entries(self, *, after: int, upto: int) -> Sequence[LogEntry]:
        return selectors.log(self.snapshot.match, after=after, upto=upto)

    def newest(self) -> LogEntry | None:
        return log_entries.newest_standing(self.snapshot.match)

    def undone_among(self, entries: Sequence[LogEntry]) -> Collection[int | None]:
        """Return the numbers of those entries that any later entry takes back."""
        return log_entries.numbers_undone(self.snapshot.match, entries)

    def count_moves(self, *numbers: int) -> Sequence[int]:
        return log_entries.count_moves(self.snapshot.match, *numbers)
