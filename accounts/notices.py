"""Telling people things: rows written with the event, put into words and mailed later.

Other applications register how their kinds of notice read; this one only keeps and delivers them.
"""

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from accounts.models import Notice, User


@dataclass(frozen=True)
class Letter:
    """A notice in words, as a mail says it.

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
class Glance:
    """A notice in one line, for the list on the site."""

    subject: str
    url: str


@dataclass(frozen=True)
class Kind:
    """A kind of notice: its name, what people call it, and what puts it into words.

    ``glance`` does so for the list, where pictures would be drawn for nothing.
    """

    name: str
    title: str
    render: Callable[[Notice], Letter]
    glance: Callable[[Notice], Glance] | None = None


class UnknownKind(LookupError):
    """No application has registered this kind of notice."""


logger = logging.getLogger(__name__)

_kinds: dict[str, Kind] = {}


def register(
    name: str,
    *,
    title: str,
    render: Callable[[Notice], Letter],
    glance: Callable[[Notice], Glance] | None = None,
) -> None:
    """Make a kind of notice known; called once, when the applications start."""
    _kinds[name] = Kind(name, title, render, glance)


def kinds() -> dict[str, Kind]:
    """Return all kinds by name, in the order in which they were registered."""
    return dict(_kinds)


def render(notice: Notice) -> Letter:
    """Put a notice into words.

    :raises UnknownKind: nobody has registered its kind.
    """
    return _kind(notice).render(notice)


def glance(notice: Notice) -> Glance:
    """Put a notice into one line, whatever happens; where its renderer is broken, by its kind."""
    try:
        kind = _kind(notice)
        if kind.glance is not None:
            return kind.glance(notice)
        letter = kind.render(notice)
        return Glance(letter.subject, letter.url)
    except Exception:
        logger.exception("Notice %s cannot be put into one line", notice.pk)
        known = _kinds.get(notice.kind)
        return Glance(known.title if known else "Something happened", "")


def _kind(notice: Notice) -> Kind:
    kind = _kinds.get(notice.kind)
    if kind is None:
        raise UnknownKind(notice.kind)
    return kind


def notify(
    *,
    recipient: User,
    kind: str,
    payload: Mapping[str, Any],
    now: datetime,
    key: str | None = None,
) -> None:
    """Write a notice, in the transaction of its event.

    ``payload["place"]`` names the page that shows it: who has that page open gets no mail. A key
    that this recipient was told already is left alone.
    """
    notify_all(recipients=[recipient.pk], kind=kind, payload=payload, now=now, key=key)


def notify_all(
    *,
    recipients: Iterable[int],
    kind: str,
    payload: Mapping[str, Any],
    now: datetime,
    key: str | None = None,
) -> None:
    """Write the same notice to several users, given by their ids, in one query."""
    place = str(payload.get("place", ""))
    written = [
        Notice(
            recipient_id=recipient,
            kind=kind,
            payload=dict(payload),
            place=place,
            key=key,
            created=now,
            next_try=now,
        )
        for recipient in recipients
    ]
    Notice.objects.bulk_create(written, ignore_conflicts=True)


def unseen(user: User) -> int:
    """Return how many notices a user has not seen."""
    return Notice.objects.filter(recipient=user, seen_at=None).count()


def mark_seen(*, recipient: User, now: datetime, place: str | None = None) -> int:
    """Note that a user has seen the notices of a place, or all of them; return how many were new.

    Mails of theirs that have not gone out yet will not be sent.
    """
    fresh = Notice.objects.filter(recipient=recipient, seen_at=None)
    if place is not None:
        fresh = fresh.filter(place=place)
    return fresh.update(seen_at=now)
