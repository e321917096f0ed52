"""The test notification, which somebody sends to themselves to try a channel."""

from datetime import datetime

from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import notifications
from accounts.models import Notification, User
from accounts.notifications import NotificationEmail, Summary

TEST = "test"
SITE = "site"
MAIL = "mail"
PUSH = "push"
CHANNELS = {
    SITE: gettext_lazy("We are sending you a test on the site."),
    MAIL: gettext_lazy("We are sending you a test by email."),
    PUSH: gettext_lazy("We are sending you a test in your browsers."),
}
"""What the sender of a test reads, by the channel."""

State = Notification.MailState


def register() -> None:
    notifications.register(
        TEST,
        title=gettext_lazy("A test that you asked for"),
        render=_render,
        summary=_summary,
        is_asked_for=True,
    )


def send(user: User, channel: str, *, now: datetime) -> None:
    """Send a user a test over one channel; the site lists it in any case."""
    (notification,) = notifications.made(recipients=[user.pk], kind=TEST, payload={}, now=now)
    notification.push_due = channel == PUSH
    if channel != MAIL:
        notification.mail_state = State.OFF
    notifications.keep([notification])


def _summary(notification: Notification) -> Summary:
    return Summary(_("This is a test: notifications reach you here."), reverse("delivery"))


def _render(notification: Notification) -> NotificationEmail:
    summary = _summary(notification)
    text = _("You have asked for a test of your notifications. Emails reach you at this address.")
    return NotificationEmail(
        _("A test from Turnstone"), text, format_html("<p>{}</p>", text), summary.url
    )
