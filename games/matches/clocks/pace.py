"""How fast players usually answer, computed from the log by a scheduled job.

An answer is the first move of a turn, in matches between people with a clock. Only running time
counts, so vacations and weekends don't.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from statistics import median

from django.db.models import Exists, F, Max, OuterRef

from accounts.models import User
from games.matches.models import LogEntry, Pace, Player

COUNTED_PERIOD = timedelta(days=90)
"""How long ago an answer may be."""

MAX_COUNTED = 200
"""Maximum number of answers per player; the latest count."""

MIN_ANSWERS = 5
"""Players with fewer answers have no pace."""


def measure(*, now: datetime) -> int:
    """Update the pace of everybody who has moved since the last run; return their number.

    Entries committed after a later entry are read again.
    """
    last = Pace.objects.aggregate(last=Max("entry"))["last"] or 0
    newest = LogEntry.objects.aggregate(newest=Max("pk"))["newest"] or 0
    moved = LogEntry.objects.filter(
        pk__gt=last - MAX_COUNTED, pk__lte=newest, kind=LogEntry.Kind.PLAY
    )
    seats = Player.objects.filter(match__log__in=moved, seat=F("match__log__seat"), is_bot=False)
    paces = [_pace(user_id, newest, now) for user_id in set(seats.values_list("user", flat=True))]
    Pace.objects.bulk_create(
        paces,
        update_conflicts=True,
        unique_fields=["user"],
        update_fields=["median", "answers", "entry"],
    )
    return len(paces)


def _pace(user_id: int, newest: int, now: datetime) -> Pace:
    goes_on = LogEntry.objects.filter(
        match=OuterRef("match"), number=OuterRef("number") - 1, seat=OuterRef("seat")
    )
    seats = {"match__players__user": user_id, "match__players__with_bots": False}
    moves = LogEntry.objects.filter(
        **seats,
        seat=F("match__players__seat"),
        kind=LogEntry.Kind.PLAY,
        thinking__isnull=False,
        at__gte=now - COUNTED_PERIOD,
    )
    answers = moves.filter(~Exists(goes_on)).order_by("-pk").values_list("thinking", flat=True)
    times = list(answers[:MAX_COUNTED])
    usual = median(times) if times else None
    return Pace(user_id=user_id, median=usual, answers=len(times), entry=newest)


def usual(user: User) -> timedelta | None:
    """Return how fast a player usually answers. ``None`` with too few answers."""
    return usual_of([user.pk]).get(user.pk)


def usual_of(user_ids: Collection[int]) -> dict[int, timedelta]:
    """Return how fast players usually answer, by id, without those with too few answers."""
    known = Pace.objects.filter(user__in=user_ids, answers__gte=MIN_ANSWERS)
    return {pk: median for pk, median in known.values_list("user", "median") if median is not None}
