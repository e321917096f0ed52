"""A year of play by simulated players, on a clock that jumps from event to event.

``--players`` and ``--days`` make it smaller.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import starmap

from bench.options import chosen
from bench.rows import Row, Timer, promises, row
from bench.site import say
from bench.year import accounts
from bench.year.accounts import MINUTE, SUBJECTS, Counted
from bench.year.people import Person, settled
from bench.year.world import DAY, World, simulated

PLAYERS, DAYS = chosen.players, chosen.days
SECTION = f"A year of play: {PLAYERS} simulated players, {DAYS} days, in one process"
BEGIN = datetime(2027, 9, 1, 12, tzinfo=UTC)
"""This year has a leap day, and clock changes in both directions."""

STEP = 30
"""Progress is reported after each of this many days."""


@dataclass(frozen=True)
class Played:
    """The simulated play and its players."""

    world: World
    people: Sequence[Person]


def play(players: int, days: int, seed: str) -> Played:
    """Let players play for a number of days. Seats are random whatever the seed."""
    with simulated(BEGIN) as world:
        people = settled(world, players, seed)
        for day in range(STEP, days + STEP, STEP):
            world.run(BEGIN + min(day, days) * DAY)
            say(f"day {min(day, days)}: {world.done['play_move']} moves")
    return Played(world, people)


def account(played: Played) -> Counted:
    """Recount everything."""
    world = played.world
    found = accounts.account(played.people, world.posted, world.now)
    found.troubles["jobs"] += world.troubles
    return found


def rows() -> Iterator[Row]:
    """Simulate, and yield a row of totals and one for each promise."""
    timer = Timer()
    played = play(PLAYERS, DAYS, "a year")
    found, done = account(played), played.world.done
    facts = {
        "matches": found.matches,
        "timeouts": found.timeouts,
        "notifications": found.states.total(),
        "mails": len(played.world.posted),
        "mails that tell several things": found.several,
        "the most mails to one player in an hour": found.most_an_hour,
        "notifications that waited for room in the hour": found.held,
        **{what.replace("_", " "): done[what] for what in sorted(done)},
    }
    yield from starmap(row, facts.items())
    yield from timer.rows()
    late = found.latest
    yield row("the latest timeout", late.seconds, "s", goal="≤ 60 s", reached=late <= MINUTE)
    yield from promises({what: found.troubles[what] for what in SUBJECTS})
