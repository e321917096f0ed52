"""The last entries of the logs of matches, as a process has read them before.

An entry never changes, so that only those are read that were written since; what was worked out of
an entry for a page stays with it.
"""

import json
from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

from django.db import connection

from games.matches import rows, selectors
from games.matches.models import LogEntry, Match

MATCHES = 200
"""Logs that are kept, the last ones that were read."""

ENTRIES = 80
"""The most entries that are kept of a log."""

_lock = Lock()
_logs: OrderedDict[int, tuple[LogEntry, ...]] = OrderedDict()


def latest(match: Match, count: int) -> list[LogEntry]:
    """Return the last entries of a log in order, at most ``count``."""
    last = match.version
    first = max(0, last - count)
    kept = _logs.get(match.pk, ())
    if not kept or kept[0].number > first + 1 or kept[-1].number < first:
        kept = ()
    known = kept[-1].number if kept else first
    is_whole = bool(kept) and known >= last
    entries = kept if is_whole else (*kept, *_read(match, known, last))
    # What is read in a transaction may be undone with it.
    if not connection.in_atomic_block:
        _keep(match.pk, entries)
    return [entry for entry in entries if first < entry.number <= last]


def add(match_id: int, entries: Sequence[LogEntry]) -> None:
    """Keep entries that were written just now, where those before them are kept.

    They become what they are read as. Those with traces are long, and are read without them.
    """
    kept = _logs.get(match_id, ())
    follow = bool(kept) and kept[-1].number == entries[0].number - 1
    if connection.in_atomic_block or not follow or any(entry.trace for entry in entries):
        return
    for entry in entries:
        for name in ("chance", "sides", "events"):
            setattr(entry, name, json.loads(json.dumps(getattr(entry, name))))
    _keep(match_id, (*kept, *entries))


def _read(match: Match, after: int, upto: int) -> list[LogEntry]:
    if rows.is_spoken():
        return rows.log(match, after, upto)
    return selectors.log(match, after=after, upto=upto)


def _keep(match_id: int, entries: tuple[LogEntry, ...]) -> None:
    """Keep entries unless newer ones were kept meanwhile."""
    with _lock:
        kept = _logs.get(match_id, ())
        if entries and (not kept or kept[-1].number < entries[-1].number):
            _logs[match_id] = entries[-ENTRIES:]
        if match_id in _logs:
            _logs.move_to_end(match_id)
        if len(_logs) > MATCHES:
            _logs.popitem(last=False)


def clear() -> None:
    """Forget all."""
    with _lock:
        _logs.clear()
