"""The whole of a match, from which its record is shown."""

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
        """The address below which its positions are, each under the number of its entry."""

    def state_after(self, number: int) -> Any:
        """Return the state after an entry, 0 for the start.

        :raises Unreadable: the log does not replay.
        """

    def entries(self, *, after: int, upto: int) -> Sequence[LogEntry]:
        """Return the entries of the log after a number and up to another, in order."""

    def newest(self) -> LogEntry | None:
        """Return the last move that was not taken back; ``None`` before the first."""

    def undone_among(self, entries: Sequence[LogEntry]) -> Collection[int | None]:
        """Return the numbers of those entries that were taken back."""


@dataclass(frozen=True)
class StoredHistory:
    """The history of a match of this site."""

    snapshot: MatchSnapshot

    @property
    def address(self) -> str:
        """The address below which its positions are."""
        return self.snapshot.match.get_absolute_url()

    def state_after(self, number: int) -> Any:
        """Return the state after an entry."""
        is_last = number == self.snapshot.match.version
        return self.snapshot.state if is_last else positions.state_after(self.snapshot, number)

    def entries(self, *, after: int, upto: int) -> Sequence[LogEntry]:
        """Read entries of the log."""
        return selectors.log(self.snapshot.match, after=after, upto=upto)

    def newest(self) -> LogEntry | None:
        """Read the last move that was not taken back."""
        return log_entries.newest_standing(self.snapshot.match)

    def undone_among(self, entries: Sequence[LogEntry]) -> Collection[int | None]:
        """Return the numbers of those entries that the log takes back, however it goes on."""
        return log_entries.numbers_undone(self.snapshot.match, entries)
