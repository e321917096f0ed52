"""What notifications about vacations say, in one line and as mails."""

from datetime import datetime

from django.template.loader import render_to_string
from django.urls import reverse

from accounts import notifications
from accounts.models import Notification
from accounts.notifications import NotificationEmail, Summary
from games.matches import formatting
from games.matches.notifications import VACATION_BEGUN, VACATION_ENDING

TITLES = {
    VACATION_BEGUN: "You are put on vacation before your time runs out",
    VACATION_ENDING: "Your vacation ends",
}
"""The kinds as preferences list them, in their order."""

SUBJECTS = {
    VACATION_BEGUN: "You are on vacation until {until}",
    VACATION_ENDING: "Your vacation ends on {until}",
}


def _until(notification: Notification) -> str:
    return formatting.exact(datetime.fromisoformat(notification.payload["until"]))


def vacation_summary(notification: Notification) -> Summary:
    """Return a notification about a vacation in one line."""
    subject = SUBJECTS[notification.kind].format(until=_until(notification))
    return Summary(subject, reverse("vacation"))


def vacation_email(notification: Notification) -> NotificationEmail:
    """Return the mail about a vacation."""
    shown = vacation_summary(notification)
    context = {
        "begun": notification.kind == VACATION_BEGUN,
        "until": _until(notification),
        "match": notification.payload["match"],
    }
    return NotificationEmail(
        subject=shown.subject,
        text=render_to_string("notification_emails/vacation.txt", context),
        html=render_to_string("notification_emails/vacation.html", context),
        url=shown.url,
    )


def register() -> None:
    """Register the renderers of both kinds with ``accounts``."""
    for kind, title in TITLES.items():
        notifications.register(kind, title=title, render=vacation_email, summary=vacation_summary)
