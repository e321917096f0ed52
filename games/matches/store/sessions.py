"""The session and the account behind a socket."""

from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import Any

from django.contrib.sessions.models import Session

from accounts.models import User
from games.matches.store.statement import Row, Statement
from games.matches.store.tables import columns, decoded, fields, table


@cache
def _sql() -> str:
    selected = ", ".join(columns(User, "u"))
    return (
        f"SELECT s.session_data, {selected}"  # noqa: S608 - names of the models
        f" FROM {table(Session)} AS s, {table(User)} AS u"
        " WHERE s.session_key = %s AND s.expire_date > %s AND u.id = %s"
    )


def _decoded(rows: Sequence[Row], *_: Any) -> Row | None:
    return (rows[0][0], *decoded(User, rows[0][1:])) if rows else None


def _by_orm(session_key: str, now: datetime, user_id: int) -> Row | None:
    sessions = Session.objects.filter(session_key=session_key, expire_date__gt=now)
    data = sessions.values_list("session_data", flat=True).first()
    names = [field.attname for field in fields(User)]
    user = User.objects.filter(pk=user_id).values_list(*names).first()
    return None if data is None or user is None else (data, *user)


session_and_user = Statement(
    sql=_sql,
    values=lambda session_key, now, user_id: [session_key, now, user_id],
    decode=_decoded,
    orm=_by_orm,
)
"""The data of a session that has not expired at ``now``, and all fields of a user.

``None`` if either is gone.
"""
