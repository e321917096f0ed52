"""What the record of a match shows: one position of it, and the way to all others."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from games.kernel import svg
from games.matches import presentation, record, selectors
from games.matches.errors import NoSuchMatch
from games.web.reading import LogRow, MatchPresentation, read_snapshot


@dataclass(frozen=True)
class RecordPage(MatchPresentation):
    """A match after entry ``number``, 0 for the start, as one reader sees it."""

    number: int

    @classmethod
    def read(cls, match_id: int, number: int, user: Any) -> "RecordPage":
        """Read everything that the page shows.

        :raises NoSuchMatch: there is no such match, or it has not come so far.
        """
        snapshot = read_snapshot(match_id)
        if number > snapshot.match.version:
            raise NoSuchMatch(f"Match {match_id} has no entry {number}.")
        return cls(snapshot, selectors.log(snapshot.match), user, number)

    @property
    def title(self) -> str:
        """The title of the page."""
        place = f"After {self.number}" if self.number else "Start"
        return f"{place}: {self.meta.name}, {self.heading} · Turnstone"

    @property
    def current(self) -> LogRow | None:
        """The entry that led here; none at the start."""
        return self.log[self.number - 1] if self.number else None

    @property
    def last(self) -> int:
        """The number of the last entry."""
        return self.match.version

    @property
    def before(self) -> int | None:
        """The number of the position before this one."""
        return self.number - 1 if self.number else None

    @property
    def after(self) -> int | None:
        """The number of the position after this one."""
        return self.number + 1 if self.number < self.last else None

    @cached_property
    def drawing(self) -> svg.Drawing:
        """The board as it was, what led to it lit."""
        state = record.position(self.snapshot, self.entries, self.number)
        return presentation.board(self.snapshot, self.seat, self.entries[: self.number], state)
