"""What sockets ask the database, in the thread of queries unless it is asked with every move."""

from datetime import timedelta
from typing import Any, NamedTuple

from channels.db import database_sync_to_async
from django.utils import timezone

from accounts import presence, sessions
from accounts.sanctions import standing as sanctions
from games.matches import listing
from games.matches.models import LogEntry, Match, Player
from games.matches.notify import push
from games.matches.notify import watching as watches
from games.matches.store import in_thread
from games.talk import groups
from games.talk.models import Line

MOST_WATCHED = 50
"""The most matches that a list of watched ones is live for."""


RECENT = timedelta(seconds=5)
"""How far back a look at recent changes goes: further than the time between two looks."""

MOST_RECENT = 500
"""The most log entries, and as many chat lines, that one look reads."""


class Change(NamedTuple):
    """A change that a channel group should hear of. ``number`` tells two of a kind apart."""

    group: str
    kind: str
    match_id: int
    number: int

    @property
    def message(self) -> dict[str, Any]:
        """The message to the group, as :mod:`games.matches.notify.push` sends it."""
        version = {"version": self.number} if self.kind == "match.changed" else {}
        return {"type": self.kind, **version}


class Standing(NamedTuple):
    """Version and clock epoch of a match, and whether it goes on."""

    version: int
    epoch: int
    is_running: bool


@database_sync_to_async  # type: ignore[untyped-decorator]
def standing(match_id: int) -> Standing | None:
    """Return how a match stands; ``None`` if there is none."""
    found = Match.objects.filter(pk=match_id).values_list("version", "clock_epoch", "status")
    first = found.first()
    return Standing(*first[:2], first[2] == Match.Status.RUNNING) if first else None


@database_sync_to_async  # type: ignore[untyped-decorator]
def recent_changes() -> list[Change]:
    """Return what changed in matches and their chats in the last seconds, in three queries.

    The latest rows are read by their ids and judged here: no index holds their times.
    """
    since = timezone.now() - RECENT
    entries = LogEntry.objects.order_by("-pk").values_list("at", "match_id", "match__version")
    versions = {pk: version for at, pk, version in entries[:MOST_RECENT] if at >= since}
    players = Player.objects.filter(match_id__in=versions).values_list("match_id", "user_id")
    lines = Line.objects.order_by("-pk").values_list("created", "pk", "match_id", "room")
    return [
        *(Change(push.match_group(pk), "match.changed", pk, versions[pk]) for pk in versions),
        *(Change(push.user_group(user), "user.changed", pk, versions[pk]) for pk, user in players),
        *(
            Change(groups.group(pk, room), "chat.changed", pk, line)
            for created, line, pk, room in lines[:MOST_RECENT]
            if created >= since
        ),
    ]


@database_sync_to_async  # type: ignore[untyped-decorator]
def chats(match_id: int, user: Any) -> list[str]:
    """Return the groups of the rooms that a user may read."""
    return groups.of_reader(match_id, user)


@database_sync_to_async  # type: ignore[untyped-decorator]
def watched(user: Any) -> list[str]:
    """Return the groups of the matches in which something happened last of those watched."""
    latest = watches.running(user)[:MOST_WATCHED]
    return [push.match_group(match_id) for match_id in latest.values_list("pk", flat=True)]


@database_sync_to_async  # type: ignore[untyped-decorator]
def touch(user_id: int, page_key: str) -> bool:
    """Note that a user looks at a page; return whether they did not before."""
    is_new = presence.last(user_id, page_key) is None
    presence.touch(user_id, page_key, now=timezone.now())
    return is_new


@in_thread
def waiting(user_id: int) -> int:
    """Return how many matches wait for a user."""
    return listing.count_waiting(user_id)


@database_sync_to_async  # type: ignore[untyped-decorator]
def signed_in(session_key: str) -> Any:
    """Return whom a session signs in now."""
    return sessions.signed_in(session_key)


async def is_kept_out(user: Any) -> bool:
    """Whether somebody has no more to see than why they are kept out; asks only where it may be."""
    return getattr(user, "is_restricted", False) and bool(await _stops(user))


@database_sync_to_async  # type: ignore[untyped-decorator]
def _stops(user: Any) -> bool:
    return bool(sanctions.stops(user, timezone.now()))
