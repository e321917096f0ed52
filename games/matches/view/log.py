"""The log as its viewer may read it, by turns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from games.kernel.contract import Meta, Seat
from games.matches import formatting
from games.matches.log.log_turns import Turn
from games.matches.log_lines import Line
from games.matches.view.parts import LogRow, LogTurn
from games.matches.view.seats import swatch


@dataclass(frozen=True)
class LogWriter:
    """Makes the parts of a log for one viewer.

    ``address`` is that below which its positions are. ``current`` is the number of the entry that
    is being shown, ``None`` where none is; ``comments`` are how many comments there are on each
    position.
    """

    meta: Meta
    viewer: Seat | None
    address: str
    now: datetime
    current: int | None
    comments: Mapping[int, int]
    newest_first: bool

    def turns(self, found: Sequence[Turn]) -> tuple[LogTurn, ...]:
        """Return turns, in the order in which they are shown."""
        shown = tuple(map(self._turn, found))
        return shown[::-1] if self.newest_first else shown

    def _turn(self, turn: Turn) -> LogTurn:
        rows = tuple(self._row(line, turn.seat) for line in turn.lines)
        player = turn.player
        if player is None:
            name, colour = "The match", None
        else:
            name = "You" if player.seat == self.viewer else player.user.shown_name
            colour = swatch(self.meta, player.seat)
        return LogTurn(name, colour, rows[::-1] if self.newest_first else rows, self.newest_first)

    def _row(self, line: Line, seat: int | None) -> LogRow:
        """Return an entry; with its own colour if it is of another seat than whose turn it was."""
        entry = line.entry
        is_other = entry.seat is not None and entry.seat != seat
        return LogRow(
            number=entry.number,
            address=f"{self.address}{entry.number}/",
            told=" ".join(line.sentences),
            notation=line.text,
            dice=line.dice_text,
            swatch=swatch(self.meta, entry.seat or 0) if is_other else None,
            at=formatting.machine_readable(entry.at),
            exactly=formatting.exact(entry.at),
            age=formatting.ago(entry.at, self.now),
            comments=self.comments.get(entry.number, 0),
            is_long=line.is_long,
            is_taken_back=line.taken_back,
            is_current=entry.number == self.current,
        )
