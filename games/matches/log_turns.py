"""The log by turns: what belongs to one turn stands under one heading."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from games.kernel.contract import TURN_ENDED, Colour
from games.matches.log_lines import Line
from games.matches.models import LogEntry, Player


@dataclass(frozen=True)
class Turn:
    """The lines of one turn, in order.

    ``player`` is whose turn it was, ``None`` where no seat made its first entry; ``colour`` is
    that of the seat.
    """

    lines: tuple[Line, ...]
    player: Player | None
    colour: Colour | None


def turns(
    lines: Sequence[Line], players: Sequence[Player], colours: Sequence[Colour]
) -> list[Turn]:
    """Return lines of a log by turns, in order; a turn ends with the event that says so."""
    return [_turn(group, players, colours) for group in _groups(lines)]


def _groups(lines: Sequence[Line]) -> Iterator[tuple[Line, ...]]:
    group: list[Line] = []
    for line in lines:
        group.append(line)
        if _ended(line):
            yield tuple(group)
            group = []
    if group:
        yield tuple(group)


def _ended(line: Line) -> list[int]:
    """Return the seats whose turns ended with an entry."""
    return [event["seat"] for event in line.entry.events if event["type"] == TURN_ENDED]


def _turn(group: tuple[Line, ...], players: Sequence[Player], colours: Sequence[Colour]) -> Turn:
    moves = [line.entry.seat for line in group if line.entry.kind == LogEntry.Kind.PLAY]
    seats = [*_ended(group[-1]), *moves, group[0].entry.seat]
    seat = next((seat for seat in seats if seat is not None), None)
    if seat is None:
        return Turn(group, None, None)
    return Turn(group, players[seat], colours[seat])
