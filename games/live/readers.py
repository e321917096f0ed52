"""Whom a session signs in now: asked before each move, and answered by one query.

Django's answer follows from the rows of the session and its user alone. While both are what they
were, it stands; otherwise Django is asked again.
"""

from collections import OrderedDict
from functools import cache
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.sessions.models import Session
from django.db import connection
from django.db.backends.utils import CursorWrapper
from django.http import HttpRequest
from django.utils import timezone
from django.utils.module_loading import import_string

from accounts.models import User
from config.postgresql import prepared

MOST = 1000
"""Answers that a process keeps, the last ones that were given."""


class SignedOut(Exception):
    """The session of the page has ended, or its account was closed."""


class Answer(NamedTuple):
    """Whom a session signed in, and the rows of which that follows."""

    user: User
    rows: tuple[Any, ...]


_answers: OrderedDict[str, Answer] = OrderedDict()


def reader(session_key: str) -> User:
    """Return whom a session signs in now.

    :raises SignedOut: nobody.
    """
    known = _answers.get(session_key)
    if known is None or _rows(session_key, known.user.pk) != known.rows:
        known = _asked(session_key)
    return known.user


def _asked(session_key: str) -> Answer:
    """Ask Django, and keep the answer.

    :raises SignedOut: the session signs in nobody.
    """
    _answers.pop(session_key, None)
    # The rows are those of before the last answer: what changes meanwhile makes them others.
    rows = _rows(session_key, _signed_in(session_key).pk)
    user = _signed_in(session_key)
    if rows is None:
        raise SignedOut
    answer = _answers[session_key] = Answer(user, rows)
    if len(_answers) > MOST:
        _answers.popitem(last=False)
    return answer


def _signed_in(session_key: str) -> User:
    """Return whom Django says that a session signs in.

    :raises SignedOut: nobody.
    """
    session = import_string(f"{settings.SESSION_ENGINE}.SessionStore")(session_key)
    user = get_user(cast("HttpRequest", SimpleNamespace(session=session)))
    if not user.is_authenticated:
        raise SignedOut
    return user


def _rows(session_key: str, user_id: int) -> tuple[Any, ...] | None:
    """Read a session that has not expired, and a user; ``None`` if either is gone."""
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    with _cursor() as cursor:
        cursor.execute(_sql(), [session_key, now, user_id])
        found: tuple[Any, ...] | None = cursor.fetchone()
    return found


def _cursor() -> CursorWrapper:
    return prepared.cursor() if connection.vendor == "postgresql" else connection.cursor()


@cache
def _sql() -> str:
    session, user = Session._meta.db_table, User._meta.db_table
    columns = ", ".join(f"u.{field.column}" for field in User._meta.concrete_fields)
    return (
        f"SELECT s.session_data, {columns} FROM {session} AS s, {user} AS u"  # noqa: S608 - of models
        " WHERE s.session_key = %s AND s.expire_date > %s AND u.id = %s"
    )
