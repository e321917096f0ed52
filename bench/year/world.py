"""A simulated clock that goes from event to event, and what the site does by it.

Between two events the scheduled jobs of the site would find nothing to do: they are run at the
first of their own ticks at which they would find something.
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
"""Moves by mail are switched on."""

MOST_IN_VAIN = 30
"""A job that is due so often one after the other never does what it should."""


@dataclass(frozen=True)
class Posted:
    """A mail that has gone out: to whom, when, its Message-ID, and the pages it leads to.

    ``reply_to`` is where it can be answered with a move, such as ``example``; empty where not.
    """

    to: str
    at: datetime
    id: str
    pages: frozenset[str]
    reply_to: str = ""
    example: str = ""


class Recorder(BaseEmailBackend):
    """A mail server that takes everything, and keeps what the account asks for."""

    posted: ClassVar[list[Posted]] = []

    def send_messages(self, messages: Any) -> int:
        """Note each mail."""
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
    """A scheduled job: its period in seconds, and what of all that is due is its own."""

    name: str
    period: int
    run: Callable[[], object]
    due: Callable[[Due], datetime | None]
    last: datetime
    in_vain: int = 0

    def next_tick(self, found: Due, now: datetime) -> datetime | None:
        """Return the first tick at which there is something to do; ``None`` if nothing waits."""
        due = self.due(found)
        if due is None:
            return None
        first = max(due, now, self.last + timedelta(seconds=self.period))
        seconds = -(-first.timestamp() // self.period) * self.period
        return datetime.fromtimestamp(seconds, UTC)


@dataclass
class World:
    """The simulated clock, what is to happen, and what was noted of it.

    ``inboxes`` are told of the mails to their addresses. ``troubles`` are sentences about what
    should not have been.
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
        """Let something happen at a moment; it says whether it changed what jobs may find."""
        heapq.heappush(self._events, (at, next(self._numbers), act))

    def run(self, until: datetime) -> None:
        """Let everything happen up to a moment."""
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
        """Return the next job that has something to do, and when; none has after ``until``."""
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
        """Set the clock; the sweeps of the time in between have found nothing, but did run."""
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
    """Let the site go by a simulated clock, and its mails to the account."""
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
