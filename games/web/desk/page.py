"""The page of a case: reports, the suspect's record, and possible accounts of the same person."""

from datetime import timedelta
from typing import Any

from django.db.models import Count, Q

from accounts import names
from accounts.models import User
from accounts.sanctions import traces
from accounts.sanctions.models import Sanction
from games.clubs import selectors as clubs
from games.matches import formatting
from games.matches.models import LogEntry, Player
from games.moderation import subjects
from games.moderation.models import AbandonedSeat, Case, ModeratorAction, SubstituteOffer
from games.noticeboards.models import Post
from games.talk.models import Line

MAX_ROWS = 20

INSTANT_MOVE = timedelta(seconds=10)
"""A move within this time was made without much thought, or by a program."""

SHORT = 10
"""A match that ended within this many log entries was hardly played."""

LATEST = 100
"""Number of a player's latest rated matches that are considered."""


def of(case: Case, moderator: User) -> dict[str, Any]:
    """Return the context of the page of a case."""
    suspect = case.suspect
    reports = [
        (report, subjects.found(report.subject, moderator))
        for report in case.reports.select_related("reporter")
    ]
    seats = Player.objects.filter(user=suspect).select_related("match").order_by("-match_id")
    earlier = Case.objects.filter(suspect=suspect).exclude(pk=case.pk).order_by("-opened")
    return {
        "case": case,
        "reports": reports,
        "notes": case.notes.select_related("author"),
        "seats": seats[:MAX_ROWS],
        "lines": Line.objects.filter(author=suspect).order_by("-created", "-pk")[:MAX_ROWS],
        "posts": Post.objects.filter(author=suspect).order_by("-created", "-pk")[:MAX_ROWS],
        "record": record(suspect),
        "pace": pace(suspect),
        "rated": rated(suspect),
        "rivals": rivals(suspect),
        "earlier": earlier[:MAX_ROWS],
        "sanctions": Sanction.objects.filter(user=suspect).order_by("-since")[:MAX_ROWS],
        "actions": ModeratorAction.objects.filter(user_id=suspect.pk)[:MAX_ROWS],
        "shared": traces.shared_with(suspect),
        "abandoned": AbandonedSeat.objects.filter(user=suspect).prefetch_related("choices__user"),
        "clubs": clubs.led_by(suspect),
        "offers": SubstituteOffer.objects.filter(case__suspect=suspect).select_related("user"),
    }


def record(suspect: User) -> dict[str, int]:
    """Count a player's matches with notable outcomes."""
    seats = Player.objects.filter(user=suspect)
    ended = seats.filter(ended__isnull=False)
    results = dict(ended.values_list("result").annotate(Count("pk")).order_by())
    dropped = dict(ended.values_list("dropped").annotate(Count("pk")).order_by())
    return {
        "running": seats.filter(ended=None).count(),
        "ended": ended.count(),
        "won": results.get("won", 0),
        "lost": results.get("lost", 0),
        "resigned": dropped.get("resigned", 0),
        "out of time": dropped.get("timeout", 0),
        "removed": dropped.get("removed", 0),
    }


def pace(suspect: User) -> dict[str, Any]:
    """Return a player's thinking times per move, in the latest matches with a clock."""
    seats = Player.objects.filter(user=suspect).order_by("-match_id")[:MAX_ROWS]
    times: list[timedelta] = []
    for seat in seats:
        moves = LogEntry.objects.filter(
            match=seat.match_id, seat=seat.seat, kind=LogEntry.Kind.PLAY
        )
        times += moves.filter(thinking__isnull=False).values_list("thinking", flat=True)
    if not times:
        return {}
    return {
        "moves": len(times),
        "median": formatting.left(sorted(times)[len(times) // 2]),
        "within_ten_seconds": sum(time < INSTANT_MOVE for time in times),
    }


def rated(suspect: User) -> dict[str, int]:
    """Count a player's lost recent rated matches, and those lost quickly.

    Many quick losses suggest losing on purpose, which lowers a rating.
    """
    seats = Player.objects.filter(user=suspect, match__rated=True, ended__isnull=False)
    latest = seats.exclude(result="").order_by("-match_id")[:LATEST]
    lost = [
        version
        for result, version in latest.values_list("result", "match__version")
        if result == "lost"
    ]
    return {
        "matches": len(latest),
        "lost": len(lost),
        "at_once": sum(version <= SHORT for version in lost),
    }


def rivals(suspect: User) -> list[dict[str, Any]]:
    """Return a player's most frequent opponents, and how often each side won.

    ``short`` counts rated matches that were hardly played. Many of them, won alternately, suggest
    arranged results.
    """
    own = Player.objects.filter(user=suspect, ended__isnull=False).exclude(result="")
    others = Player.objects.filter(match__in=own.values("match"), is_bot=False).exclude(
        user=suspect
    )
    counted = others.values("user__username").annotate(
        matches=Count("pk"),
        won=Count("pk", filter=Q(result="lost")),
        lost=Count("pk", filter=Q(result="won")),
        short=Count("pk", filter=Q(match__rated=True, match__version__lte=SHORT)),
    )
    most = counted.order_by("-matches", "user__username")[:5]
    return [{**rival, "name": names.shown(rival["user__username"])} for rival in most]
