"""Dropping players whose time has run out, in one match or in many at once."""

from collections.abc import Collection, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial

from games.matches import store
from games.matches.errors import Refused
from games.matches.models import LogEntry, Player
from games.matches.notify import watching
from games.matches.preconditions import late_seats
from games.matches.update import MatchUpdate, Outcome, retry


def time_out(*, match_id: int, now: datetime) -> Outcome | None:
    """Drop every player of a match whose time has run out; return ``None`` if there is none."""
    try:
        return retry(partial(_time_out, match_id, now))
    except _InTime:
        return None


class _InTime(Refused):
    """Nobody's time has run out."""


def _time_out(match_id: int, now: datetime) -> Outcome | None:
    update = MatchUpdate.load(match_id, now)
    _drop_late(update)
    return update.commit("timeout")


def _drop_late(update: MatchUpdate) -> None:
    """Drop the players whose time has run out.

    :raises _InTime: there is none.
    """
    late = late_seats(update)
    if not late:
        raise _InTime(f"Nobody's time has run out in {update.snapshot.match}.")
    for seat in late:
        if update.snapshot.title.result(update.state) is None:
            update.drop(seat, LogEntry.Kind.TIMEOUT, Player.Dropped.TIMEOUT)


def time_out_all(*, match_ids: Collection[int], now: datetime) -> set[int]:
    """Drop late players in several matches with few queries; return the matches that changed.

    The others are unchanged: nobody is late any more, another change was first, or they can't be
    read. :func:`time_out` finds out which.

    :raises IntegrityError: a row was refused, and no match has changed.
    """
    decided = []
    for update in MatchUpdate.load_all(match_ids, now):
        with suppress(Exception):
            _drop_late(update)
            update.finalize("timeout")
            decided.append(update)
    return _write_all(decided)


def _write_all(updates: Sequence[MatchUpdate]) -> set[int]:
    """Write finalized changes and announce those that succeeded; return their matches."""
    by_id = {update.snapshot.match.pk: update for update in updates}
    watchers = watching.told_of_ends(by_id)
    changes = [update.change(watchers[match_id]) for match_id, update in by_id.items()]
    written = zip(by_id.items(), store.commit_all(changes), strict=True)
    plans = {match_id: plans for (match_id, _), plans in written if plans is not None}
    for match_id, those in plans.items():
        by_id[match_id].tell(those, later=True)
    return set(plans)
