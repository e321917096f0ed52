"""Database queries of sockets. Those of every move run in the loop, others in a thread."""

from datetime import timedelta
from typing import Any, NamedTuple

from channels.db import database_sync_to_async
from django.utils import timezone

from accounts import presence, sessions
from accounts.models import User
from accounts.sanctions import standing as sanctions
from games.events.models import Tournament
from games.matches.models import LogEntry, Match, Player
from games.matches.notify import push
from games.matches.notify import watching as watches
from games.matches.notify.counts import counts_of
from games.matches.notify.notifications import page_key
from games.matches.store import in_thread
from games.talk import groups
from games.talk.models import Line

MAX_WATCHED = 50
"""Maximum number of watched matches for which a list gets live updates."""


RECENT_PERIOD = timedelta(seconds=5)
"""Period of one poll for changes; longer than the interval between two polls."""

MAX_RECENT = 500
"""Maximum number of log entries, and of chat lines, read by one poll."""


class GroupMessage(NamedTuple):
    """A change to send to a channel group. ``number`` distinguishes two changes of a kind."""

    group: str
    kind: str
    match_id: int
    number: int

    @property
    def message(self) -> dict[str, Any]:
        """The message to the group, as :mod:`games.matches.notify.push` sends it."""
        version = {"version": self.number} if self.kind == "match.changed" else {}
        return {"type": self.kind, **version}


class MatchStatus(NamedTuple):
    """Version and clock epoch of a match, and whether it is running."""

    version: int
    epoch: int
    is_running: bool


@database_sync_to_async  # type: ignore[untyped-decorator]
def standing(match_id: int) -> MatchStatus | None:
    """Return version, epoch and status of a match. ``None`` if it doesn't exist."""
    rows = Match.objects.filter(pk=match_id).values_list("version", "clock_epoch", "status")
    first = rows.first()
    return MatchStatus(*first[:2], first[2] == Match.Status.RUNNING) if first else None


@database_sync_to_async  # type: ignore[untyped-decorator]
def changes_of_event(tournament_id: int) -> int | None:
    """Return how often a tournament has changed. ``None`` if it doesn't exist."""
    return Tournament.objects.filter(pk=tournament_id).values_list("changes", flat=True).first()


@database_sync_to_async  # type: ignore[untyped-decorator]
def recent_changes() -> list[GroupMessage]:
    """Return recent changes of matches and chats, in three queries.

    The latest rows are read by id and filtered here, since no index holds their times.
    """
    since = timezone.now() - RECENT_PERIOD
    entries = LogEntry.objects.order_by("-pk").values_list("at", "match_id", "match__version")
    versions = {pk: version for at, pk, version in entries[:MAX_RECENT] if at >= since}
    players = Player.objects.filter(match_id__in=versions).values_list("match_id", "user_id")
    lines = Line.objects.order_by("-pk").values_list("created", "pk", "match_id", "room")
    return [
        *(GroupMessage(push.match_group(pk), "match.changed", pk, versions[pk]) for pk in versions),
        *(
            GroupMessage(push.user_group(user), "user.changed", pk, versions[pk])
            for pk, user in players
        ),
        *(
            GroupMessage(groups.group(pk, room), "chat.changed", pk, line)
            for created, line, pk, room in lines[:MAX_RECENT]
            if created >= since
        ),
    ]


@database_sync_to_async  # type: ignore[untyped-decorator]
def chats(match_id: int, user: Any) -> list[str]:
    """Return the groups of the chat rooms that a user may read."""
    return groups.of_reader(match_id, user)


@database_sync_to_async  # type: ignore[untyped-decorator]
def watched(user: Any) -> list[str]:
    """Return the groups of the most recently changed matches that a user watches."""
    latest = watches.running(user)[:MAX_WATCHED]
    return [push.match_group(match_id) for match_id in latest.values_list("pk", flat=True)]


@database_sync_to_async  # type: ignore[untyped-decorator]
def mark_seen(user_id: int, match_id: int | None) -> bool:
    """Record that a user is on the site, and has a match open. Return whether the match is new."""
    now = timezone.now()
    presence.touch(user_id, presence.SITE, now=now)
    if match_id is None:
        return False
    key = page_key(match_id)
    is_new = presence.last(user_id, key) is None
    presence.touch(user_id, key, now=now)
    return is_new


@in_thread
def counts(user_id: int, match_id: int | None) -> dict[str, int]:
    """Return the counts of a user for a page, which may be that of a match."""
    waiting, unseen, _ = counts_of(User(pk=user_id), match_id)
    return {"waiting": waiting, "unseen": unseen}


@database_sync_to_async  # type: ignore[untyped-decorator]
def signed_in(session_key: str) -> Any:
    return sessions.signed_in(session_key)


async def is_kept_out(user: Any) -> bool:
    """Whether a user is suspended or banned. Queries the database only if that is possible."""
    return getattr(user, "is_restricted", False) and bool(await _stops(user))


@database_sync_to_async  # type: ignore[untyped-decorator]
def _stops(user: Any) -> bool:
    return bool(sanctions.stops(user, timezone.now()))
