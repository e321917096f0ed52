"""The sessions of an account: their lifetime, a list of them, and ending them."""

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from allauth.usersessions.models import UserSession
from django.contrib.auth import SESSION_KEY, logout
from django.contrib.sessions.models import Session
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts import browsers, presence
from accounts.models import User
from accounts.optional import optional_write
from accounts.requests import signed_in

NOTED_EVERY = timedelta(hours=1)
"""How often a session's use is stored, which extends its lifetime."""

MAX_LIFETIME = timedelta(days=90)
"""Maximum lifetime of a session in use; unused ones end after ``SESSION_COOKIE_AGE``."""

BEGAN, USED = "began", "used"
"""Keys in a session, with times in seconds since the epoch."""


class SessionAgeMiddleware:
    """Extends sessions in use, and ends those that are too old.

    Other middleware reads session and user for every request anyway; writes are an hour apart.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Handle a request, as a visitor's if the session is too old."""
        is_signed_in = request.session.session_key and SESSION_KEY in request.session
        # A guest can't sign in again, so their session doesn't end (accounts.guests).
        if is_signed_in and isinstance(request.user, User) and not request.user.is_guest:
            _look_at(request)
        return self.get_response(request)


def _look_at(request: HttpRequest) -> None:
    now = time.time()
    session = request.session
    if now - session.get(BEGAN, now) > MAX_LIFETIME.total_seconds():
        logout(request)
    elif now - session.get(USED, 0) > NOTED_EVERY.total_seconds():
        begin(request)
        with optional_write("that a session is in use"):
            UserSession.objects.create_from_request(request)
            presence.note_day(signed_in(request), now=timezone.now())


def begin(request: HttpRequest, user: User | None = None, **kwargs: Any) -> None:
    """Start a session's lifetime. Receiver of Django's sign-in signal.

    :param user: the user who has just signed in.
    """
    request.session.setdefault(BEGAN, time.time())
    request.session[USED] = time.time()
    if user is not None:
        presence.note_day(user, now=timezone.now())


def of(user: User, current: str) -> list[dict[str, Any]]:
    """Return a user's active sessions, the one with the key ``current`` first."""
    rows = UserSession.objects.filter(user=user).order_by("-last_seen_at")
    keys = [row.session_key for row in rows]
    alive = Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    living = set(alive.values_list("session_key", flat=True))
    sessions = [_described(row, current) for row in rows if row.session_key in living]
    return sorted(sessions, key=lambda session: not session["is_current"])


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
    """End a session of a user; ``False`` if it does not exist."""
    return bool(_end(UserSession.objects.filter(user=user, pk=session_id)))


def end_others(user: User, current: str) -> int:
    """End all sessions of a user except the one with the key ``current``; return how many."""
    return _end(UserSession.objects.filter(user=user).exclude(session_key=current))


def end_all(user: User) -> int:
    return _end(UserSession.objects.filter(user=user))


def _end(rows: Any) -> int:
    ended = list(rows)
    for row in ended:
        row.end()
    return len(ended)


def forget() -> int:
    """Delete the data about expired sessions; return how many."""
    keys = Session.objects.filter(expire_date__gt=timezone.now()).values("session_key")
    return int(UserSession.objects.exclude(session_key__in=keys).delete()[0])
