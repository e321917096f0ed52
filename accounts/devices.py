"""Browsers in which somebody has signed in before: others who guess do not lock out their owner.

Whoever guesses at an account closes it for a while to everybody (``login_failed`` of
``ACCOUNT_RATE_LIMITS``), but for browsers that hold a cookie from an earlier sign-in to it: what
fails there is counted for that cookie alone, and as strictly, so that a stolen one is worth little.

Source: OWASP, "Slow Down Online Guessing Attacks with Device Cookies".
"""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import get_random_string, salted_hmac

from accounts.models import User

MEMORY = timedelta(days=400)
"""How long a browser is known after the last sign-in in it; browsers keep no cookie for longer."""

MOST = 8
"""How many names and addresses a browser is known for: those of four accounts."""

SALT = "accounts.devices"


def known_as(request: HttpRequest, login: str) -> str:
    """Return the id of the sender's browser if ``login`` signed in with it, else nothing."""
    device = _read(request)
    return str(device["id"]) if _digest(login) in device["logins"] else ""


def id_of(request: HttpRequest) -> str:
    """Return the id of the sender's browser; empty if it brings none of ours."""
    known = settings.DEVICE_COOKIE_NAME in request.COOKIES
    return str(_read(request)["id"]) if known else ""


def remember(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """Have the browser that gets a response remembered as one of a user's.

    It keeps its id: a new one would let a thief of the cookie begin to guess anew.
    """
    device = _read(request)
    own = [_digest(login) for login in (user.username, user.email) if login]
    others = [digest for digest in device["logins"] if digest not in own]
    logins = [*own, *others][:MOST]
    response.set_cookie(
        settings.DEVICE_COOKIE_NAME,
        signing.dumps({"id": device["id"], "logins": logins}, salt=SALT),
        max_age=MEMORY,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _read(request: HttpRequest) -> dict[str, Any]:
    """Return what the cookie says; a new browser's where there is none, or none of ours."""
    cookie = request.COOKIES.get(settings.DEVICE_COOKIE_NAME, "")
    try:
        device: dict[str, Any] = signing.loads(cookie, salt=SALT, max_age=MEMORY)
    except signing.BadSignature:
        return {"id": get_random_string(22), "logins": []}
    return device


def _digest(login: str) -> str:
    """Return a keyed hash of a name or an address, so that the cookie tells neither."""
    return salted_hmac(SALT, login.lower(), algorithm="sha256").hexdigest()[:32]
