"""A year of play by simulated players, on a clock that jumps from event to event.

``--players`` and ``--days`` make it smaller.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from bench.options import chosen
from bench.rows import Row
from bench.site import say
from bench.year.clock_account import MINUTE, Counted, count_all
from bench.year.mail_account import Mailed, account_mails, vacations_overdrawn
from bench.year.people import settled
from bench.year.visits import Diary, Person
from bench.year.world import World, simulated

PLAYERS, DAYS = chosen.players, chosen.days
SECTION = f"A year of play: {PLAYERS} simulated players, {DAYS} days, in one process"
BEGIN = datetime(2027, 9, 1, 12, tzinfo=UTC)
"""This year has a leap day, and clock changes in both directions."""

DAY = timedelta(days=1)

STEP = 30
"""Progress is reported after each of this many days."""

SHOWN = 5
"""Maximum number of printed sentences about one thing."""


@dataclass(frozen=True)
class Played:
    """The simulated play and its players."""

    world: World
    people: Sequence[Person]
    diary: Diary


@dataclass(frozen=True)
class Accounts:
    """The results of all accounts."""

    counted: Counted
    mailed: Mailed
    troubles: Mapping[str, Sequence[str]]
    """Failures, by subject."""


def play(players: int, days: int, seed: str) -> Played:
    """Let players play for a number of days. Seats are random whatever the seed."""
    with simulated(BEGIN) as world:
        people, diary = settled(world, players, seed)
        for day in range(STEP, days + STEP, STEP):
            world.run(BEGIN + min(day, days) * DAY)
            say(f"day {min(day, days)}: {world.done['play_move']} moves")
    return Played(world, people, diary)


def account(played: Played) -> Accounts:
    """Recount everything."""
    world, people, diary = played.world, played.people, played.diary
    counted = count_all(diary, world.now)
    mailed = account_mails(people, diary, counted, world.posted, world.now)
    troubles = {
        "jobs": world.troubles,
        "overdue by more than a minute": counted.overdue,
        "reminders twice or at odd times": counted.odd,
        "reminders missing": counted.missing,
        "events told twice or not at all": mailed.events,
        "mails not accounted for": mailed.lost,
        "mails beyond the bound": mailed.too_many,
        "vacations overdrawn": vacations_overdrawn(people),
    }
    return Accounts(counted, mailed, troubles)


def rows() -> Iterator[Row]:
    """Simulate, and yield a row of totals and one for each promise."""
    began, used = time.perf_counter(), time.process_time()
    played = play(PLAYERS, DAYS, "a year")
    found, done = account(played), played.world.done
    facts = {
        "matches": found.counted.matches,
        "moves": done["play_move"],
        "timeouts": found.counted.timeouts,
        "notifications": found.mailed.states.total(),
        "mails": found.mailed.mails,
        "mails that tell several things": found.mailed.several,
        "the most mails to one player in an hour": found.mailed.most_an_hour,
        "notifications that waited for room in the hour": found.mailed.held,
        **{what.replace("_", " "): done[what] for what in sorted(done) if what != "play_move"},
    }
    for what, number in facts.items():
        yield Row(what, number, "", 0, "")
    yield Row("the whole of it", time.perf_counter() - began, "s", 0, "")
    yield Row("time of a core, without the database's", time.process_time() - used, "s", 0, "")
    late = found.counted.latest
    yield Row("the latest timeout", late.seconds, "s", 0, "", "≤ 60 s", late <= MINUTE)
    for what, sentences in found.troubles.items():
        for sentence in sentences[:SHOWN]:
            say(f"{what}: {sentence}")
        yield Row(what, len(sentences), "", 0, "", "none", not sentences)
