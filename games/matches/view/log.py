"""The log as its viewer may read it, by turns."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from games.kernel.contract import Meta, Seat
from games.kernel.language import gettext as _
from games.matches import formatting
from games.matches.log.lines import LogLine
from games.matches.log.log_entries import PLAY
from games.matches.models import LogEntry
from games.matches.table import Participant
from games.matches.view.parts import LogRow, LogTurn
from games.matches.view.seats import swatch


def turns(entries: Sequence[LogEntry]) -> Iterator[tuple[LogEntry, ...]]:
    """Yield the entries of each turn, in order. A turn ends with the event that says so."""
    turn: list[LogEntry] = []
    for entry in entries:
        turn.append(entry)
        if entry.turns_ended:
            yield tuple(turn)
            turn = []
    if turn:
        yield tuple(turn)


def seat_of(turn: Sequence[LogEntry]) -> int | None:
    """Return the seat whose turn it was. ``None`` if no seat made its first entry."""
    moves = (entry.seat for entry in turn if entry.kind == PLAY)
    seats = chain(turn[-1].turns_ended, moves, (turn[0].seat,))
    return next((seat for seat in seats if seat is not None), None)


def since_move(entries: Sequence[LogEntry], seat: Seat) -> Sequence[LogEntry]:
    """Return the entries after the last move of a seat in its own turn.

    They include answers in another's turn, since their effects are news.
    """
    since: list[LogEntry] = []
    for turn in reversed(list(turns(entries))):
        is_own = seat_of(turn) == seat
        for entry in reversed(turn):
            if is_own and entry.seat == seat and entry.kind == PLAY:
                return since[::-1]
            since.append(entry)
    return since[::-1]


@dataclass(frozen=True)
class LogWriter:
    """Makes the parts of a log for one viewer.

    ``address`` is the prefix of the addresses of its positions. ``current`` is the number of the
    entry being shown, ``None`` without one. ``comments`` are the numbers of comments by position.
    ``since`` is the entry with which the viewer took the seat over, 0 without one. ``numbers`` are
    those of the moves by the numbers of their entries.
    """

    meta: Meta
    viewer: Seat | None
    address: str
    current: int | None
    comments: Mapping[int, int]
    since: int = 0
    numbers: Mapping[int, int] = field(default_factory=dict)

    def turn(self, lines: Sequence[LogLine], player: Participant | None) -> LogTurn:
        """Return a turn of a player. ``None`` if it was no seat's."""
        rows = tuple(self._row(line, player.seat if player else None) for line in lines)
        if player is None:
            name = _("The match")
            colour = None
        else:
            name = _("You") if player.seat == self.viewer else player.user.shown_name
            colour = swatch(self.meta, player.seat)
        return LogTurn(name, colour, rows[::-1])

    def _row(self, line: LogLine, seat: int | None) -> LogRow:
        """Return an entry, with a colour if it tells what another seat did in this turn.

        An answer to an attack has none: it is described from the attacker's side.
        """
        entry = line.entry
        is_other = entry.seat is not None and seat not in (entry.seat, line.doer)
        return LogRow(
            number=entry.number,
            address=f"{self.address}{entry.number}/",
            told=" ".join(line.sentences),
            headline=line.headline,
            notation=line.text,
            dice=line.dice_text,
            swatch=swatch(self.meta, entry.seat or 0) if is_other else None,
            at=formatting.machine_readable(entry.at),
            exactly=formatting.exact(entry.at),
            when=formatting.short(entry.at),
            comments=self.comments.get(entry.number, 0),
            is_long=line.is_long,
            is_taken_back=line.taken_back,
            is_current=entry.number == self.current,
            is_planned=self._is_own(entry) and entry.is_planned,
            move=self.numbers.get(entry.number),
        )

    def _is_own(self, entry: LogEntry) -> bool:
        is_seat = self.viewer is not None and entry.seat == self.viewer
        return is_seat and entry.number > self.since
