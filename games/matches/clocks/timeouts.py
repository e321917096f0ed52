"""Dropping players whose time has run out, in one match or in many at once."""

from collections import Counter
from collections.abc import Collection, Sequence
from contextlib import suppress
from datetime import datetime, timedelta

from games.kernel.contract import Seat
from games.matches import selectors, store
from games.matches.errors import Refused
from games.matches.models import LogEntry, Player
from games.matches.notify import watching
from games.matches.preconditions import late_seats
from games.matches.update import MatchUpdate, Outcome, retry


def time_out(*, match_id: int, now: datetime) -> Outcome | None:
    """Drop every player of a match whose time has run out. ``None`` without one."""
    try:
        return retry(lambda: _time_out(match_id, now))
    except _InTime:
        return None


class _InTime(Refused):
    """Nobody's time has run out."""


def _time_out(match_id: int, now: datetime) -> Outcome | None:
    update = MatchUpdate.load(match_id, now)
    _drop_late(update)
    return update.commit("timeout")


def _drop_late(update: MatchUpdate) -> None:
    """:raises _InTime: nobody's time has run out."""
    late = late_seats(update)
    if not late:
        raise _InTime(f"Nobody's time has run out in {update.snapshot.match}.")
    for seat in late:
        if update.snapshot.title.result(update.state) is None:
            update.drop(seat, LogEntry.Kind.TIMEOUT, Player.Dropped.TIMEOUT)


def end_late_match(*, match_id: int, now: datetime) -> Outcome | None:
    """End a running match at once: the player who has taken the most time is out of time.

    With several players, the others are ranked by the current position. Time counts by the
    calendar, whatever stopped the clocks. Returns ``None`` if the match has ended.

    :raises GameError: the match can't be read.
    """
    try:
        return retry(lambda: _end_late_match(match_id, now))
    except _InTime:
        return None


def _end_late_match(match_id: int, now: datetime) -> Outcome | None:
    update = MatchUpdate.load(match_id, now)
    if not update.snapshot.match.is_running:
        raise _InTime(f"{update.snapshot.match} has ended.")
    seat = slowest(update.snapshot, now)
    update.drop(seat, LogEntry.Kind.TIMEOUT, Player.Dropped.TIMEOUT)
    if update.snapshot.title.result(update.state) is None:
        update.close(None)
    return update.commit("timeout")


def slowest(snapshot: selectors.MatchSnapshot, now: datetime) -> Seat:
    """Return the seat still in that has taken the most time. The one to move loses a tie."""
    taken: Counter[int] = Counter()
    before = snapshot.match.created
    for entry in selectors.log(snapshot.match):
        if entry.seat is not None:
            taken[entry.seat] += int((entry.at - before) / timedelta(seconds=1))
        before = entry.at
    waiting = int((now - before) / timedelta(seconds=1))
    for player in snapshot.players:
        taken[player.seat] += waiting if player.to_move else 0
    still_in = [player for player in snapshot.players if not player.dropped]
    late = max(still_in, key=lambda one: (taken[one.seat], one.to_move, -one.seat))
    return Seat(late.seat)


def time_out_all(*, match_ids: Collection[int], now: datetime) -> set[int]:
    """Drop late players in several matches with few queries, and return the changed matches.

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
    """Write finalized changes and announce the successful ones. Return their matches."""
    by_id = {update.snapshot.match.pk: update for update in updates}
    watchers = watching.told_of_ends(by_id)
    changes = [update.change(watchers[match_id]) for match_id, update in by_id.items()]
    written = zip(by_id.items(), store.commit_all(changes), strict=True)
    plans = {match_id: plans for (match_id, _), plans in written if plans is not None}
    for match_id, those in plans.items():
        by_id[match_id].announce_on_commit(those, later=True)
    return set(plans)
