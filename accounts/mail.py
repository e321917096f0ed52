"""Mails as values, and how notifications become mails."""

import hashlib
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
from django.urls import reverse
from django.utils.translation import ngettext

from accounts import unsubscribe
from accounts.models import Notification, User
from accounts.notifications import NotificationEmail, chosen_kinds, kinds
from accounts.site_languages import reading

MAX_SUBJECT_LENGTH = 150

MAX_SHOWN_IN_FULL = 5
"""Up to this many notifications a mail shows in full, with pictures."""

LABELLED = re.compile(r"(?P<label>[^:\n]+): (?P<link>https?://\S+)")

FROM_A_MACHINE = {"Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All"}
"""Asks other programs not to reply (RFC 3834)."""


@dataclass(frozen=True)
class Mail:
    to: str
    subject: str
    text: str
    html: str
    headers: dict[str, str] = field(default_factory=dict)
    images: Sequence[tuple[str, bytes]] = ()
    """Content-ID and PNG of each picture in ``html``."""

    def message(self) -> EmailMultiAlternatives:
        message = _Message(
            subject=" ".join(self.subject.split())[:MAX_SUBJECT_LENGTH],
            body=self.text,
            to=[self.to],
            headers={**FROM_A_MACHINE, **self.headers},
        )
        message.attach_alternative(self.html, "text/html")
        for name, png in self.images:
            message.attach(_image(name, png))
        return message


class _Message(EmailMultiAlternatives):
    """A message whose attachments are images in its HTML."""

    mixed_subtype = "related"

    def message(self, **how: Any) -> Any:
        """Return the MIME message; ``multipart/related`` needs the type of its root (RFC 2387)."""
        message = super().message(**how)
        if message.get_content_type() == "multipart/related":
            message.set_param("type", "multipart/alternative")
        return message


def of_notifications(items: Sequence[tuple[Notification, NotificationEmail]], to: str) -> Mail:
    """Return one mail about several notifications, with links to unsubscribe.

    Up to ``MAX_SHOWN_IN_FULL`` are shown in full; if there are more, each gets a line.
    """
    reader = items[0][0].recipient
    with reading(reader):
        return _of_notifications(items, reader, to)


def _of_notifications(
    items: Sequence[tuple[Notification, NotificationEmail]], reader: User, to: str
) -> Mail:
    rows = [row for row, _ in items]
    emails = [email for _, email in items]
    is_whole = len(items) <= MAX_SHOWN_IN_FULL
    sections = [_section(row, email, is_one=len(items) == 1) for row, email in items]
    names = [name for name in dict.fromkeys(row.kind for row in rows) if name in chosen_kinds()]
    context = {
        **frame(),
        "sections": sections,
        "is_whole": is_whole,
        "reply_hint": _answerable(emails).reply_hint,
        "user": reader,
        "leaves": [(kinds()[name].title, _leave(reader, [name])) for name in names],
        "settings": absolute(reverse("delivery")),
    }
    return Mail(
        to=to,
        subject=_subject(rows, emails),
        text=render_to_string("mail/notification.txt", context),
        html=render_to_string("mail/notification.html", context),
        headers=_headers(rows, names) | _reply_to(_answerable(emails)),
        images=[image for section in sections for image in section.images] if is_whole else [],
    )


def _headers(rows: Sequence[Notification], names: Sequence[str]) -> dict[str, str]:
    """Return the headers of the mail, including the unsubscribe link."""
    named = {"Message-ID": message_id(_name(rows), rows[0].created), **_thread(rows)}
    if not names:
        return named
    return {
        **named,
        "List-Unsubscribe": f"<{_leave(rows[0].recipient, names)}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


def _name(rows: Sequence[Notification]) -> str:
    """Return a Message-ID. Mail programs show each only once, so it names the notifications."""
    if len(rows) == 1:
        return f"notice-{rows[0].pk}"
    digest = hashlib.sha256(" ".join(str(row.pk) for row in rows).encode()).hexdigest()
    return f"notice-{rows[0].pk}-{digest[:16]}"


def _answerable(emails: Sequence[NotificationEmail]) -> NotificationEmail:
    """Return the email that can be answered if all are about one page.

    Otherwise a reply would be ambiguous: returns an email that can't be answered.
    """
    is_one = len({email.url for email in emails}) == 1
    answerable = (email for email in emails if is_one and email.reply_to)
    return next(answerable, NotificationEmail("", "", "", ""))


def _reply_to(email: NotificationEmail) -> dict[str, str]:
    return {"Reply-To": email.reply_to} if email.reply_to else {}


def _subject(rows: Sequence[Notification], emails: Sequence[NotificationEmail]) -> str:
    """Return the subject for one notification or several."""
    kind = kinds()[rows[0].kind]
    count = len(rows)
    if count > 1 and kind.many and all(row.kind == kind.name for row in rows):
        return kind.many(count).format(count=count)
    # Reminders come first, since they may be urgent.
    first = next((n for n, row in enumerate(rows) if kinds()[row.kind].use_until), 0)
    subject = emails[first].subject
    if count == 1:
        return subject
    text = ngettext("{subject} (and {count} more)", "{subject} (and {count} more)", count - 1)
    return text.format(subject=subject, count=count - 1)


@dataclass(frozen=True)
class _Section:
    """A notification in a mail; the names of its images are unique in the mail."""

    subject: str
    text: str
    html: str
    link: str
    images: Sequence[tuple[str, bytes]]


def _section(notification: Notification, email: NotificationEmail, *, is_one: bool) -> _Section:
    html = email.html
    images = list(email.images)
    if not is_one:
        for name, _ in email.images:
            html = html.replace(f'"cid:{name}"', f'"cid:{name}-{notification.pk}"')
        images = [(f"{name}-{notification.pk}", png) for name, png in email.images]
    return _Section(email.subject, email.text.strip(), html, absolute(email.url), images)


def _leave(reader: User, of_kinds: Sequence[str]) -> str:
    return absolute(unsubscribe.address(reader, *of_kinds))


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
    """Return a Message-ID that is the same for each attempt to send (RFC 5322)."""
    return f"<{name}.{created:%Y%m%d%H%M%S}@{_host()}>"


def _paragraph(text: str) -> tuple[str, str]:
    """Split a paragraph into label and link; the link is empty without one."""
    match = LABELLED.fullmatch(text)
    return (match["label"], match["link"]) if match else (text, "")


def frame() -> dict[str, Any]:
    return {"site_url": absolute("/"), "site_host": urlsplit(settings.SITE_URL).netloc}


def absolute(url: str) -> str:
    return urljoin(settings.SITE_URL, url)


def on_site(url: str) -> str:
    """Return a URL with the site's host, whatever host the request named."""
    return absolute(urlsplit(url)._replace(scheme="", netloc="").geturl())


def _thread(rows: Sequence[Notification]) -> dict[str, str]:
    """Return headers that make mail programs group the mails about one page."""
    pages = {row.page_key for row in rows}
    if len(pages) > 1 or "" in pages:
        return {}
    page_key = "".join(sign if sign.isalnum() else "-" for sign in rows[0].page_key)
    return {"References": f"<place-{page_key}.{rows[0].recipient_id}@{_host()}>"}


def _host() -> str:
    return str(urlsplit(settings.SITE_URL).hostname)


def _image(name: str, png: bytes) -> MIMEImage:
    image = MIMEImage(png, "png")
    image.add_header("Content-ID", f"<{name}>")
    image.add_header("Content-Disposition", "inline", filename=f"{name}.png")
    return image
