"""The habits of simulated players: when they come, their notification settings, their actions."""

import random
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

ZONES = (
    "Europe/Berlin",
    "America/New_York",
    "America/Santiago",
    "Asia/Kolkata",
    "Asia/Tokyo",
    "Australia/Lord_Howe",
    "Africa/Cairo",
    "Pacific/Auckland",
)
"""Summer time north and south, half hours of it, missing midnights, and no summer time."""

SATURDAY = 5
HOUR = timedelta(hours=1)


@dataclass(frozen=True)
class Habits:
    """The habits of one player.

    Hours are those of the player's own clocks. ``visits`` is the number of visits on a working day,
    ``weekend`` the fraction of that on other days. Of a hundred visits ``forgets`` are followed by
    days of unannounced absence. ``by_mail`` is the fraction of mails about turns that is answered
    with a move.
    """

    zone: str
    wakes: int
    sleeps: int
    visits: float
    weekend: float
    forgets: float
    matches: int
    answers: float
    auto_vacation: bool
    mail_off: tuple[str, ...]
    daily: tuple[str, ...]
    daily_hour: int
    quiet: tuple[int, int] | None
    by_mail: float

    @classmethod
    def drawn(cls, chance: random.Random) -> "Habits":
        """Return random habits."""
        wakes = chance.randint(6, 10)
        return cls(
            zone=chance.choice(ZONES),
            wakes=wakes,
            sleeps=wakes + chance.randint(8, 13),
            visits=chance.choice((0.7, 1, 1, 2)),
            weekend=chance.choice((0.1, 0.5, 1, 1.5)),
            forgets=chance.choice((0, 0.5, 0.5, 2)),
            matches=chance.choice((1, 2, 2, 3)),
            answers=chance.choice((0.7, 0.9, 1)),
            auto_vacation=chance.choice((True, True, False, False, False)),
            mail_off=chance.choice(((), (), (), ("offer-made",), ("your-turn", "match-ended"))),
            daily=chance.choice(((), (), (), ("your-turn",), ("match-ended", "your-turn"))),
            daily_hour=chance.randint(0, 23),
            quiet=chance.choice((None, None, (22, 7), (0, 6), (13, 15))),
            by_mail=chance.choice((0, 0, 0.3, 0.8)),
        )

    def next_visit(self, after: datetime, chance: random.Random) -> datetime:
        """Return the player's next visit, at an hour at which the player is awake."""
        day = after.astimezone(ZoneInfo(self.zone))
        often = self.visits * (self.weekend if day.weekday() >= SATURDAY else 1)
        at = after + timedelta(days=chance.expovariate(often)) + timedelta(minutes=5)
        return self.awake(at, chance)

    def awake(self, at: datetime, chance: random.Random) -> datetime:
        """Return a time from ``at`` on at which the player is awake."""
        while not self.wakes <= at.astimezone(ZoneInfo(self.zone)).hour < self.sleeps:
            at += timedelta(minutes=chance.randint(20, 90))
        return at
