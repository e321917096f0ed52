"""Mails as values: what is in one, and how a notification becomes one."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from email.mime.image import MIMEImage
from typing import Any
from urllib.parse import urljoin, urlsplit

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string

from accounts import unsubscribe
from accounts.models import Notification
from accounts.notifications import NotificationEmail, kinds

LONGEST_SUBJECT = 150
LABELLED = re.compile(r"(?P<label>[^:\n]+): (?P<link>https?://\S+)")

FROM_A_MACHINE = {"Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All"}
"""Asks other machines not to answer (RFC 3834)."""


@dataclass(frozen=True)
class Mail:
    """One mail to one address, in plain text and in HTML that says the same."""

    to: str
    subject: str
    text: str
    html: str
    headers: dict[str, str] = field(default_factory=dict)
    images: Sequence[tuple[str, bytes]] = ()
    """Content-ID and PNG of each picture in ``html``."""

    def message(self) -> EmailMultiAlternatives:
        """Return it as Django sends it."""
        message = _Message(
            subject=" ".join(self.subject.split())[:LONGEST_SUBJECT],
            body=self.text,
            to=[self.to],
            headers={**FROM_A_MACHINE, **self.headers},
        )
        message.attach_alternative(self.html, "text/html")
        for name, png in self.images:
            message.attach(_image(name, png))
        return message


class _Message(EmailMultiAlternatives):
    """A mail whose attachments belong to its text: pictures, not files."""

    mixed_subtype = "related"


def of_notification(notification: Notification, email: NotificationEmail, to: str) -> Mail:
    """Return the mail of a notification, with the headers that let people leave with one click."""
    leave = absolute(unsubscribe.address(notification.recipient, notification.kind))
    context = {
        **frame(),
        "email": email,
        "user": notification.recipient,
        "kind": kinds()[notification.kind].title,
        "link": absolute(email.url),
        "unsubscribe": leave,
    }
    return Mail(
        to=to,
        subject=email.subject,
        text=render_to_string("mail/notification.txt", context),
        html=render_to_string("mail/notification.html", context),
        headers={
            "Message-ID": message_id(f"notice-{notification.pk}", notification.created),
            "List-Unsubscribe": f"<{leave}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            **_thread(notification),
        },
        images=email.images,
    )


def of_text(text: str, *, subject: str, to: str, headers: Mapping[str, str] | None = None) -> Mail:
    """Return a mail from paragraphs; one like ``Confirm: https://…`` becomes a button."""
    parts = [part.strip() for part in text.split("\n\n") if part.strip()]
    context = {**frame(), "text": text, "paragraphs": [_paragraph(part) for part in parts]}
    return Mail(
        to=to,
        subject=subject,
        text=render_to_string("mail/account.txt", context),
        html=render_to_string("mail/account.html", context),
        headers=dict(headers or {}),
    )


def message_id(name: str, created: datetime) -> str:
    """Return the Message-ID of a mail, the same for each attempt to send it (RFC 5322)."""
    return f"<{name}.{created:%Y%m%d%H%M%S}@{_host()}>"


def _paragraph(text: str) -> tuple[str, str]:
    """Split a paragraph into its words and the address that it is a label of, if it is one."""
    found = LABELLED.fullmatch(text)
    return (found["label"], found["link"]) if found else (text, "")


def frame() -> dict[str, Any]:
    """Return what the frame of every mail shows."""
    return {"site_url": absolute("/"), "site_host": _host()}


def absolute(url: str) -> str:
    """Return an address of the site with its host."""
    return urljoin(settings.SITE_URL, url)


def _thread(notification: Notification) -> dict[str, str]:
    """Let mail programs put the mails about one page together."""
    if not notification.page_key:
        return {}
    page_key = "".join(sign if sign.isalnum() else "-" for sign in notification.page_key)
    return {"References": f"<place-{page_key}.{notification.recipient_id}@{_host()}>"}


def _host() -> str:
    return str(urlsplit(settings.SITE_URL).hostname)


def _image(name: str, png: bytes) -> MIMEImage:
    image = MIMEImage(png, "png")
    image.add_header("Content-ID", f"<{name}>")
    image.add_header("Content-Disposition", "inline", filename=f"{name}.png")
    return image
