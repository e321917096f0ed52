"""When the site's scheduled jobs would find something to do, read at every step of the clock.

Its SQL is built once: building these queries each time took a fifth of the simulation.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from django.db import connection

from accounts.models import Notification, User
from games.lobby.models import Challenge
from games.matches.clocks import vacations
from games.matches.models import Match, Player, Sweep, Vacation

DAY = timedelta(days=1)


@dataclass(frozen=True)
class Due:
    """From when on each job has something to do. ``None`` if nothing waits for it."""

    clocks: datetime | None
    reminders: datetime | None
    expiries: datetime | None
    mails: datetime | None


def read(swept: datetime, reminded: datetime) -> Due:
    """Read the first due times.

    :param swept: the last sweep of clocks; users who weren't put on vacation then won't be.
    :param reminded: when the reminders ran last.
    """
    ahead = connection.ops.adapt_datetimefield_value(swept + vacations.RESCUE_MARGIN)
    ((deadline, rescue, remind, expires, next_try),) = _asked(_moments_sql(), [ahead])
    ending = connection.ops.adapt_datetimefield_value(reminded)
    untold = _asked(_untold_sql(), [ending])
    told = [max(begin, end - DAY) for begin, end in untold if begin and end]
    return Due(
        clocks=_first((deadline, rescue and rescue - vacations.RESCUE_MARGIN)),
        reminders=_first((remind, *told)),
        expiries=expires,
        mails=next_try,
    )


def note_sweep(name: str, at: datetime) -> None:
    """Record a sweep that found nothing."""
    moment = connection.ops.adapt_datetimefield_value(at)
    with connection.cursor() as cursor:
        cursor.execute(f"UPDATE {_table(Sweep)} SET ran = %s WHERE name = %s", [moment, name])


def _asked(sql: str, params: Sequence[Any]) -> list[list[datetime | None]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        return [list(map(_moment, row)) for row in cursor.fetchall()]


def _moment(value: Any) -> datetime | None:
    """Convert a time. SQLite stores text, and without a zone."""
    found: datetime | None = datetime.fromisoformat(value) if isinstance(value, str) else value
    return found and found.replace(tzinfo=UTC)


def _first(moments: Iterable[datetime | None]) -> datetime | None:
    return min(filter(None, moments), default=None)


@cache
def _moments_sql() -> str:
    player, match, user = map(_table, (Player, Match, User))
    running = f"JOIN {match} m ON m.id = p.match_id AND m.status = '{Match.Status.RUNNING}'"
    pending = f"'{Challenge.Status.OPEN}', '{Challenge.Status.REVEALING}'"
    waiting = ", ".join(f"'{state}'" for state in Notification.WAITING)
    return f"""
        SELECT
            (SELECT MIN(p.deadline) FROM {player} p {running} WHERE p.deadline IS NOT NULL),
            (SELECT MIN(p.deadline) FROM {player} p {running}
                JOIN {user} u ON u.id = p.user_id WHERE u.auto_vacation AND p.deadline > %s),
            (SELECT MIN(p.remind_at) FROM {player} p {running} WHERE p.remind_at IS NOT NULL),
            (SELECT MIN(expires) FROM {_table(Challenge)} WHERE status IN ({pending})),
            (SELECT MIN(next_try) FROM {_table(Notification)} WHERE mail_state IN ({waiting}))
    """


@cache
def _untold_sql() -> str:
    """Return the SQL for vacations whose end may have to be announced."""
    return f'SELECT "begin", "end" FROM {_table(Vacation)} WHERE NOT end_told AND "end" > %s'


def _table(model: Any) -> str:
    return connection.ops.quote_name(model._meta.db_table)
