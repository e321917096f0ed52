"""A simulated clock that jumps from event to event, and the site's jobs with it.

Between two events the scheduled jobs of the site would find nothing to do. They run at their first
tick at which they would find something.
"""

import heapq
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from operator import attrgetter
from typing import Any, ClassVar
from unittest import mock

from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.test.utils import override_settings
from django.utils import timezone

from accounts.tasks import send_notifications
from bench.year import due
from bench.year.due import Due
from games.lobby.tasks import expire_challenges
from games.matches import selectors
from games.matches.models import Sweep
from games.matches.tasks import send_reminders, sweep_clocks
from games.matches.view import pictures

LINK = re.compile(r"https?://[^/\s]+(/(?:matches|challenges)/\d+/)")
EXAMPLE = re.compile(r"^To move by email, .* such as (.+)\.$", re.MULTILINE)
REPLIES = {"REPLY_DOMAIN": "play.example.org", "REPLY_AUTHSERV": "mx.example.org"}
"""Moves by mail are enabled."""

MOST_IN_VAIN = 30
"""A job that is due this often in succession never does its work."""


@dataclass(frozen=True)
class Posted:
    """A sent mail: recipient, time, Message-ID, and the pages of its links.

    ``reply_to`` is the address for a move such as ``example``. Empty without one.
    """

    to: str
    at: datetime
    id: str
    pages: frozenset[str]
    reply_to: str = ""
    example: str = ""


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
class Job:
    """A scheduled job: its period in seconds, and its own due times."""

    name: str
    period: int
    run: Callable[[], object]
    due: Callable[[Due], datetime | None]
    last: datetime
    in_vain: int = 0

    def next_tick(self, found: Due, now: datetime) -> datetime | None:
        """Return the first tick with something to do. ``None`` if nothing waits."""
        due = self.due(found)
        if due is None:
            return None
        first = max(due, now, self.last + timedelta(seconds=self.period))
        seconds = -(-first.timestamp() // self.period) * self.period
        return datetime.fromtimestamp(seconds, UTC)


@dataclass
class World:
    """The simulated clock, planned events, and notes.

    ``inboxes`` receive the mails to their addresses. ``troubles`` are sentences about failures.
    """

    now: datetime
    jobs: list[Job] = field(default_factory=list)
    posted: list[Posted] = field(default_factory=list)
    inboxes: dict[str, Callable[[Posted], None]] = field(default_factory=dict)
    done: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    troubles: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._events: list[tuple[datetime, int, Callable[[], bool]]] = []
        self._numbers = count()
        self._next: tuple[datetime, Job] | None = None
        self.jobs = [Job(*job, last=self.now) for job in JOBS]

    def plan(self, at: datetime, act: Callable[[], bool]) -> None:
        """Plan an event, which returns whether it may have given jobs work."""
        heapq.heappush(self._events, (at, next(self._numbers), act))

    def run(self, until: datetime) -> None:
        """Run all events up to a time."""
        while True:
            tick, job = self._next = self._next or self._next_tick(until)
            at = self._events[0][0] if self._events else until
            if min(tick, at) >= until:
                break
            if tick <= at:
                self._tick(tick, job)
                self._next = None
            else:
                self._set(at)
                if heapq.heappop(self._events)[2]():
                    self._next = None
        self._set(until)

    def _next_tick(self, until: datetime) -> tuple[datetime, Job]:
        """Return the next job that has something to do, and when. None has after ``until``."""
        clocks, reminders, *_ = self.jobs
        found = due.read(clocks.last, reminders.last)
        ticks = [(job.next_tick(found, self.now) or until, job) for job in self.jobs]
        return min(ticks, key=lambda found: found[0])

    def _tick(self, tick: datetime, job: Job) -> None:
        self._set(tick - timedelta(seconds=job.period))
        self.now = tick
        job.in_vain = job.in_vain + 1 if tick - job.last <= timedelta(seconds=job.period) else 0
        if job.in_vain == MOST_IN_VAIN:
            self.troubles.append(f"{job.name} found the same again and again at {tick}")
        job.last = tick
        read = len(self.posted)
        job.run()
        self.done[job.name] += 1
        for mail in self.posted[read:]:
            if inbox := self.inboxes.get(mail.to):
                inbox(mail)

    def _set(self, at: datetime) -> None:
        """Set the clock. The sweeps in between have found nothing, but did run."""
        self.now = at
        seconds = at.timestamp() // 20 * 20
        beat = datetime.fromtimestamp(seconds, UTC)
        due.note_sweep(selectors.DEADLINES, beat)


JOBS: tuple[tuple[str, int, Callable[[], object], Callable[[Due], datetime | None]], ...] = (
    ("sweeps", 20, sweep_clocks, attrgetter("clocks")),
    ("reminders", 60, send_reminders, attrgetter("reminders")),
    ("expiries", 60, expire_challenges, attrgetter("expiries")),
    ("runs of the mailer", 10, send_notifications, attrgetter("mails")),
)


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
