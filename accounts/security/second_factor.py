"""Who needs a second factor, and who has shown one recently."""

import time
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from allauth.account.authentication import get_authentication_records
from allauth.account.internal.flows.login import record_authentication
from allauth.mfa.models import Authenticator
from cryptography.fernet import InvalidToken
from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext_lazy

from accounts import at_rest, tokens
from accounts.models import User
from accounts.security import events, sessions

FACTOR_LIFETIME = timedelta(hours=12)
"""How long a shown factor counts. Source: NIST SP 800-63B, AAL2."""

ENCRYPTED = {Authenticator.Type.TOTP: "secret", Authenticator.Type.RECOVERY_CODES: "seed"}
"""Where the data of a factor holds an encrypted key."""

NEEDED = gettext_lazy("Your account has rights on this site. Add a second factor to use them.")

View = Callable[..., HttpResponse]


def of(user: User) -> QuerySet[Authenticator]:
    """Return a user's second factors; recovery codes alone don't count."""
    factors: QuerySet[Authenticator] = Authenticator.objects.filter(user=user).exclude(
        type=Authenticator.Type.RECOVERY_CODES
    )
    return factors


def is_needed(user: User) -> bool:
    """Whether a user has rights that need a second factor."""
    if not settings.STAFF_SECOND_FACTOR:
        return False
    return user.is_staff or user.is_superuser or bool(user.get_all_permissions())


def is_shown(request: HttpRequest) -> bool:
    """Whether the request's user has shown a second factor recently, or doesn't need one here."""
    if not settings.STAFF_SECOND_FACTOR:
        return True
    if not isinstance(request.user, User):
        return False
    records = get_authentication_records(request, request.user)
    moments = [record["at"] for record in records if record["method"] == "mfa"]
    return bool(moments) and time.time() - max(moments) < FACTOR_LIFETIME.total_seconds()


def ask(request: HttpRequest, then: str) -> HttpResponse:
    """Redirect a signed-in user to show or add a second factor, then to ``then``."""
    user = request.user
    types = set(of(user).values_list("type", flat=True)) if isinstance(user, User) else set()
    if not types:
        messages.warning(request, NEEDED)
        return HttpResponseRedirect(reverse("mfa_index"))
    totp = Authenticator.Type.TOTP in types
    page = reverse("mfa_reauthenticate" if totp else "mfa_reauthenticate_webauthn")
    return HttpResponseRedirect(f"{page}?{urlencode({'next': then})}")


def required(view: View) -> View:
    """Require a recent second factor for a view."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not is_shown(request):
            return ask(request, request.get_full_path())
        return view(request, *args, **kwargs)

    return guarded


def added(request: HttpRequest, user: User, authenticator: Authenticator, **kwargs: Any) -> None:
    """Count a newly added factor as shown. Receiver of allauth's signal."""
    if authenticator.type != Authenticator.Type.RECOVERY_CODES:
        record_authentication(
            request, user, method="mfa", id=authenticator.pk, type=authenticator.type
        )


def reset(user: User, *, by: str, now: datetime) -> int:
    """Remove all second factors and recovery codes of somebody who lost them.

    Sessions and tokens end too, since the finder of a lost factor may have made them.

    :returns: the number of factors.
    """
    count = int(Authenticator.objects.filter(user=user).delete()[0])
    sessions.end_all(user)
    tokens.revoke_all(user)
    events.record(user, events.Kind.FACTORS_RESET, now=now, by=by)
    return count


def with_keys(user: User | None = None) -> QuerySet[Authenticator]:
    """Return the factors and recovery codes that an encrypted key belongs to."""
    factors: QuerySet[Authenticator] = Authenticator.objects.filter(type__in=ENCRYPTED)
    return factors.filter(user=user) if user else factors


def unreadable(user: User) -> set[str]:
    """Return the types of a user's factors that are encrypted under an unknown ``SECRET_KEY``."""
    return {factor.type for factor in with_keys(user) if not _is_readable(factor)}


def _is_readable(factor: Authenticator) -> bool:
    try:
        at_rest.decrypt(factor.data[ENCRYPTED[factor.type]])
    except InvalidToken:
        return False
    return True


def renew(factor: Authenticator) -> bool:
    """Encrypt a factor's key under the current ``SECRET_KEY``. ``False`` if it is already.

    :raises cryptography.fernet.InvalidToken: the site can't read it.
    """
    field = ENCRYPTED[factor.type]
    if at_rest.renewed(factor.data[field]) == factor.data[field]:
        return False
    with transaction.atomic():
        # The lock keeps which recovery codes are used.
        row = Authenticator.objects.select_for_update().filter(pk=factor.pk).first()
        if row is not None:
            row.data[field] = at_rest.renewed(row.data[field])
            row.save(update_fields=["data"])
    return row is not None


def used(user: User, **kwargs: Any) -> None:
    """Encrypt a user's keys under the current ``SECRET_KEY``. Receiver of allauth's signal."""
    for factor in with_keys(user):
        with suppress(InvalidToken):
            renew(factor)
