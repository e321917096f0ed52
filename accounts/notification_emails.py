"""Mails of notifications that consist of a line, details and links."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from django_stubs_ext import StrOrPromise

from accounts import notifications
from accounts.mail import absolute
from accounts.models import Notification, User
from accounts.notifications import NotificationEmail, Summary

Payload = Mapping[str, Any]
Link = tuple[str, str]
"""The words of a link and its address, without the host."""

NEWLINE = "\n"
PARAGRAPH = "\n\n"
"""Between the paragraphs of a text."""


@dataclass(frozen=True)
class WordedKind:
    """A kind of notification whose mail is its line, details and perhaps links.

    ``title`` is its name in the preferences. ``subject`` and ``details`` make its line and the rest
    of its mail, ``links`` the links below it. ``more`` are other fields of
    :class:`accounts.notifications.NotificationKind`.
    """

    title: StrOrPromise
    subject: Callable[[Payload], str]
    details: Callable[[Payload, User], str]
    links: Callable[[Payload], Sequence[Link]] = lambda _: ()
    more: Mapping[str, Any] = field(default_factory=dict)


def register(
    kinds: Mapping[str, WordedKind],
    url: Callable[[Payload], str],
    words: Callable[[Payload], Payload] = lambda payload: payload,
) -> None:
    """Register kinds by name, in the order of the preferences.

    :param url: returns the address of a notification's page, without the host.
    :param words: returns the part of a payload that the functions of the kinds read.
    """

    def render(notification: Notification) -> NotificationEmail:
        kind, payload = kinds[notification.kind], words(notification.payload)
        details = kind.details(payload, notification.recipient)
        address = url(notification.payload)
        return email(kind.subject(payload), details, address, kind.links(payload))

    def line(notification: Notification) -> Summary:
        subject = kinds[notification.kind].subject(words(notification.payload))
        return Summary(subject, url(notification.payload))

    for name, kind in kinds.items():
        notifications.register(name, title=kind.title, render=render, summary=line, **kind.more)


def email(subject: str, text: str, url: str, links: Sequence[Link] = ()) -> NotificationEmail:
    """Return a mail that says its subject again, then paragraphs of text, then a list of links."""
    with_hosts = [(words, absolute(path)) for words, path in links]
    html = f"<p><strong>{escape(subject)}.</strong></p>"
    html += "".join(
        f'<p dir="auto">{escape(part).replace(NEWLINE, "<br>")}</p>'
        for part in text.split(PARAGRAPH)
        if part
    )
    if with_hosts:
        rows = (f'<li><a href="{escape(to)}">{escape(words)}</a></li>' for words, to in with_hosts)
        html += f"<ul>{''.join(rows)}</ul>"
    listed = "\n".join(f"{words}: {to}" for words, to in with_hosts)
    plain = PARAGRAPH.join(part for part in (f"{subject}.", text, listed) if part)
    return NotificationEmail(subject, f"{plain}\n", html, url)
