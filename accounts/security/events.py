"""The log of security events of accounts, kept for a while."""

from datetime import datetime, timedelta
from typing import Any

from allauth.mfa.models import Authenticator
from django.http import HttpRequest
from django.utils import timezone

from accounts import browsers
from accounts.limits import address
from accounts.models import User
from accounts.sanctions import traces
from accounts.security import event_details
from accounts.security.models import SecurityEvent

Kind = SecurityEvent.Kind

EVENT_LIFETIME = timedelta(days=90)
"""How long events are kept; changes of rights are kept as long as the account."""

MAX_SHOWN = 50

FACTORS = {
    Authenticator.Type.TOTP: event_details.APP,
    Authenticator.Type.RECOVERY_CODES: event_details.CODES,
}
"""What stands for second factors in the details of events; a passkey has a name of its own."""


def record(
    user: User,
    kind: SecurityEvent.Kind,
    *,
    now: datetime,
    request: HttpRequest | None = None,
    by: str = "",
    details: str = "",
) -> None:
    """Write an event; ``request`` is ``None`` if a command or the site caused it."""
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
    return list(SecurityEvent.objects.filter(user=user).order_by("-at", "-pk")[:MAX_SHOWN])


def forget(*, now: datetime) -> int:
    """Delete old events; return how many."""
    old = SecurityEvent.objects.filter(at__lt=now - EVENT_LIFETIME).exclude(kind=Kind.RIGHTS)
    return old.delete()[0]


def rights_of(user: User) -> str:
    """Return a user's rights in words, to compare and to show."""
    rights = [name for name in ("is_active", "is_staff", "is_superuser") if getattr(user, name)]
    groups = sorted(user.groups.values_list("name", flat=True))
    single = sorted(user.user_permissions.values_list("codename", flat=True))
    return ", ".join([name.removeprefix("is_") for name in rights] + groups + single) or "none"


def rights_changed(user: User, *, before: str, by: str, now: datetime, **more: Any) -> None:
    """Record a change of a user's rights, if there is one."""
    after = rights_of(user)
    if after != before:
        record(user, Kind.RIGHTS, now=now, by=by, details=f"from {before} to {after}", **more)


def signed_in(request: HttpRequest, user: User, **kwargs: Any) -> None:
    record(user, Kind.SIGNED_IN, now=timezone.now(), request=request)
    traces.note(request, user, now=timezone.now())


def failed(credentials: dict[str, Any], request: HttpRequest | None = None, **kwargs: Any) -> None:
    """Record a wrong password for an existing account. Receiver of Django's signal.

    Unknown names aren't stored: somebody may have typed a password there.
    """
    user = User.objects.named(str(credentials.get("username", "")))
    if user is not None:
        record(user, Kind.FAILED, now=timezone.now(), request=request)


def code_failed(request: HttpRequest, user: User, **kwargs: Any) -> None:
    """Record a wrong code. Receiver of allauth's signal."""
    record(user, Kind.CODE_FAILED, now=timezone.now(), request=request)


def password_changed(request: HttpRequest, user: User, **kwargs: Any) -> None:
    record(user, Kind.PASSWORD, now=timezone.now(), request=request)


def email_changed(request: HttpRequest, user: User, **kwargs: Any) -> None:
    record(user, Kind.EMAIL, now=timezone.now(), request=request)


def factor_added(
    request: HttpRequest, user: User, authenticator: Authenticator, **kwargs: Any
) -> None:
    """Record a new second factor, or the recovery codes made with the first one.

    Receiver of allauth's signal.
    """
    if authenticator.type == Authenticator.Type.RECOVERY_CODES:
        codes_made(request, user)
    else:
        details = _factor_name(authenticator)
        record(user, Kind.FACTOR_ADDED, now=timezone.now(), request=request, details=details)


def factor_removed(
    request: HttpRequest, user: User, authenticator: Authenticator, **kwargs: Any
) -> None:
    details = _factor_name(authenticator)
    record(user, Kind.FACTOR_REMOVED, now=timezone.now(), request=request, details=details)


def _factor_name(authenticator: Authenticator) -> str:
    if authenticator.type == Authenticator.Type.WEBAUTHN:
        return f"passkey “{authenticator.wrap().name}”"
    return FACTORS[authenticator.type]


def codes_made(request: HttpRequest, user: User, **kwargs: Any) -> None:
    record(user, Kind.CODES, now=timezone.now(), request=request)
