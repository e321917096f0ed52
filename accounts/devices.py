"""Known browsers, so that somebody who guesses passwords doesn't lock the owner out.

Wrong passwords lock an account for a while (``login_failed`` of ``ACCOUNT_RATE_LIMITS``), except in
browsers with a cookie from an earlier sign-in to it. Their failures are counted per cookie, and as
strictly, so a stolen cookie is worth little.

Source: OWASP, "Slow Down Online Guessing Attacks with Device Cookies".
"""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import get_random_string, salted_hmac

from accounts.models import User

DEVICE_LIFETIME = timedelta(days=400)
"""How long a browser is known after its last sign-in. Browsers keep no cookie for longer."""

MAX_REMEMBERED = 8
"""How many names and addresses a browser remembers: those of four accounts."""

SALT = "accounts.devices"


def known_as(request: HttpRequest, login: str) -> str:
    """Return the browser's id if ``login`` has signed in with it; otherwise an empty string."""
    device = _read(request)
    is_known = not {*device["logins"]}.isdisjoint(_digests(login))
    return str(device["id"]) if is_known else ""


def id_of(request: HttpRequest) -> str:
    """Return the browser's id. Empty without a valid cookie."""
    known = settings.DEVICE_COOKIE_NAME in request.COOKIES
    return str(_read(request)["id"]) if known else ""


def remember(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """Add a user to the browser's cookie.

    It keeps its id: with a new one, a thief of the cookie could start guessing again.
    """
    device = _read(request)
    digests = [_digests(login) for login in (user.username, user.email) if login]
    earlier = {digest for of_login in digests for digest in of_login}
    others = [digest for digest in device["logins"] if digest not in earlier]
    logins = [*(current for current, *_ in digests), *others][:MAX_REMEMBERED]
    response.set_cookie(
        settings.DEVICE_COOKIE_NAME,
        signing.dumps({"id": device["id"], "logins": logins}, salt=SALT),
        max_age=DEVICE_LIFETIME,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _read(request: HttpRequest) -> dict[str, Any]:
    """Return the cookie's content, or that of a new browser if there is no valid one."""
    cookie = request.COOKIES.get(settings.DEVICE_COOKIE_NAME, "")
    try:
        device: dict[str, Any] = signing.loads(cookie, salt=SALT, max_age=DEVICE_LIFETIME)
    except signing.BadSignature:
        return {"id": get_random_string(22), "logins": []}
    return device


def _digests(login: str) -> list[str]:
    """Return keyed hashes of a name or address, so that the cookie reveals neither.

    The first one is under ``SECRET_KEY``, the others under its fallbacks.
    """
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return [
        salted_hmac(SALT, login.lower(), secret=key, algorithm="sha256").hexdigest()[:32]
        for key in keys
    ]
