"""A simulated clock that jumps from event to event, and the site's jobs with it.

Between two events the scheduled jobs would find nothing to do, so they run only at ticks at which
they find something.
"""

import heapq
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import count
from typing import Any, ClassVar
from unittest import mock

from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.db import connection
from django.test.utils import override_settings
from django.utils import timezone

from accounts.models import Notification, User
from accounts.tasks import send_notifications
from games.lobby.models import Challenge
from games.lobby.tasks import expire_challenges
from games.matches import selectors
from games.matches.clocks import vacations
from games.matches.models import Match, Player, Sweep, Vacation
from games.matches.tasks import send_reminders, sweep_clocks
from games.matches.view import pictures

LINK = re.compile(r"https?://[^/\s]+(/matches/\d+/)")
EXAMPLE = re.compile(r"^To move by email, .* such as (.+)\.$", re.MULTILINE)
REPLIES = {"REPLY_DOMAIN": "play.example.org", "REPLY_AUTHSERV": "mx.example.org"}
"""Moves by mail are enabled."""

JOBS = (sweep_clocks, send_reminders, expire_challenges, send_notifications)
BEAT = timedelta(seconds=20)
DAY = timedelta(days=1)

MOST_IN_VAIN = 100
"""If jobs are due this often in succession, one never does its work."""


@dataclass(frozen=True)
class Posted:
    """A sent mail: recipient, time, Message-ID, and the matches of its links.

    ``reply_to`` is the address for a move such as ``example``. Empty without one.
    """

    to: str
    at: datetime
    id: str
    pages: frozenset[str]
    reply_to: str
    example: str


class Recorder(BaseEmailBackend):
    """A mail server that accepts everything, and stores what the account needs."""

    posted: ClassVar[list[Posted]] = []

    def send_messages(self, messages: Any) -> int:
        """Record each mail."""
        self.posted.extend(map(_noted, messages))
        return len(messages)


def _noted(message: EmailMessage) -> Posted:
    text, headers = str(message.body), message.message()  # as a mail server would be given it
    example = EXAMPLE.search(text)
    return Posted(
        to=message.to[0],
        at=timezone.now(),
        id=str(headers["Message-ID"]),
        pages=frozenset(LINK.findall(text)),
        reply_to=str(headers.get("Reply-To", "")),
        example=example[1] if example else "",
    )


@dataclass
class World:
    """The simulated clock, planned events, and notes.

    ``inboxes`` receive the mails to their addresses. ``troubles`` are sentences about failures.
    """

    now: datetime
    posted: list[Posted] = field(default_factory=list)
    inboxes: dict[str, Callable[[Posted], None]] = field(default_factory=dict)
    done: Counter[str] = field(default_factory=Counter)
    troubles: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._events: list[tuple[datetime, int, Callable[[], object]]] = []
        self._numbers = count()
        self._worked, self._in_vain = self.now, 0

    def plan(self, at: datetime, act: Callable[[], object]) -> None:
        """Plan an event."""
        heapq.heappush(self._events, (at, next(self._numbers), act))

    def run(self, until: datetime) -> None:
        """Run all events up to a time."""
        while True:
            tick = self._next_tick() or until
            at = self._events[0][0] if self._events else until
            if min(tick, at) >= until:
                break
            if tick <= at:
                self._work(tick)
            else:
                self._set(at)
                heapq.heappop(self._events)[2]()
        self._set(until)

    def _next_tick(self) -> datetime | None:
        """Return the next time at which jobs find something to do. ``None`` if nothing waits."""
        due = _first_due(self._worked)
        if due is None:
            return None
        first = max(due, self.now, self._worked + BEAT).timestamp()
        return datetime.fromtimestamp(-(-first // BEAT.seconds) * BEAT.seconds, UTC)

    def _work(self, tick: datetime) -> None:
        self._set(tick - BEAT)
        self.now = tick
        self._in_vain = self._in_vain + 1 if tick - self._worked <= BEAT else 0
        if self._in_vain == MOST_IN_VAIN:
            self.troubles.append(f"jobs found the same again and again at {tick}")
        self._worked, read = tick, len(self.posted)
        for job in JOBS:
            job()
        self.done["runs of the jobs"] += 1
        for mail in self.posted[read:]:
            if inbox := self.inboxes.get(mail.to):
                inbox(mail)

    def _set(self, at: datetime) -> None:
        """Set the clock. The sweeps in between have found nothing, but did run."""
        self.now = at
        note_sweep(selectors.DEADLINES, datetime.fromtimestamp(at.timestamp() // 20 * 20, UTC))


def note_sweep(name: str, at: datetime) -> None:
    """Record a sweep that found nothing."""
    Sweep.objects.filter(name=name).update(ran=at)


def _first_due(worked: datetime) -> datetime | None:
    """Return when the first job has something to do.

    :param worked: when the jobs ran last; users who weren't put on vacation then won't be.
    """
    ahead = worked + vacations.RESCUE_MARGIN
    with connection.cursor() as cursor:
        cursor.execute(_due_sql(), [connection.ops.adapt_datetimefield_value(ahead)])
        *moments, rescue = map(_moment, cursor.fetchone())
    if rescue:
        moments.append(rescue - vacations.RESCUE_MARGIN)
    untold = Vacation.objects.filter(end_told=False, end__gt=worked)
    moments += (max(begin, end - DAY) for begin, end in untold.values_list("begin", "end"))
    return min(filter(None, moments), default=None)


def _moment(value: Any) -> datetime | None:
    """Convert a time. SQLite stores text, and without a zone."""
    found: datetime | None = datetime.fromisoformat(value) if isinstance(value, str) else value
    return found and found.replace(tzinfo=UTC)


@cache
def _due_sql() -> str:
    """Return the SQL of all due times, built once: it is run at every step of the clock."""
    player, match, user, challenge, notification = (
        model._meta.db_table for model in (Player, Match, User, Challenge, Notification)
    )
    running = f"{player} p JOIN {match} m ON m.id = p.match_id AND m.status = 'running'"
    waiting = ", ".join(f"'{state}'" for state in Notification.WAITING)
    return f"""
        SELECT
            (SELECT MIN(p.deadline) FROM {running}),
            (SELECT MIN(p.remind_at) FROM {running}),
            (SELECT MIN(expires) FROM {challenge} WHERE status IN ('open', 'revealing')),
            (SELECT MIN(next_try) FROM {notification} WHERE mail_state IN ({waiting})),
            (SELECT MIN(p.deadline) FROM {running} JOIN {user} u ON u.id = p.user_id
                WHERE u.auto_vacation AND p.deadline > %s)
    """


@contextmanager
def simulated(begin: datetime) -> Iterator[World]:
    """Run the site by a simulated clock, with its mails going to the account."""
    world = World(begin)
    Recorder.posted = world.posted
    Sweep.objects.create(name=selectors.DEADLINES, ran=begin)
    with (
        override_settings(EMAIL_BACKEND=f"{__name__}.Recorder", **REPLIES),
        mock.patch.object(timezone, "now", side_effect=lambda: world.now),
        # Drawing the board takes most of the time of a mail, and says nothing of notices.
        mock.patch.object(pictures, "png", return_value=b"\x89PNG\r\n\x1a\n"),
    ):
        yield world
