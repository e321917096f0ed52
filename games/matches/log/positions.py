"""The positions of a match, each in the time that a few entries take to replay.

Positions are stored at intervals (:class:`~games.matches.models.Checkpoint`), with the change that
leads to them. A missing one, as in old matches, is stored when it is replayed.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from accounts.optional import optional_write
from games.kernel import replay
from games.matches import selectors
from games.matches.errors import LOG, reading
from games.matches.models import Checkpoint, LogEntry
from games.matches.table import Facts, Table


def state_after(table: Table, number: int) -> Any:
    """Return the state after entry ``number`` of the log, 0 for the start.

    :raises Unreadable: the log doesn't replay by the rules of the match.
    """
    base = _checkpoint(table.match, number)
    entries = selectors.log(table.match, after=base.number, upto=number)
    while (earliest := _earliest(entries, base.number)) < base.number:
        base = _checkpoint(table.match, earliest)
        entries = selectors.log(table.match, after=base.number, upto=number)
    with reading(table.match, LOG):
        first = table.load(base.position) if base.number else table.setup().state
        moments = replay.follow(table.title, first, entries, base.number)
        states = dict(enumerate([first, *(moment.state for moment in moments)], base.number))
        _store(table, states, base.number)
        return states[number]


def _checkpoint(match: Facts, number: int) -> Checkpoint:
    """Return the last position stored up to an entry. Without any, the start as number 0."""
    checkpoints = Checkpoint.objects.filter(match=match.pk, number__lte=number).order_by("-number")
    return checkpoints.first() or Checkpoint(match_id=match.pk, number=0)


def _earliest(entries: Iterable[LogEntry], first: int) -> int:
    """Return the earliest position that entries need: a take-back restores an older one."""
    return min([first, *(entry.undoes - 1 for entry in entries if entry.undoes)])


def _store(table: Table, states: Mapping[int, Any], first: int) -> None:
    """Store the missing positions after an entry."""
    lacking = range(first + Checkpoint.EVERY, max(states) + 1, Checkpoint.EVERY)
    checkpoints = [
        Checkpoint(
            match_id=table.match.pk,
            number=number,
            position=table.title.dump(states[number]),
        )
        for number in lacking
    ]
    if checkpoints:
        with optional_write("positions of a match"):
            Checkpoint.objects.bulk_create(checkpoints, ignore_conflicts=True)
