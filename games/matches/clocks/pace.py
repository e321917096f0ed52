"""How fast players usually answer: worked out from the log by the clockwork, not in requests.

An answer is the first move of a turn, in matches of people who have a clock; what counts is the
time that the clock ran for it, so that vacations and weekends do not.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from statistics import median

from django.db.models import Exists, F, Max, OuterRef

from accounts.models import User
from games.matches.models import LogEntry, Pace, Player

MEMORY = timedelta(days=90)
"""How long an answer counts."""

LATEST = 200
"""So many answers of a player count, the latest."""

LEAST = 5
"""Nothing is said of who has given fewer."""


def measure(*, now: datetime) -> int:
    """Work out the pace of everybody who has moved since the last time; return how many that are.

    What is written is looked at once more where it was not yet committed when a later entry was.
    """
    last = Pace.objects.aggregate(last=Max("entry"))["last"] or 0
    newest = LogEntry.objects.aggregate(newest=Max("pk"))["newest"] or 0
    moved = LogEntry.objects.filter(pk__gt=last - LATEST, pk__lte=newest, kind=LogEntry.Kind.PLAY)
    seats = Player.objects.filter(match__log__in=moved, seat=F("match__log__seat"), is_bot=False)
    found = [_pace(user_id, newest, now) for user_id in set(seats.values_list("user", flat=True))]
    Pace.objects.bulk_create(
        found,
        update_conflicts=True,
        unique_fields=["user"],
        update_fields=["median", "answers", "entry"],
    )
    return len(found)


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
        at__gte=now - MEMORY,
    )
    answers = moves.filter(~Exists(goes_on)).order_by("-pk").values_list("thinking", flat=True)
    times = list(answers[:LATEST])
    usual = median(times) if times else None
    return Pace(user_id=user_id, median=usual, answers=len(times), entry=newest)


def usual(user: User) -> timedelta | None:
    """Return how fast a player usually answers; ``None`` where too little is known."""
    return usual_of([user.pk]).get(user.pk)


def usual_of(user_ids: Collection[int]) -> dict[int, timedelta]:
    """Return how fast players usually answer, by id; without those of whom too little is known."""
    known = Pace.objects.filter(user__in=user_ids, answers__gte=LEAST)
    return {pk: median for pk, median in known.values_list("user", "median") if median is not None}
