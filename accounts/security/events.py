"""The log of what happened to accounts: written with the event, kept for a while."""

from datetime import datetime, timedelta
from typing import Any

from allauth.mfa.models import Authenticator
from django.http import HttpRequest
from django.utils import timezone

from accounts.limits import address
from accounts.models import User
from accounts.sanctions import traces
from accounts.security import browsers
from accounts.security.models import SecurityEvent

Kind = SecurityEvent.Kind

MEMORY = timedelta(days=90)
"""How long an event is kept; a change of rights is kept as long as the account."""

MOST_SHOWN = 50

FACTORS = {
    Authenticator.Type.TOTP: "authenticator app",
    Authenticator.Type.RECOVERY_CODES: "recovery codes",
}
"""What the pages call second factors; a passkey has a name of its own."""


def record(
    user: User,
    kind: SecurityEvent.Kind,
    *,
    now: datetime,
    request: HttpRequest | None = None,
    by: str = "",
    details: str = "",
) -> None:
    """Write an event; ``request`` is ``None`` where a command or the site itself caused it."""
    SecurityEvent.objects.create(
        user=user,
        kind=kind,
        at=now,
        address=address(request) if request else None,
        browser=browsers.name(request.headers.get("User-Agent", "")) if request else "",
        by=by,
        details=details[:200],
    )


def recent(user: User) -> list[SecurityEvent]:
    """Return the last events of an account, the newest first."""
    return list(SecurityEvent.objects.filter(user=user).order_by("-at", "-pk")[:MOST_SHOWN])


def forget(*, now: datetime) -> int:
    """Delete the events that are too old; return how many there were."""
    old = SecurityEvent.objects.filter(at__lt=now - MEMORY).exclude(kind=Kind.RIGHTS)
    return old.delete()[0]


def rights_of(user: User) -> str:
    """Return what a user may do, in words, to be compared and shown."""
    rights = [name for name in ("is_active", "is_staff", "is_superuser") if getattr(user, name)]
    groups = sorted(user.groups.values_list("name", flat=True))
    single = sorted(user.user_permissions.values_list("codename", flat=True))
    return ", ".join([name.removeprefix("is_") for name in rights] + groups + single) or "none"


def rights_changed(user: User, *, before: str, by: str, now: datetime, **more: Any) -> None:
    """Write that somebody changed what a user may do, unless it is what it was."""
    after = rights_of(user)
    if after != before:
        record(user, Kind.RIGHTS, now=now, by=by, details=f"from {before} to {after}", **more)


def signed_in(request: HttpRequest, user: User, **kwargs: Any) -> None:
    """Write a sign-in: a receiver of allauth's signal."""
    record(user, Kind.SIGNED_IN, now=timezone.now(), request=request)
    traces.note(request, user, now=timezone.now())


def failed(credentials: dict[str, Any], request: HttpRequest | None = None, **kwargs: Any) -> None:
    """Write a wrong password for an account that exists: a receiver of Django's signal.

    What was typed as a name that nobody has is not kept: it may be a password.
    """
    user = User.objects.named(str(credentials.get("username", "")))
    if user is not None:
        record(user, Kind.FAILED, now=timezone.now(), request=request)


def code_failed(request: HttpRequest, user: User, **kwargs: Any) -> None:
    """Write a wrong code: a receiver of allauth's signal."""
    record(user, Kind.CODE_FAILED, now=timezone.now(), request=request)


def password_changed(request: HttpRequest, user: User, **kwargs: Any) -> None:
    """Write a new password: a receiver of allauth's signals."""
    record(user, Kind.PASSWORD, now=timezone.now(), request=request)


def email_changed(request: HttpRequest, user: User, **kwargs: Any) -> None:
    """Write a new address: a receiver of allauth's signal."""
    record(user, Kind.EMAIL, now=timezone.now(), request=request)


def factor_added(
    request: HttpRequest, user: User, authenticator: Authenticator, **kwargs: Any
) -> None:
    """Record a new second factor, or the recovery codes that come with the first one.

    A receiver of allauth's signal.
    """
    if authenticator.type == Authenticator.Type.RECOVERY_CODES:
        codes_made(request, user)
    else:
        details = _factor_name(authenticator)
        record(user, Kind.FACTOR_ADDED, now=timezone.now(), request=request, details=details)


def factor_removed(
    request: HttpRequest, user: User, authenticator: Authenticator, **kwargs: Any
) -> None:
    """Record that a second factor was removed: a receiver of allauth's signal."""
    details = _factor_name(authenticator)
    record(user, Kind.FACTOR_REMOVED, now=timezone.now(), request=request, details=details)


def _factor_name(authenticator: Authenticator) -> str:
    if authenticator.type == Authenticator.Type.WEBAUTHN:
        return f"passkey “{authenticator.wrap().name}”"
    return FACTORS[authenticator.type]


def codes_made(request: HttpRequest, user: User, **kwargs: Any) -> None:
    """Write new recovery codes: a receiver of allauth's signal."""
    record(user, Kind.CODES, now=timezone.now(), request=request)
