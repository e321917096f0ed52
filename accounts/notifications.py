"""Notifications: rows written with the event, put into words and mailed later.

Other applications register how their kinds of notification read; this one only keeps and delivers
them.
"""

import logging
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import FilteredRelation, Max, Q, QuerySet

from accounts.delivery import readers
from accounts.models import Notification, User

State = Notification.MailState


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

    reply_to: str = ""
    """The address at which the site takes answers to it; empty if it takes none."""

    reply_hint: str = ""
    """What may be answered, in a sentence; empty without ``reply_to``."""


@dataclass(frozen=True)
class Summary:
    """A notification in one line, for the list on the site."""

    subject: str
    url: str


@dataclass(frozen=True)
class Kind:
    """A kind of notification: its name, what people call it, and what puts it into words.

    ``summary`` does so for the list, where pictures would be drawn for nothing. ``current`` asks
    for the keys of the pages that notifications of the kind still say something true about, by a
    query in which nothing but the user's id depends on the user; ``None`` stands for all pages.
    Of the kinds of one ``group`` each page has one notification, the latest. ``many`` is the
    subject of a mail about several, with ``{count}`` in it.

    A reminder has ``use_until``, the moment from which one is of no more use, or ``None``: it is
    never put off past that. What ``is_asked_for``, such as a test, is sent at once and is no
    matter of preference. One that ``is_urgent`` needs the recipient to act: the preset for
    turns and deadlines keeps it on. One that ``covers`` other kinds says all that they would about
    its page, where one mail has both.
    """

    name: str
    title: str
    render: Callable[[Notification], NotificationEmail]
    summary: Callable[[Notification], Summary] | None = None
    current: Callable[[User], QuerySet[Any, str]] | None = None
    group: str = ""
    many: str = ""
    use_until: Callable[[Notification], datetime | None] | None = None
    is_asked_for: bool = False
    is_urgent: bool = False
    covers: Collection[str] = ()


class UnknownKind(LookupError):
    """No application has registered this kind of notification."""


logger = logging.getLogger(__name__)

_kinds: dict[str, Kind] = {}


def register(
    name: str,
    *,
    title: str,
    render: Callable[[Notification], NotificationEmail],
    **more: Any,
) -> None:
    """Make a kind of notification known; called once, when the applications start.

    ``more`` are the other fields of :class:`Kind`.
    """
    _kinds[name] = Kind(name, title, render, **more)


def kinds() -> dict[str, Kind]:
    """Return all kinds by name, in the order in which they were registered."""
    return dict(_kinds)


def chosen_kinds() -> dict[str, Kind]:
    """Return the kinds about which people choose how they are told, by name."""
    return {name: kind for name, kind in _kinds.items() if not kind.is_asked_for}


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
    """Return what a user was told, newest first, but not what is over, such as a turn taken.

    Nor what a later one about the same page stands for, or is not wanted on the site.
    """
    told, off = Notification.objects.filter(recipient=user), readers.of(user).site_off
    return told.exclude(_over(user, off)).order_by("-created", "-pk")


def unseen(user: User) -> int:
    """Return how many of the listed notifications a user has not seen."""
    return unseen_and_deletion(user)[0]


def unseen_and_deletion(user: User) -> tuple[int, datetime | None]:
    """Return how many listed notifications a user has not seen, and when the account is deleted.

    One query reads both, and another one or two what is over where there are any notifications.
    Most users have few, so this is faster than to let Django build the query of the list.
    """
    fresh = FilteredRelation("notifications", condition=Q(notifications__seen_at=None))
    rows = User.objects.filter(pk=user.pk).annotate(fresh=fresh)
    columns = ("deletion__due", "delivery__site_off", "fresh__pk", "fresh__kind", "fresh__page_key")
    found = list(rows.values_list(*columns))
    due, off, *_ = found[0]
    told = [
        Notification(pk=pk, kind=kind, page_key=page_key)
        for *_, pk, kind, page_key in found
        if pk is not None and kind not in (off or ())
    ]
    return len(told) - len(outdated(user, told, off or ())), due


def _over(user: User, off: Collection[str]) -> Q:
    """Return the condition for notifications to a user that are not listed.

    :param off: kinds that the user does not want on the site.
    """
    over = Q(kind__in=off)
    for group in _groups(off):
        over |= Q(kind__in=group) & ~Q(page_key="") & ~Q(pk__in=_latest_of(user, group))
    for kind in _kinds.values():
        if kind.current is not None:
            over |= Q(kind=kind.name) & ~Q(page_key__in=kind.current(user))
    return over


def _latest_of(user: User, group: Collection[str]) -> QuerySet[Notification, int]:
    """Return the ids of the latest notifications of a group about each page."""
    about = Notification.objects.filter(recipient=user, kind__in=group).exclude(page_key="")
    return about.values("page_key").annotate(latest=Max("pk")).values_list("latest", flat=True)


def outdated(user: User, told: Collection[Notification], off: Collection[str]) -> dict[int, State]:
    """Return which of the notifications to a user need not be sent any more, and why, by id.

    :param off: kinds that the user does not want; they stand for no other.
    """
    found: dict[int, State] = {}
    known = {_kinds[one.kind] for one in told if one.kind in _kinds}
    for group in {kind.group for kind in known} - {""}:
        rows = [one for one in told if one.kind in _kinds and _kinds[one.kind].group == group]
        latest = _latest(user, rows, group, off)
        replaced = (one.pk for one in rows if latest.get(one.page_key, 0) > one.pk)
        found |= dict.fromkeys(replaced, State.REPLACED)
    for current in {kind.current for kind in known if kind.current}:
        rows = [one for one in told if one.kind in _kinds and _kinds[one.kind].current == current]
        pages = set(current(user))
        over = (one.pk for one in rows if one.page_key not in pages)
        found |= dict.fromkeys(over, State.OVER)
    return found


def _latest(
    user: User, rows: Iterable[Notification], group: str, off: Collection[str]
) -> dict[str, int]:
    """Return the id of the latest notification of a group about the page of each of the rows."""
    names = [kind.name for kind in _kinds.values() if kind.group == group and kind.name not in off]
    pages = {row.page_key for row in rows} - {""}
    about = Notification.objects.filter(recipient=user, page_key__in=pages, kind__in=names)
    return dict(about.values_list("page_key").annotate(Max("pk")))


def _groups(off: Collection[str]) -> list[set[str]]:
    """Return the names of the kinds of each group, without those that are off."""
    wanted = [kind for kind in _kinds.values() if kind.group and kind.name not in off]
    groups = {kind.group for kind in wanted}
    return [{kind.name for kind in wanted if kind.group == group} for group in groups]


def mark_seen(*, recipient: User, now: datetime, page_key: str | None = None) -> int:
    """Note that a user has seen the notifications of a page, or all; return how many were new.

    Mails of theirs that have not gone out yet will not be sent.
    """
    fresh = Notification.objects.filter(recipient=recipient, seen_at=None)
    if page_key is not None:
        fresh = fresh.filter(page_key=page_key)
    return fresh.update(seen_at=now)
