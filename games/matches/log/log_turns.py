"""The log by turns: what belongs to one turn stands under one heading."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from games.matches.log.log_entries import PLAY
from games.matches.log_lines import Line
from games.matches.models import Player


class Turn(NamedTuple):
    """The lines of one turn, in order.

    ``player`` is whose turn it was, ``None`` where no seat made its first entry.
    """

    lines: tuple[Line, ...]
    player: Player | None

    @property
    def seat(self) -> int | None:
        """The seat whose turn it was; ``None`` where no seat made its first entry."""
        return self.player.seat if self.player else None


def turns(lines: Sequence[Line], players: Sequence[Player]) -> list[Turn]:
    """Return lines of a log by turns, in order; a turn ends with the event that says so."""
    return [_turn(group, players) for group in _groups(lines)]


def _groups(lines: Sequence[Line]) -> Iterator[tuple[Line, ...]]:
    group: list[Line] = []
    for line in lines:
        group.append(line)
        if line.entry.turns_ended:
            yield tuple(group)
            group = []
    if group:
        yield tuple(group)


def _turn(group: tuple[Line, ...], players: Sequence[Player]) -> Turn:
    moves = (line.entry.seat for line in group if line.entry.kind == PLAY)
    seats = chain(group[-1].entry.turns_ended, moves, (group[0].entry.seat,))
    seat = next((seat for seat in seats if seat is not None), None)
    return Turn(group, None if seat is None else players[seat])
