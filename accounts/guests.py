"""Guests: people who play before they have an account.

A guest is a user created by a POST and tied to a session. Joining keeps the row; signing in to
another account hands the matches over. Only the session gives access, since there is neither a
password nor a mail address.
"""

import logging
import secrets
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, login
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError, QuerySet
from django.http import HttpRequest

from accounts import deletion, limits, personal_data, zones
from accounts.models import User
from accounts.names import GUEST
from accounts.sanctions import standing
from accounts.security import sessions

logger = logging.getLogger(__name__)

GUEST_LIFETIME = timedelta(days=30)
"""How long an absent guest and their session are kept."""

TOUCHED = timedelta(days=1)
"""How often at most a guest's visits are stored."""

DIGITS = (4, 4, 4, 5, 5, 6, 7, 8, 9)
"""Number of digits in a guest's name, for each attempt to find a free one."""

OTHER_GUEST = "other-guest"
"""Session key: this browser's guest isn't the person who signs in."""

OF_A_GUEST = (
    *(SESSION_KEY, BACKEND_SESSION_KEY, HASH_SESSION_KEY),
    *(OTHER_GUEST, "_session_expiry", sessions.BEGAN, sessions.USED),
)
"""The session keys that belong to a guest."""

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


def guest_of(request: HttpRequest) -> User | None:
    """``None`` for members and visitors."""
    user = getattr(request, "guest", request.user)
    return user if isinstance(user, User) and user.is_guest else None


def hide(request: HttpRequest) -> None:
    """Treat a guest as a visitor, since signed-in users can't open the pages to sign in or up."""
    request.guest, request.user = request.user, AnonymousUser()  # type: ignore[attr-defined]


def release(request: HttpRequest) -> None:
    """Remove the guest from the session, which otherwise survives a sign-in."""
    for key in OF_A_GUEST:
        request.session.pop(key, None)


def sign_in(request: HttpRequest, *, now: datetime) -> User:
    """Create a guest for a visitor's POST and sign them in.

    :raises TooMany: too many guests come from this network address.
    """
    limits.spend(request, "guest")
    zone = request.POST.get("time_zone", "")
    guest = _make(now, time_zone=zone if zone in zones.known() else zones.UTC_NAME)
    login(request, guest, backend=BACKEND)
    request.session.set_expiry(GUEST_LIFETIME)
    return guest


def _make(now: datetime, **fields: Any) -> User:
    for digits in DIGITS:
        lowest = 10 ** (digits - 1)
        name = f"{GUEST}{lowest + secrets.randbelow(9 * lowest)}"
        try:
            with transaction.atomic():
                return User.objects.create_user(name, is_guest=True, date_joined=now, **fields)
        except IntegrityError:
            continue
    raise RuntimeError("No name is left for a guest.")


def joining(request: HttpRequest, *, now: datetime) -> User | None:
    """Return the guest as the new member to save. ``None`` for anybody else.

    Call it in a transaction.
    """
    sender = guest_of(request)
    if sender is None:
        return None
    guest = (
        User.objects.select_for_update().filter(pk=sender.pk, is_guest=True, is_active=True).first()
    )
    if guest is not None:
        guest.is_guest = False
        guest.date_joined = now
        guest.last_login = None
    return guest


def touch(request: HttpRequest, *, now: datetime) -> None:
    """Note a guest's visit, which prolongs their session."""
    guest = guest_of(request)
    if guest is None or (guest.last_login and guest.last_login > now - TOUCHED):
        return
    User.objects.filter(pk=guest.pk).update(last_login=now)
    request.session.set_expiry(GUEST_LIFETIME)


def merge(guest: User, user: User, *, now: datetime) -> None:
    """Hand a guest's matches and settings over to an account, and delete the guest."""
    changed = [
        name for name in User.PREFERENCES if _is_chosen(guest, name) and not _is_chosen(user, name)
    ]
    for name in changed:
        setattr(user, name, getattr(guest, name))
    with transaction.atomic():
        for part in personal_data.parts():
            part.hand_over(guest, user, now)
        standing.move(guest, user, now=now)
        user.save(update_fields=changed)
    forget(guest, now=now)


def _is_chosen(user: User, name: str) -> bool:
    return bool(getattr(user, name) != getattr(User(), name))


def forget_unused(*, now: datetime) -> int:
    """Delete guests absent for ``GUEST_LIFETIME``; one failure doesn't stop the others.

    :returns: the number of deleted guests.
    """
    pks = list(_unused(now).order_by("pk").values_list("pk", flat=True))
    return sum(_forget_unused(pk, now) for pk in pks)


def _unused(now: datetime) -> QuerySet[User]:
    return User.objects.filter(is_guest=True, last_login__lte=now - GUEST_LIFETIME)


def _forget_unused(pk: int, now: datetime) -> bool:
    """Delete a guest who hasn't come back meanwhile, and make sure that they can't."""
    _unused(now).filter(pk=pk).update(is_active=False)
    guest = _unused(now).filter(pk=pk).first()
    return guest is not None and forget(guest, now=now)


def forget(guest: User, *, now: datetime) -> bool:
    """Delete a guest, or only their name if other rows refer to them.

    Those are rows of opponents and of moderators who dealt with the guest.

    :returns: whether it worked; otherwise the next sweep tries again.
    """
    try:
        _forget(guest, now)
    except Exception:
        logger.exception("Guest %s could not be forgotten", guest.pk)
        return False
    return True


def _forget(guest: User, now: datetime) -> None:
    for part in personal_data.parts():
        part.delete_guest(guest, now)
    mine = User.objects.filter(pk=guest.pk, is_guest=True)
    try:
        with transaction.atomic():
            mine.delete()
    except ProtectedError:
        deletion.erase(guest)
