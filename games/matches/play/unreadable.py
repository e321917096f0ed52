"""Matches that the installed rules can't read: set aside by the sweeps, their log as text.

While a match is set aside its clocks are stopped, and the sweeps skip it. It can still be annulled,
and cancelled as long as any match can. When it can be read again its clocks resume, and the time of
the turn in which they were stopped is given back.
"""

import logging
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import translation

from accounts import outgoing
from games.matches import pauses, selectors
from games.matches.deadlines import run_clock
from games.matches.errors import LOG, Unreadable, reading
from games.matches.isolation import IsolatedErrors
from games.matches.log import log_entries
from games.matches.models import LogEntry, Match, Player, SetAside
from games.matches.notify import notifications
from games.matches.selectors import MatchSnapshot

log = logging.getLogger(__name__)

Result = TypeVar("Result")

HIDDEN = "hidden until the end"
"""Replaces the text of a move that may contain a secret."""


@dataclass(frozen=True)
class TextEntry:
    """A log entry without its rules: its maker (empty for a moderator) and the stored text."""

    entry: LogEntry
    player: str
    text: str


def text_log(snapshot: MatchSnapshot) -> list[TextEntry]:
    """Return the log of a match as text for all readers, without using its rules.

    While the match is running, a move whose text may contain a secret is hidden: the newest valid
    one if the game has secrets, all of them if its rules aren't installed.
    """
    names = {player.seat: player.user.shown_name for player in snapshot.players}
    entries = selectors.log(snapshot.match)
    hidden = _hidden_numbers(snapshot, entries)
    return [
        TextEntry(
            entry,
            "" if entry.seat is None else names.get(entry.seat, ""),
            HIDDEN if entry.number in hidden and entry.text else entry.text,
        )
        for entry in entries
    ]


def _hidden_numbers(snapshot: MatchSnapshot, entries: list[LogEntry]) -> set[int]:
    if not snapshot.match.is_running:
        return set()
    title = snapshot.table.known_title
    if title is None:
        return {entry.number for entry in entries}
    newest = log_entries.newest_move(entries) if title.meta.has_secrets else None
    return {newest.number} if newest else set()


class UnreadableSetAside:
    """Sets a match aside if the block can't read it, and goes on after the block."""

    def __init__(self, match_id: int, now: datetime) -> None:
        self._match_id = match_id
        self._now = now

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> bool:
        if not isinstance(error, Unreadable):
            return False
        set_aside(self._match_id, error, now=self._now)
        return True


def set_aside(match_id: int, error: Unreadable, *, now: datetime) -> None:
    """Stop the clocks of a running match until it can be read, and notify the admins once."""
    with transaction.atomic():
        match = _locked(match_id)
        if not match.is_running:
            return
        defaults = {"since": now, "part": error.part}
        if not SetAside.objects.get_or_create(match=match, defaults=defaults)[1]:
            return
        players = Player.objects.filter(match=match)
        players.update(clock_since=None, deadline=None, remind_at=None)
        _tell_admins(match, error, now)
    log.warning("Match %s is set aside, and its clocks are stopped: %s", match_id, error)


def _tell_admins(match: Match, error: Unreadable, now: datetime) -> None:
    with translation.override(settings.LANGUAGE_CODE):
        text = (
            f"{error} Its clocks are stopped until it can be read again.\n\n"
            f"{settings.SITE_URL}{match.get_absolute_url()}\n\n"
            "A release that can read it starts its clocks again. A moderator can annul it."
        )
        for admin in settings.ADMINS:
            outgoing.write(to=admin[1], subject=f"[Turnstone] {error}", text=text, now=now)


def look_again(*, now: datetime) -> None:
    """Resume the clocks of matches that can be read again, and forget those that have ended."""
    SetAside.objects.exclude(match__status=Match.Status.RUNNING).delete()
    for match_id in list(SetAside.objects.values_list("match_id", flat=True)):
        with IsolatedErrors(f"Match {match_id}"):
            _look_again(match_id, now)


def _look_again(match_id: int, now: datetime) -> None:
    try:
        check_readable(selectors.snapshot(match_id))
    except Unreadable:
        return
    _resume(match_id, now)


def check_readable(snapshot: MatchSnapshot) -> None:
    """Check that the rules, the position and the events of a match can be read.

    :raises Unreadable: one of them can't.
    """
    snapshot.table.load(snapshot.match.position)
    with reading(snapshot.match, LOG):
        for entry in selectors.log(snapshot.match):
            for event in entry.events:
                snapshot.title.read_event(event)


def _resume(match_id: int, now: datetime) -> None:
    outages = selectors.outages_until(now)
    with transaction.atomic():
        match = _locked(match_id)
        if not SetAside.objects.filter(match=match).delete()[0]:
            return
        stopped = match.players.filter(to_move=True, clock_since=None)
        players = list(stopped) if match.is_running else []
        for player in players:
            run_clock(player, now, outages)
            player.save(update_fields=["clock_since", "deadline", "remind_at"])
        run = [one for one in players if one.clock_since and not pauses.is_stopped(one, now)]
        notifications.clocks_run_on(match, run, now)
    log.warning("Match %s can be read again, and its clocks run on.", match_id)


def _locked(match_id: int) -> Match:
    """Lock a match and raise its clock epoch, so that concurrent changes retry."""
    rows = Match.objects.filter(pk=match_id)
    rows.update(clock_epoch=F("clock_epoch") + 1)
    return rows.get()
