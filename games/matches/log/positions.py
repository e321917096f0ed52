"""The positions of a match, each in the time that a few entries take to replay.

Every so many entries the position is stored (:class:`~games.matches.models.Checkpoint`), with the
change that leads to it; what is lacking, as in matches from before, is stored when it is replayed.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from accounts.optional import optional_write
from games.kernel.dice import RecordedDice
from games.matches import selectors
from games.matches.errors import LOG
from games.matches.models import Checkpoint, LogEntry, Match
from games.matches.selectors import MatchSnapshot


def state_after(snapshot: MatchSnapshot, number: int) -> Any:
    """Return the state after entry ``number`` of the log, 0 for the start.

    :raises Unreadable: the log does not replay by the rules of the match.
    """
    base = _checkpoint(snapshot.match, number)
    entries = selectors.log(snapshot.match, after=base.number, upto=number)
    while (earliest := _earliest(entries, base.number)) < base.number:
        base = _checkpoint(snapshot.match, earliest)
        entries = selectors.log(snapshot.match, after=base.number, upto=number)
    with selectors.reading(snapshot.match, LOG):
        states = _replayed(snapshot, base, entries)
        _store(snapshot, states, base.number)
        return states[number]


def _checkpoint(match: Match, number: int) -> Checkpoint:
    """Return the last position stored up to an entry; without any, the start as number 0."""
    checkpoints = Checkpoint.objects.filter(match=match, number__lte=number).order_by("-number")
    return checkpoints.first() or Checkpoint(match_id=match.pk, number=0)


def _earliest(entries: Iterable[LogEntry], first: int) -> int:
    """Return the earliest position that entries go on from: a take-back restores an older one."""
    return min([first, *(entry.undoes - 1 for entry in entries if entry.undoes)])


def _replayed(
    snapshot: MatchSnapshot, base: Checkpoint, entries: Iterable[LogEntry]
) -> Mapping[int, Any]:
    """Return the state at a checkpoint and those that the entries after it led to."""
    first = snapshot.load(base.position) if base.number else selectors.setup(snapshot).state
    states = {base.number: first}
    for entry in entries:
        before = states[(entry.undoes or entry.number) - 1]
        dice = RecordedDice(entry.chance)
        states[entry.number] = selectors.after(snapshot, before, entry, dice).state
    return states


def _store(snapshot: MatchSnapshot, states: Mapping[int, Any], first: int) -> None:
    """Store the positions that are lacking after an entry."""
    lacking = range(first + Checkpoint.EVERY, max(states) + 1, Checkpoint.EVERY)
    checkpoints = [
        Checkpoint(
            match=snapshot.match,
            number=number,
            position=snapshot.title.dump(states[number]),
        )
        for number in lacking
    ]
    if checkpoints:
        with optional_write("positions of a match"):
            Checkpoint.objects.bulk_create(checkpoints, ignore_conflicts=True)
