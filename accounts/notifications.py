"""Notifications: rows written with their event, shown on the site and mailed later.

Other applications register how their kinds of notification read. This one stores and delivers them.
"""

import json
import logging
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any, TypeAlias

from django.db import connections, router, transaction
from django.db.models import Max, Q, QuerySet
from django.utils.translation import gettext
from django_stubs_ext import StrOrPromise

from accounts.delivery import readers
from accounts.models import AccountDeletion, Notification, User
from accounts.signals import notifications_changed

State = Notification.MailState

Current: TypeAlias = Callable[[User], QuerySet[Any, str]]

UNSEEN_SQL = """
    WITH fresh AS (
        SELECT id, kind, place FROM accounts_notice WHERE recipient_id = %s AND seen_at IS NULL
    ), noted AS (
        SELECT id, kind, place, 1 AS is_unseen FROM fresh
        UNION ALL
        SELECT max(id), kind, place, 0 FROM accounts_notice
        WHERE recipient_id = %s AND place IN (SELECT place FROM fresh) AND place <> ''
        GROUP BY kind, place
    )
    SELECT d.user_id IS NOT NULL, s.site_off, n.id, n.kind, n.place, n.is_unseen
    FROM accounts_user AS u
    LEFT JOIN accounts_deletion AS d ON d.user_id = u.id
    LEFT JOIN accounts_delivery_settings AS s ON s.user_id = u.id
    LEFT JOIN noted AS n ON 1 = 1
    WHERE u.id = %s
"""
"""Reads a user's unseen notifications, and the latest of each kind about the same pages.

Beside each stands whether the account is to be deleted, and which kinds are off.
"""


@dataclass(frozen=True)
class NotificationEmail:
    """A notification as an email.

    ``html`` is a fragment, in which ``cid:name`` refers to an image by its name. ``url`` is the
    notification's page, without the host.
    """

    subject: str
    text: str
    html: str
    url: str
    images: list[tuple[str, bytes]] = field(default_factory=list)
    """Name and PNG of each image in ``html``."""

    reply_to: str = ""
    """The address that takes moves as replies; empty without one."""

    reply_hint: str = ""
    """What a reply may contain, in a sentence; empty without ``reply_to``."""


@dataclass(frozen=True)
class Summary:
    """A notification in one line, for the list on the site."""

    subject: str
    url: str


@dataclass(frozen=True)
class NotificationKind:
    """A kind of notification: its name, its title, and its renderers.

    ``summary`` renders a line for the list, without pictures. ``current`` returns a query for the
    keys of pages about which notifications of this kind are still true; it depends on the user only
    by the id. ``None`` means all pages. Each page has one notification of a ``group``, the latest.
    ``many`` returns the subject of a mail about several, with ``{count}``, by their number.

    A reminder has ``use_until``, which returns when it becomes useless, or ``None``. It is never
    delayed past that. One that ``is_asked_for``, such as a test, is sent at once and regardless of
    preferences. One that ``is_urgent`` needs the recipient to act: the preset for turns and
    deadlines keeps it on. One that ``is_quiet`` is neither mailed nor pushed unless its reader has
    turned that on. One that ``covers`` other kinds replaces them in a mail about the same
    page. One that ``is_outcome`` reports an end or an answer, which the front page lists once.
    ``is_over`` returns whether nothing is left of what a notification reports: then it isn't sent.
    """

    name: str
    named: StrOrPromise
    render: Callable[[Notification], NotificationEmail]
    summary: Callable[[Notification], Summary] | None = None
    current: Current | None = None
    group: str = ""
    many: Callable[[int], str] | None = None
    use_until: Callable[[Notification], datetime | None] | None = None
    is_asked_for: bool = False
    is_urgent: bool = False
    is_quiet: bool = False
    covers: Collection[str] = ()
    is_outcome: bool = False
    is_over: Callable[[Notification], bool] | None = None

    @property
    def title(self) -> str:
        """The title in the reader's language. Kinds are registered before there is a reader."""
        return str(self.named)


class UnknownKind(LookupError):
    """No application has registered this kind of notification."""


logger = logging.getLogger(__name__)

_kinds: dict[str, NotificationKind] = {}


def register(
    name: str,
    *,
    title: StrOrPromise,
    render: Callable[[Notification], NotificationEmail],
    **more: Any,
) -> None:
    """Register a kind of notification. Called once at startup.

    ``more`` are the other fields of :class:`NotificationKind`.
    """
    _kinds[name] = NotificationKind(name, title, render, **more)


def kinds() -> dict[str, NotificationKind]:
    return dict(_kinds)


def chosen_kinds() -> dict[str, NotificationKind]:
    """Return the kinds that people can turn on and off, by name."""
    return {name: kind for name, kind in _kinds.items() if not kind.is_asked_for}


def render(notification: Notification) -> NotificationEmail:
    """Return a notification as an email.

    :raises UnknownKind: its kind isn't registered.
    """
    return _kind(notification).render(notification)


def summary(notification: Notification) -> Summary:
    """Return a notification in one line. If its renderer fails, that is the title of its kind."""
    try:
        kind = _kind(notification)
        if kind.summary is not None:
            return kind.summary(notification)
        email = kind.render(notification)
        return Summary(email.subject, email.url)
    except Exception:
        logger.exception("Notification %s cannot be put into one line", notification.pk)
        known = _kinds.get(notification.kind)
        return Summary(known.title if known else gettext("Something happened"), "")


def _kind(notification: Notification) -> NotificationKind:
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

    ``payload["place"]`` is the key of its page: recipients who have that page open get no mail. If
    the recipient has a notification with the same key, nothing happens. Bots don't get any.
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
    """Write the same notification to the users with these ids, in one query."""
    keep(made(recipients=recipients, kind=kind, payload=payload, now=now, key=key))


def made(
    *,
    recipients: Iterable[int],
    kind: str,
    payload: Mapping[str, Any],
    now: datetime,
    key: str | None = None,
) -> list[Notification]:
    """Return the same notification, unsaved, for the users with these ids."""
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
    """Save notifications, except those whose key their recipient already has."""
    saved = Notification.objects.bulk_create(written, ignore_conflicts=True)
    _announce({one.recipient_id for one in saved})


def _announce(recipients: Collection[int]) -> None:
    """Let open pages count again, once this is committed."""
    if recipients:
        send = partial(notifications_changed.send, sender=Notification, recipients=recipients)
        transaction.on_commit(send, robust=True)


def listed(user: User) -> QuerySet[Notification]:
    """Return a user's notifications, newest first, without outdated ones.

    Those replaced by a later one, or turned off on the site, are left out too.
    """
    rows = Notification.objects.filter(recipient=user)
    off = readers.of(user).site_off
    return rows.exclude(_over(user, off)).order_by("-created", "-pk")


def unseen(user: User) -> int:
    """Return how many listed notifications a user hasn't seen."""
    return unseen_and_deletion(user, {})[0]


def unseen_and_deletion(
    user: User, pages: Mapping[Current, Collection[str]], *, besides: str | None = None
) -> tuple[int, datetime | None]:
    """Return the number of unseen listed notifications, and when the account is deleted.

    Every page shows both. One statement reads what takes two queries and 1.5 ms by the ORM.

    :param pages: what some of the functions ``current`` would read.
    :param besides: the key of a page whose notifications don't count, as the user has it open.
    """
    with connections[router.db_for_read(Notification)].cursor() as cursor:
        cursor.execute(UNSEEN_SQL, [user.pk, user.pk, user.pk])
        rows = cursor.fetchall()
    is_deleted, off = rows[0][:2]
    off = json.loads(off) if off else []
    noted = [
        (Notification(pk=pk, kind=kind, page_key=page), is_unseen)
        for *_, pk, kind, page, is_unseen in rows
        if pk is not None and kind not in off and page != besides
    ]
    fresh = [row for row, is_unseen in noted if is_unseen]
    over = outdated(user, fresh, off, others=[row for row, _ in noted], pages=pages)
    due = AccountDeletion.objects.get(user=user.pk).due if is_deleted else None
    return len(fresh) - len(over), due


def _over(user: User, off: Collection[str]) -> Q:
    """Return the condition for notifications that aren't listed.

    :param off: kinds that the user has turned off on the site.
    """
    over = Q(kind__in=off)
    for group in _groups(off):
        over |= Q(kind__in=group) & ~Q(page_key="") & ~Q(pk__in=_latest_of(user, group))
    for kind in _kinds.values():
        if kind.current is not None:
            over |= Q(kind=kind.name) & ~Q(page_key__in=kind.current(user))
    return over


def _latest_of(user: User, group: Collection[str]) -> QuerySet[Notification, int]:
    """Return the ids of a group's latest notification about each page."""
    about = Notification.objects.filter(recipient=user, kind__in=group).exclude(page_key="")
    return about.values("page_key").annotate(latest=Max("pk")).values_list("latest", flat=True)


def outdated(
    user: User,
    notifications: Collection[Notification],
    off: Collection[str],
    *,
    others: Collection[Notification] | None = None,
    pages: Mapping[Current, Collection[str]] | None = None,
) -> dict[int, State]:
    """Return why notifications needn't be sent any more, by id.

    :param off: kinds that the user has turned off; they replace no others.
    :param others: the latest of each kind that is on, about the same pages, if they are known.
    :param pages: what some of the functions ``current`` would read, if it is known.
    """
    reasons: dict[int, State] = {}
    known = {_kinds[one.kind] for one in notifications if one.kind in _kinds}
    for group in {kind.group for kind in known} - {""}:
        rows = _of_kinds(notifications, "group", group)
        if others is None:
            latest = _latest(user, rows, group, off)
        else:
            ordered = sorted(_of_kinds(others, "group", group), key=lambda one: one.pk)
            latest = {one.page_key: one.pk for one in ordered if one.page_key}
        replaced = (one.pk for one in rows if latest.get(one.page_key, 0) > one.pk)
        reasons |= dict.fromkeys(replaced, State.REPLACED)
    for current in {kind.current for kind in known if kind.current}:
        found = pages[current] if pages and current in pages else set(current(user))
        rows = _of_kinds(notifications, "current", current)
        over = (one.pk for one in rows if one.page_key not in found)
        reasons |= dict.fromkeys(over, State.OVER)
    return reasons


def _of_kinds(notifications: Iterable[Notification], field: str, value: Any) -> list[Notification]:
    """Return the notifications of kinds with a value in a field."""
    return [
        one
        for one in notifications
        if one.kind in _kinds and getattr(_kinds[one.kind], field) == value
    ]


def _latest(
    user: User, rows: Iterable[Notification], group: str, off: Collection[str]
) -> dict[str, int]:
    """Return the ids of a group's latest notifications about the pages of these rows."""
    names = [kind.name for kind in _kinds.values() if kind.group == group and kind.name not in off]
    pages = {row.page_key for row in rows} - {""}
    about = Notification.objects.filter(recipient=user, page_key__in=pages, kind__in=names)
    return dict(about.values_list("page_key").annotate(Max("pk")))


def _groups(off: Collection[str]) -> list[set[str]]:
    """Return the names of the kinds in each group, except those that are off."""
    wanted = [kind for kind in _kinds.values() if kind.group and kind.name not in off]
    groups = {kind.group for kind in wanted}
    return [{kind.name for kind in wanted if kind.group == group} for group in groups]


def mark_seen(
    *,
    recipient: User,
    now: datetime,
    page_keys: Collection[str] | None = None,
    only: Collection[int] | QuerySet[Notification, Any] | None = None,
) -> int:
    """Mark a user's notifications as seen; return how many were new.

    Their unsent mails won't be sent, and the user's open pages count again.

    :param page_keys: the pages that they are about; ``None`` for all pages.
    :param only: their ids; ``None`` for all.
    """
    fresh = Notification.objects.filter(recipient=recipient, seen_at=None)
    if page_keys is not None:
        fresh = fresh.filter(page_key__in=page_keys)
    if only is not None:
        fresh = fresh.filter(pk__in=only)
    count = fresh.update(seen_at=now)
    _announce([recipient.pk] if count else [])
    return count
