"""Notifications: rows written with the event, put into words and mailed later.

Other applications register how their kinds of notification read; this one only keeps and delivers
them.
"""

import logging
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Max, Q, QuerySet

from accounts.models import Notification, User


@dataclass(frozen=True)
class NotificationEmail:
    """A notification in words, as a mail says it.

    ``html`` is the inner part of a mail, not a whole page; in it ``cid:name`` stands for the image
    of that name. ``url`` is the page that it is about, without the host.
    """

    subject: str
    text: str
    html: str
    url: str
    images: list[tuple[str, bytes]] = field(default_factory=list)
    """Name and PNG of each picture in ``html``."""


@dataclass(frozen=True)
class Summary:
    """A notification in one line, for the list on the site."""

    subject: str
    url: str


@dataclass(frozen=True)
class Kind:
    """A kind of notification: its name, what people call it, and what puts it into words.

    ``summary`` does so for the list, where pictures would be drawn for nothing. ``current`` tells
    which pages notifications of the kind still say something true about; ``None`` stands for all.
    """

    name: str
    title: str
    render: Callable[[Notification], NotificationEmail]
    summary: Callable[[Notification], Summary] | None = None
    current: Callable[[User], Collection[str]] | None = None


class UnknownKind(LookupError):
    """No application has registered this kind of notification."""


logger = logging.getLogger(__name__)

_kinds: dict[str, Kind] = {}


def register(
    name: str,
    *,
    title: str,
    render: Callable[[Notification], NotificationEmail],
    summary: Callable[[Notification], Summary] | None = None,
    current: Callable[[User], Collection[str]] | None = None,
) -> None:
    """Make a kind of notification known; called once, when the applications start."""
    _kinds[name] = Kind(name, title, render, summary, current)


def kinds() -> dict[str, Kind]:
    """Return all kinds by name, in the order in which they were registered."""
    return dict(_kinds)


def render(notification: Notification) -> NotificationEmail:
    """Put a notification into words.

    :raises UnknownKind: nobody has registered its kind.
    """
    return _kind(notification).render(notification)


def summary(notification: Notification) -> Summary:
    """Put a notification into one line, by the title of its kind where its renderer fails."""
    try:
        kind = _kind(notification)
        if kind.summary is not None:
            return kind.summary(notification)
        email = kind.render(notification)
        return Summary(email.subject, email.url)
    except Exception:
        logger.exception("Notification %s cannot be put into one line", notification.pk)
        known = _kinds.get(notification.kind)
        return Summary(known.title if known else "Something happened", "")


def _kind(notification: Notification) -> Kind:
    kind = _kinds.get(notification.kind)
    if kind is None:
        raise UnknownKind(notification.kind)
    return kind


def notify(
    *,
    recipient: User,
    kind: str,
    payload: Mapping[str, Any],
    now: datetime,
    key: str | None = None,
) -> None:
    """Write a notification, in the transaction of its event.

    ``payload["place"]`` names the page that shows it: who has that page open gets no mail. A key
    that this recipient was told already is left alone. Bots are told nothing.
    """
    if recipient.is_bot:
        return
    notify_all(recipients=[recipient.pk], kind=kind, payload=payload, now=now, key=key)


def notify_all(
    *,
    recipients: Iterable[int],
    kind: str,
    payload: Mapping[str, Any],
    now: datetime,
    key: str | None = None,
) -> None:
    """Write the same notification to several users, given by their ids, in one query."""
    keep(made(recipients=recipients, kind=kind, payload=payload, now=now, key=key))


def made(
    *,
    recipients: Iterable[int],
    kind: str,
    payload: Mapping[str, Any],
    now: datetime,
    key: str | None = None,
) -> list[Notification]:
    """Return the same notification to several users, given by their ids, to be written."""
    page_key = str(payload.get("place", ""))
    return [
        Notification(
            recipient_id=recipient,
            kind=kind,
            payload=dict(payload),
            page_key=page_key,
            key=key,
            created=now,
            next_try=now,
        )
        for recipient in recipients
    ]


def keep(written: Iterable[Notification]) -> None:
    """Write notifications; those whose key their recipients were told already are left alone."""
    Notification.objects.bulk_create(written, ignore_conflicts=True)


def listed(user: User) -> QuerySet[Notification]:
    """Return what a user was told, newest first, but not what is over, such as a turn taken."""
    told = Notification.objects.filter(recipient=user)
    over = Q(pk=None)
    for kind in _kinds.values():
        if kind.current is not None:
            about = told.filter(kind=kind.name, page_key__in=kind.current(user))
            latest = about.order_by().values("page_key").annotate(latest=Max("pk"))
            over |= Q(kind=kind.name) & ~Q(pk__in=latest.values("latest"))
    return told.exclude(over).order_by("-created", "-pk")


def unseen(user: User) -> int:
    """Return how many notifications a user has not seen."""
    return Notification.objects.filter(recipient=user, seen_at=None).count()


def mark_seen(*, recipient: User, now: datetime, page_key: str | None = None) -> int:
    """Note that a user has seen the notifications of a page, or all; return how many were new.

    Mails of theirs that have not gone out yet will not be sent.
    """
    fresh = Notification.objects.filter(recipient=recipient, seen_at=None)
    if page_key is not None:
        fresh = fresh.filter(page_key=page_key)
    return fresh.update(seen_at=now)
