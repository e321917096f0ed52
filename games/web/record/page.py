"""What the record of a match shows: one position of it, and the way to all others."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from games.kernel import svg
from games.matches import selectors
from games.matches.errors import NoSuchMatch
from games.matches.listing import read_snapshot
from games.matches.log_lines import Line
from games.web.match.board import BoardPage


@dataclass(frozen=True)
class RecordPage(BoardPage):
    """A match after entry ``number``, 0 for the start."""

    number: int

    @classmethod
    def read(cls, match_id: int, number: int, user: Any) -> "RecordPage":
        """Read everything that the page shows.

        :raises NoSuchMatch: there is no such match, or its log is shorter.
        """
        snapshot = read_snapshot(match_id)
        if number > snapshot.match.version:
            raise NoSuchMatch(f"Match {match_id} has no entry {number}.")
        log = selectors.log(snapshot.match)
        return cls(snapshot, snapshot.seat_of(user), log, user, number)

    @property
    def title(self) -> str:
        """The title of the page."""
        position = f"After {self.number}" if self.number else "Start"
        return f"{position}: {self.meta.name}, {self.heading} · Turnstone"

    @property
    def current(self) -> Line | None:
        """The entry that led here; ``None`` at the start."""
        return self.lines[self.number - 1] if self.number else None

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
