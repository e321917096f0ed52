"""What became of a user's own affairs since their last visit: results, answers, ends.

These are the unseen notifications of kinds that are outcomes. Showing them marks them as seen, and
they stay for as long as the visit may last.
"""

from datetime import datetime, timedelta
from typing import NamedTuple

from django.core.cache import cache

from accounts import notifications
from accounts.delivery import readers
from accounts.models import Notification, User
from accounts.optional import optional_write

MOST = 8
"""Maximum number of outcomes that are listed."""

VISIT = timedelta(minutes=30)
"""How long they stay on the page, so that Back finds them again."""


class Outcome(NamedTuple):
    """An outcome in one line, with the address of its page."""

    at: datetime
    text: str
    url: str


class Outcomes(NamedTuple):
    """The latest outcomes, and the number of earlier ones that aren't listed."""

    listed: list[Outcome]
    earlier: int


def kinds() -> tuple[str, ...]:
    """Return the names of the kinds of notifications that are outcomes."""
    return tuple(name for name, kind in notifications.kinds().items() if kind.is_outcome)


def since_last_visit(user: User, now: datetime, *, is_any_unseen: bool = True) -> Outcomes:
    """Return the outcomes that a user hasn't seen before this visit, and mark them as seen.

    :param is_any_unseen: false if it is known that no outcome is unseen.
    """
    key = f"outcomes:{user.pk}"
    rows, earlier = cache.get(key) or ([], 0)
    listed = [Outcome(datetime.fromisoformat(at), *rest) for at, *rest in rows]
    fresh, unlisted = _fresh(user, now) if is_any_unseen else ([], 0)
    if fresh:
        earlier += unlisted + max(0, len(fresh) + len(listed) - MOST)
        listed = [*fresh, *listed][:MOST]
        rows = [[one.at.isoformat(), one.text, one.url] for one in listed]
        cache.set(key, [rows, earlier], VISIT.total_seconds())
    return Outcomes(listed, earlier)


def _fresh(user: User, now: datetime) -> tuple[list[Outcome], int]:
    """Return the latest unseen outcomes, and the number of the others, and mark all as seen."""
    unseen = Notification.objects.filter(recipient=user, seen_at=None, kind__in=kinds())
    if not unseen.exists():
        return [], 0
    # Kinds that are off on the site may still be mailed.
    off = readers.of(user).site_off
    unseen = unseen.exclude(kind__in=off)
    latest = list(unseen.order_by("-created", "-pk")[:MOST])
    if not latest:
        return [], 0
    over = notifications.outdated(user, latest, off)
    lines = [(row.created, notifications.summary(row)) for row in latest if row.pk not in over]
    count = 0
    with optional_write("which outcomes a user has seen"):
        # Those that come in meanwhile are for the next time.
        known = unseen.filter(pk__lte=max(row.pk for row in latest))
        count = notifications.mark_seen(recipient=user, now=now, only=known.values("pk"))
    outcomes = [Outcome(at, line.subject, line.url) for at, line in lines]
    return outcomes, max(0, count - len(latest))
