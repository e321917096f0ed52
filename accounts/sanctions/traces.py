"""Which accounts share network addresses or browsers, by keyed hashes that expire."""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from accounts import devices, limits
from accounts.models import User
from accounts.sanctions.models import Trace

TRACE_LIFETIME = timedelta(days=90)
"""How long a trace is kept after its last use."""

SALT = "accounts.sanctions.traces"

WEIGHTS = {Trace.Kind.DEVICE: 3, Trace.Kind.ADDRESS: 1}
"""Points for a shared trace. A household shares an address, but hardly ever a browser."""


def note(request: HttpRequest, user: User, *, now: datetime) -> None:
    """Store where somebody signs in from."""
    seen = {Trace.Kind.ADDRESS: limits.address(request), Trace.Kind.DEVICE: devices.id_of(request)}
    for kind, value in seen.items():
        if value:
            digest = salted_hmac(SALT, f"{kind} {value}", algorithm="sha256").hexdigest()[:32]
            Trace.objects.update_or_create(
                user=user, kind=kind, digest=digest, defaults={"last_seen": now}
            )


def shared_with(user: User) -> list[tuple[User, int]]:
    """Return the accounts that share traces with a user, each with its points, highest first."""
    scores: Counter[int] = Counter()
    for kind, digest in Trace.objects.filter(user=user).values_list("kind", "digest"):
        others = Trace.objects.filter(kind=kind, digest=digest).exclude(user=user)
        for other in others.values_list("user", flat=True):
            scores[other] += WEIGHTS[Trace.Kind(kind)]
    people = User.objects.in_bulk(list(scores))
    return [(people[pk], score) for pk, score in scores.most_common(20)]


def share_a_browser(user: User, others: Iterable[int]) -> bool:
    """Whether a user and any of the ``others`` used the same browser."""
    seen = Trace.objects.filter(kind=Trace.Kind.DEVICE)
    own = seen.filter(user=user).values("digest")
    return seen.filter(user__in=others, digest__in=own).exclude(user=user).exists()


def forget(*, now: datetime) -> int:
    """Delete expired traces; return how many."""
    return Trace.objects.filter(last_seen__lt=now - TRACE_LIFETIME).delete()[0]
