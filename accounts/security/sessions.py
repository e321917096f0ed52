"""The sessions of an account: how long they last unused, which there are, and ending them."""

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from allauth.usersessions.models import UserSession
from django.contrib.auth import SESSION_KEY, logout
from django.contrib.sessions.models import Session
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts import presence
from accounts.models import User
from accounts.optional import optional_write
from accounts.requests import signed_in
from accounts.security import browsers

NOTED_EVERY = timedelta(hours=1)
"""How often it is noted that a session is in use, and its end put off."""

LONGEST = timedelta(days=90)
"""How long a session lasts though it is used; unused it ends after ``SESSION_COOKIE_AGE``."""

BEGAN, USED = "began", "used"
"""Keys of a session: moments, as seconds since the epoch."""


class SessionAgeMiddleware:
    """Puts off the end of a session that is used, and ends one that has lasted too long.

    The session and its user are read by others for every request; writes are an hour apart.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, to a visitor where the session is too old."""
        is_signed_in = request.session.session_key and SESSION_KEY in request.session
        # A guest has no other way back in than the session (accounts.guests).
        if is_signed_in and isinstance(request.user, User) and not request.user.is_guest:
            _look_at(request)
        return self.get_response(request)


def _look_at(request: HttpRequest) -> None:
    now, session = time.time(), request.session
    if now - session.get(BEGAN, now) > LONGEST.total_seconds():
        logout(request)
    elif now - session.get(USED, 0) > NOTED_EVERY.total_seconds():
        begin(request)
        with optional_write("that a session is in use"):
            UserSession.objects.create_from_request(request)
            presence.note_day(signed_in(request), now=timezone.now())


def begin(request: HttpRequest, user: User | None = None, **kwargs: Any) -> None:
    """Note that a session is in use now: a receiver of Django's signal of a sign-in.

    :param user: who has just signed in.
    """
    request.session.setdefault(BEGAN, time.time())
    request.session[USED] = time.time()
    if user is not None:
        presence.note_day(user, now=timezone.now())


def of(user: User, current: str) -> list[dict[str, Any]]:
    """Return the sessions of a user that have not ended, that of the key ``current`` first."""
    rows = UserSession.objects.filter(user=user).order_by("-last_seen_at")
    keys = [row.session_key for row in rows]
    alive = Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    living = set(alive.values_list("session_key", flat=True))
    found = [_described(row, current) for row in rows if row.session_key in living]
    return sorted(found, key=lambda session: not session["is_current"])


def _described(row: UserSession, current: str) -> dict[str, Any]:
    return {
        "id": row.pk,
        "browser": browsers.name(row.user_agent),
        "address": row.ip,
        "began": row.created_at,
        "used": row.last_seen_at,
        "is_current": row.session_key == current,
    }


def end(user: User, session_id: int) -> bool:
    """End one session of a user; ``False`` if there is none of this id."""
    return bool(_end(UserSession.objects.filter(user=user, pk=session_id)))


def end_others(user: User, current: str) -> int:
    """End all sessions of a user but the one of the key ``current``; return how many."""
    return _end(UserSession.objects.filter(user=user).exclude(session_key=current))


def end_all(user: User) -> int:
    """End all sessions of a user; return how many."""
    return _end(UserSession.objects.filter(user=user))


def _end(rows: Any) -> int:
    ended = list(rows)
    for row in ended:
        row.end()
    return len(ended)


def forget() -> int:
    """Delete what is known of sessions that have ended; return how many there were."""
    keys = Session.objects.filter(expire_date__gt=timezone.now()).values("session_key")
    return int(UserSession.objects.exclude(session_key__in=keys).delete()[0])
