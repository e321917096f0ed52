"""The log by turns: the entries of one turn stand under one heading."""

from collections.abc import Iterator, Sequence
from itertools import chain

from games.matches.log.log_entries import PLAY
from games.matches.models import LogEntry


def turns(entries: Sequence[LogEntry]) -> Iterator[tuple[LogEntry, ...]]:
    """Yield the entries of each turn, in order; a turn ends with the event that says so."""
    turn: list[LogEntry] = []
    for entry in entries:
        turn.append(entry)
        if entry.turns_ended:
            yield tuple(turn)
            turn = []
    if turn:
        yield tuple(turn)


def seat_of(turn: Sequence[LogEntry]) -> int | None:
    """Return the seat whose turn it was; ``None`` if no seat made its first entry."""
    moves = (entry.seat for entry in turn if entry.kind == PLAY)
    seats = chain(turn[-1].turns_ended, moves, (turn[0].seat,))
    return next((seat for seat in seats if seat is not None), None)
