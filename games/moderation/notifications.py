"""What people are told about reports and decisions: in the words that the moderators chose."""

from collections.abc import Iterable
from datetime import datetime

from django.utils.html import linebreaks

from accounts import notifications
from accounts.models import Notification
from accounts.notifications import NotificationEmail, Summary

DECISION = "decision"


def register() -> None:
    """Register how they read; called once, when the applications start."""
    notifications.register(
        DECISION, title="A moderator has decided something", render=_render, summary=_summary
    )


def tell(recipients: Iterable[int], *, subject: str, text: str, url: str, now: datetime) -> None:
    """Tell people of a decision, in the transaction of it."""
    payload = {"subject": subject, "text": text, "url": url}
    notifications.notify_all(recipients=recipients, kind=DECISION, payload=payload, now=now)


def _render(notification: Notification) -> NotificationEmail:
    said = notification.payload
    html = linebreaks(said["text"], autoescape=True)
    return NotificationEmail(said["subject"], said["text"], html, said["url"])


def _summary(notification: Notification) -> Summary:
    said = notification.payload
    return Summary(f"{said['subject']}: {said['text']}", said["url"])
