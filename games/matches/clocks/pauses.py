"""When and why the clock of a player stands still.

Each reason begins and ends on its own, and time counts only while there is none. Weekends are part
of a match's clock, and outages are rows of their own; all other pauses are kept with the seat, so
that a move reads no more for them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import takewhile

from games.kernel.views import Json
from games.matches import selectors
from games.matches.clocks import clock as clocks
from games.matches.clocks.clock import FOREVER, Calendar, Pause
from games.matches.models import Player


class Reason(StrEnum):
    """Why a clock stands still."""

    VACATION = "vacation"
    WEEKEND = "weekend"
    MODERATOR = "moderator"
    AGREEMENT = "agreement"


@dataclass(frozen=True, slots=True)
class PlayerPause:
    """A pause of one seat; ``end`` is ``FOREVER`` while it is not known.

    Nobody is shown the end of one that is ``hidden``, nor a deadline that would tell it.
    """

    reason: Reason
    begin: datetime
    end: datetime = FOREVER
    hidden: bool = False

    def dump(self) -> list[Json]:
        """Return the pause as JSON."""
        end = None if self.end == FOREVER else self.end.isoformat()
        return [str(self.reason), self.begin.isoformat(), end, self.hidden]

    @classmethod
    def load(cls, data: Sequence[Json]) -> "PlayerPause":
        """Read what :meth:`dump` wrote."""
        reason, begin, end, hidden = data
        return cls(
            Reason(reason),
            datetime.fromisoformat(begin),
            FOREVER if end is None else datetime.fromisoformat(end),
            hidden=hidden,
        )

    def goes_on(self, now: datetime) -> bool:
        """Whether it has begun and not ended."""
        return self.begin <= now < self.end


def of_player(player: Player) -> list[PlayerPause]:
    """Return all pauses of a seat but weekends and outages."""
    return [PlayerPause.load(data) for data in player.pauses]


def begin(player: Player, pause: PlayerPause) -> None:
    """Add a pause to a seat, to be written."""
    player.pauses = [*player.pauses, pause.dump()]


def finish(player: Player, reason: Reason, now: datetime) -> None:
    """End the pauses of a seat that go on for a reason, to be written."""
    player.pauses = [
        (replace(p, end=now) if p.reason == reason and p.goes_on(now) else p).dump()
        for p in of_player(player)
    ]


def put(player: Player, reason: Reason, found: Iterable[PlayerPause]) -> None:
    """Put pauses in place of those that a seat has for a reason, to be written."""
    kept = [pause for pause in of_player(player) if pause.reason != reason]
    player.pauses = [pause.dump() for pause in (*kept, *found)]


def calendar(player: Player, outages: Sequence[Pause], since: datetime) -> Calendar:
    """Return when the clock of a seat stands still, from ``since``."""
    own = ((pause.begin, pause.end) for pause in of_player(player))
    control = player.match.clock or {}
    return Calendar((*outages, *own), control.get("weekends", ""), since)


def reasons(player: Player, now: datetime) -> list[Reason]:
    """Return why the clock of a seat stands still now, beside an outage; empty if it may run."""
    if player.time_left is None:
        return []
    found = {pause.reason for pause in of_player(player) if pause.goes_on(now)}
    zone = (player.match.clock or {}).get("weekends", "")
    if zone and next(clocks.weekends(zone, now))[0] <= now:
        found.add(Reason.WEEKEND)
    return [reason for reason in Reason if reason in found]


def until(player: Player, now: datetime) -> datetime | None:
    """Return when a clock that stands still will run on; ``None`` if that is not known or shown."""
    at = now
    for begin, end in calendar(player, (), now):
        if begin > at or at == FOREVER:
            break
        at = max(at, end)
    # A hidden pause that adjoins the one which is shown would be told by the end of both.
    hides = any(p.hidden and p.begin <= at and p.end > now for p in of_player(player))
    return None if hides or at == FOREVER else at


def left(player: Player, now: datetime) -> timedelta | None:
    """Return for how long the clock of a seat has still to run; ``None`` without a clock."""
    since, deadline = player.clock_since, player.deadline
    if player.time_left is None or since is None:
        return player.time_left
    if deadline is not None:
        return clocks.running(now, deadline, calendar(player, (), now))
    ran = clocks.running(since, now, calendar(player, selectors.past_outages(), since))
    return max(player.time_left - ran, timedelta())


def shown_deadline(player: Player, now: datetime) -> datetime | None:
    """Return the deadline of a seat; ``None`` where it would tell the end of a hidden pause too."""
    deadline = player.deadline
    if deadline is None:
        return None
    own = (pause for pause in of_player(player) if pause.hidden)
    return None if any(p.begin < deadline and p.end > now for p in own) else deadline


def ahead(player: Player, now: datetime) -> list[Pause]:
    """Return the pauses of a seat from now to its deadline; empty while that is not known."""
    deadline = player.deadline
    if deadline is None:
        return []
    before = takewhile(lambda pause: pause[0] < deadline, calendar(player, (), now))
    return [pause for pause in before if pause[1] > now]
