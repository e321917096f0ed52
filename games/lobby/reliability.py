"""Reliability: how often people play matches to the end, and limits for those who leave them.

A vacation stops the clock, so it causes no timeouts and doesn't count. A seat taken over by a
substitute counts as left. So does a rated match that a player cancelled alone or resigned before
their first move, if it is not the first within ``RECENT_PERIOD``. Older matches count less, by
days. Matches against bots don't count, as nobody waits.
"""

from collections import defaultdict
from collections.abc import Collection
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from typing import Any

from django.db import connection
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts import notifications
from accounts.models import Notification, User
from accounts.notifications import NotificationEmail, Summary
from games.lobby.models import Challenge, Invitation
from games.matches import store
from games.matches.errors import Refused
from games.matches.models import LogEntry, Player

COUNTED_PERIOD = timedelta(days=180)
"""How long a match counts after its end."""

HALF = timedelta(days=60)
"""The half-life of its weight."""

CREDIT = 3.0
"""Finished matches credited to everybody, so that a single match left weighs less."""

EARLY_ROUNDS = 5
"""Resigning within this many rounds counts as leaving, in matches of three or more players."""

MINIMUM_CHOICES = (0, 70, 80, 90, 95)
"""The minimum reliabilities that a challenge may ask for, in percent."""

RECENT_PERIOD = timedelta(days=30)
WARNED_AT = 2
"""Number of matches left at the first move within ``RECENT_PERIOD`` for a warning."""

LIMITED_AT = 3
"""Number of such matches for a limit."""

LEFT_AT_ONCE = "left-at-once"

PLAYED, LEFT, UNPLAYED = "played", "left", "unplayed"
"""How a seat was played: to the end, not to the end, or not at all, by the player's own choice."""

SEATS = """
    SELECT user_id, how, day, count(*) FROM (
        SELECT p.user_id, {ended} AS day, CASE
            WHEN p.result = '' THEN CASE
                WHEN (
                    SELECT m.rated AND m.status = 'cancelled' FROM match_match AS m
                    WHERE m.id = p.match_id
                ) AND EXISTS (
                    SELECT 1 FROM match_move AS e
                    WHERE e.match_id = p.match_id AND e.seat = p.seat
                    AND e.kind = 'cancel' AND e.text = ''
                ) THEN 'unplayed'
            END
            WHEN p.dropped = 'timeout' THEN 'left'
            WHEN p.dropped <> 'resigned' THEN 'played'
            WHEN (
                SELECT count(*) > 2 AND p.version <= {early_rounds} * count(*)
                FROM match_player AS s WHERE s.match_id = p.match_id
            ) THEN 'left'
            WHEN (SELECT m.rated FROM match_match AS m WHERE m.id = p.match_id)
            AND NOT EXISTS (
                SELECT 1 FROM match_move AS e
                WHERE e.match_id = p.match_id AND e.seat = p.seat AND e.kind = 'play'
            ) THEN 'unplayed'
            ELSE 'played'
        END AS how
        FROM match_player AS p
        WHERE p.ended >= %s AND NOT p.with_bots AND p.user_id IN ({people})
    ) AS seats
    GROUP BY user_id, how, day
    UNION ALL
    SELECT user_id, 'left', {at} AS day, count(*) FROM match_formerplayer
    WHERE at >= %s AND user_id IN ({people})
    GROUP BY user_id, day
"""
"""Counts seats as in the head of this module. NULL stands for matches that don't count.

Matches are read by scalar subqueries, since PostgreSQL might hash all cancelled ones for EXISTS.
"""


def of_many(user_ids: Collection[int], now: datetime) -> dict[int, int]:
    """Return reliabilities in percent by user id, without users who have no counted match."""
    total: defaultdict[int, float] = defaultdict(float)
    left: defaultdict[int, float] = defaultdict(float)
    unplayed: defaultdict[int, list[datetime]] = defaultdict(list)
    if not user_ids:
        return {}

    def add(user: int, day: datetime, count: int, *, is_left: bool) -> None:
        weight = count * 0.5 ** ((now - day) / HALF)
        total[user] += weight
        left[user] += weight if is_left else 0

    for user, how, day, count in _seats(user_ids, now - COUNTED_PERIOD):
        if how == UNPLAYED:
            unplayed[user] += [day] * count
        else:
            add(user, day, count, is_left=how == LEFT)
    for user, days in unplayed.items():
        for before, day in pairwise(sorted(days)):
            if day - before <= RECENT_PERIOD:
                add(user, day, 1, is_left=True)
    return {user: _percent(weight, left[user]) for user, weight in total.items()}


def _seats(user_ids: Collection[int], since: datetime) -> list[tuple[int, str, datetime, int]]:
    """Return the numbers of seats by user, how they were played, and day.

    For one user 0.3 ms of processor time; the ORM takes 6 ms to build the same query.
    """

    def decode(rows: list[tuple[Any, ...]]) -> list[tuple[int, str, datetime, int]]:
        return [(user, how, _midnight(day), count) for user, how, day, count in rows if how]

    people = [*user_ids]
    after = connection.ops.adapt_datetimefield_value(since)
    day = "CAST({} AT TIME ZONE 'UTC' AS date)" if store.is_postgresql() else "date({})"
    sql = SEATS.format(
        ended=day.format("p.ended"),
        at=day.format("at"),
        people=", ".join(["%s"] * len(people)),
        early_rounds=EARLY_ROUNDS,
    )
    return store.run(store.Statement(sql, [after, *people, after, *people], decode))


def _midnight(day: date | str) -> datetime:
    """Return when a day began, which SQLite returns as text."""
    begin = day if isinstance(day, date) else date.fromisoformat(day)
    return datetime.combine(begin, time(), UTC)


def _percent(total: float, left: float) -> int:
    return round(100 * (total - left + CREDIT) / (total + CREDIT))


def of(user: User, now: datetime) -> int | None:
    """Return a user's reliability in percent. ``None`` without a counted match."""
    return of_many([user.pk], now).get(user.pk)


def check_least(challenge: Challenge, user: User, now: datetime) -> None:
    """Check that a user is as reliable as a challenge demands. Newcomers always are.

    :raises Refused: they aren't.
    """
    least = challenge.least_reliability
    if least and (own := of(user, now)) is not None and own < least:
        raise Refused(
            _("This challenge asks for a reliability of {least} %; yours is {own} %.").format(
                least=least, own=own
            )
        )


def check_may_begin(user: User, now: datetime) -> None:
    """Check that a user may start a match, and warn users who are close to the limit.

    :raises Refused: the user has often left at the first move, and plays a match already.
    """
    left = _left_at_once(user, now)
    count = left.count()
    if why := _refusal(user, count):
        raise Refused(why)
    if count == WARNED_AT:
        last = left.order_by("-pk").values_list("match", flat=True)[0]
        notifications.notify(
            recipient=user,
            kind=LEFT_AT_ONCE,
            payload={"count": count},
            key=f"{LEFT_AT_ONCE}:{last}",
            now=now,
        )


def refusal_to_begin(user: User, now: datetime) -> str:
    """Return why a user may not start a match. Empty if they may."""
    return _refusal(user, _left_at_once(user, now).count())


def _refusal(user: User, count: int) -> str:
    if count < LIMITED_AT or not _is_playing(user):
        return ""
    text = ngettext(
        "Your time ran out at the first move of {count} match in the last {days} days. For now "
        "you can play one match at a time.",
        "Your time ran out at the first move of {count} matches in the last {days} days. For now "
        "you can play one match at a time.",
        count,
    )
    return text.format(count=count, days=RECENT_PERIOD.days)


def _left_at_once(user: User, now: datetime) -> QuerySet[Player]:
    """Return a user's seats in recent matches that they left without a move."""
    entries = LogEntry.objects.filter(match=OuterRef("match"), seat=OuterRef("seat"))
    late = entries.filter(kind=LogEntry.Kind.TIMEOUT, at__gte=now - RECENT_PERIOD)
    seats = Player.objects.filter(user=user, dropped=Player.Dropped.TIMEOUT, with_bots=False)
    return seats.filter(Exists(late), ~Exists(entries.filter(kind=LogEntry.Kind.PLAY)))


def _is_playing(user: User) -> bool:
    """Whether a user plays a match or has a pending seat."""
    if Player.objects.filter(user=user, ended=None, dropped="", with_bots=False).exists():
        return True
    pending = (Challenge.Status.OPEN, Challenge.Status.REVEALING)
    taken = Invitation.objects.filter(user=user, state=Invitation.State.TAKEN)
    return taken.filter(challenge__status__in=pending).exists()


def register() -> None:
    notifications.register(
        LEFT_AT_ONCE,
        title=gettext_lazy("You leave matches at the first move"),
        render=_email,
        summary=_summary,
    )


def _email(notification: Notification) -> NotificationEmail:
    text = _warning(notification)
    return NotificationEmail(_("Please play your matches"), text, f"<p>{text}</p>", "")


def _summary(notification: Notification) -> Summary:
    return Summary(_warning(notification), "")


def _warning(notification: Notification) -> str:
    count = notification.payload["count"]
    text = ngettext(
        "Your time ran out at the first move of {count} match in the last 30 days, and others "
        "waited for you. After the next one you can play one match at a time for a while.",
        "Your time ran out at the first move of {count} matches in the last 30 days, and others "
        "waited for you. After the next one you can play one match at a time for a while.",
        count,
    )
    return text.format(count=count)
