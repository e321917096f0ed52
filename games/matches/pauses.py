"""When and why a player's clock is stopped.

Each reason starts and ends independently, and a clock runs only without any. Weekends are part
of the clock, and outages have their own table. All other pauses are stored with the seat, so that a
move needs no further query.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import takewhile

from games.kernel.views import Json
from games.matches import clock as clocks
from games.matches import selectors
from games.matches.clock import FOREVER, Pause, PauseCalendar
from games.matches.models import Player
from games.matches.selectors import AnyPlayer


class Reason(StrEnum):
    VACATION = "vacation"
    WEEKEND = "weekend"
    MODERATOR = "moderator"
    AGREEMENT = "agreement"
    TOURNAMENT = "tournament"


@dataclass(frozen=True, slots=True)
class PlayerPause:
    """A pause of one seat. ``end`` is ``FOREVER`` while it is unknown.

    The end of a ``hidden`` pause isn't shown, nor is a deadline that would reveal it.
    """

    reason: Reason
    begin: datetime
    end: datetime = FOREVER
    hidden: bool = False

    def dump(self) -> list[Json]:
        end = None if self.end == FOREVER else self.end.isoformat()
        return [str(self.reason), self.begin.isoformat(), end, self.hidden]

    @classmethod
    def load(cls, data: Sequence[Json]) -> "PlayerPause":
        """Read the output of :meth:`dump`."""
        reason, begin, end, hidden = data
        return cls(
            Reason(reason),
            datetime.fromisoformat(begin),
            FOREVER if end is None else datetime.fromisoformat(end),
            hidden=hidden,
        )

    def goes_on(self, now: datetime) -> bool:
        """Whether it has started and not ended."""
        return self.begin <= now < self.end


def of_player(player: AnyPlayer) -> list[PlayerPause]:
    """Return all pauses of a seat except weekends and outages."""
    return [PlayerPause.load(data) for data in player.pauses]


def begin(player: Player, pause: PlayerPause) -> None:
    """Add a pause to a seat, without saving."""
    player.pauses = [*player.pauses, pause.dump()]


def finish(player: Player, reason: Reason, now: datetime) -> None:
    """End the current pauses of a seat for a reason, without saving."""
    player.pauses = [
        (replace(p, end=now) if p.reason == reason and p.goes_on(now) else p).dump()
        for p in of_player(player)
    ]


def put(player: Player, reason: Reason, new: Iterable[PlayerPause]) -> None:
    """Replace the pauses of a seat for a reason, without saving."""
    kept = [pause for pause in of_player(player) if pause.reason != reason]
    player.pauses = [pause.dump() for pause in (*kept, *new)]


def calendar(player: AnyPlayer, outages: Sequence[Pause], since: datetime) -> PauseCalendar:
    """Return the calendar of pauses of a seat from ``since``."""
    own = ((pause.begin, pause.end) for pause in of_player(player))
    control = player.match.clock or {}
    return PauseCalendar((*outages, *own), control.get("weekends", ""), since)


def is_stopped(player: AnyPlayer, now: datetime) -> bool:
    """Whether a pause of a seat is going on; weekends and outages don't count."""
    return any(pause.goes_on(now) for pause in of_player(player))


def reasons(player: AnyPlayer, now: datetime) -> list[Reason]:
    """Return why the clock of a seat is stopped now, apart from outages. Empty if it runs."""
    if player.time_left is None:
        return []
    current = {pause.reason for pause in of_player(player) if pause.goes_on(now)}
    zone = (player.match.clock or {}).get("weekends", "")
    if zone and next(clocks.weekends(zone, now))[0] <= now:
        current.add(Reason.WEEKEND)
    return [reason for reason in Reason if reason in current]


def until(player: AnyPlayer, now: datetime) -> datetime | None:
    """Return when a stopped clock resumes. ``None`` if that is unknown or hidden."""
    at = now
    for begin, end in calendar(player, (), now):
        if begin > at or at == FOREVER:
            break
        at = max(at, end)
    # the end of this pause and an adjoining hidden one would reveal the hidden one
    hides = any(p.hidden and p.begin <= at and p.end > now for p in of_player(player))
    return None if hides or at == FOREVER else at


def left(player: AnyPlayer, now: datetime) -> timedelta | None:
    """Return the time left on the clock of a seat. ``None`` without a clock."""
    since = player.clock_since
    deadline = player.deadline
    if player.time_left is None or since is None:
        return player.time_left
    if deadline is not None:
        return clocks.running(now, deadline, calendar(player, (), now))
    ran = clocks.running(since, now, calendar(player, selectors.past_outages(), since))
    return max(player.time_left - ran, timedelta())


def shown_deadline(player: AnyPlayer, now: datetime) -> datetime | None:
    """Return the deadline of a seat. ``None`` if it would reveal the end of a hidden pause."""
    deadline = player.deadline
    if deadline is None:
        return None
    own = (pause for pause in of_player(player) if pause.hidden)
    return None if any(p.begin < deadline and p.end > now for p in own) else deadline


def ahead(player: AnyPlayer, now: datetime) -> list[Pause]:
    """Return the pauses of a seat from now to its deadline. Empty if that is unknown."""
    deadline = player.deadline
    if deadline is None:
        return []
    before = takewhile(lambda pause: pause[0] < deadline, calendar(player, (), now))
    return [pause for pause in before if pause[1] > now]
