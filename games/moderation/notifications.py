"""Notifications about reports and decisions, in the words of the moderators."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db.models import CharField, QuerySet, Value
from django.db.models.functions import Cast, Concat
from django.urls import reverse
from django.utils.html import linebreaks

from accounts import notifications
from accounts.models import Notification, User
from accounts.notifications import NotificationEmail, Summary
from accounts.sanctions import standing
from games.events import selectors as events
from games.matches.models import Player

DECISION = "decision"
KEPT_OUT = "kept-out"

SUSPENDED = (
    "Moderators have suspended a player in your match. The clock keeps running, so you "
    "wait no longer than agreed. If you would rather have the match ended or annulled, report it "
    "from its page and say so."
)
PLAYER_UNBANNED = "{name} can play again. The matches between you go on."


def register() -> None:
    notifications.register(
        DECISION, title="A moderator has decided something", render=_render, summary=_summary
    )
    notifications.register(
        KEPT_OUT,
        title="Somebody you play with is suspended",
        render=_render,
        summary=_summary,
        current=_kept_out,
    )


def notify(recipients: Iterable[int], *, subject: str, text: str, url: str, now: datetime) -> None:
    """Notify people of a decision, in its transaction."""
    payload = {"subject": subject, "text": text, "url": url}
    notifications.notify_all(recipients=recipients, kind=DECISION, payload=payload, now=now)


def notify_opponents(suspect: User, *, is_back: bool, now: datetime) -> None:
    """Notify a user's opponents that the user is suspended, or is back.

    The notification of a suspension is listed only while it lasts. Opponents in running tournaments
    get none: the tournament takes the user out.
    """
    running = Player.objects.filter(user=suspect, ended=None, dropped="")
    if not is_back:
        running = running.exclude(match__in=events.matches_in_play())
    others = Player.objects.filter(match__in=running.values("match"), is_bot=False, dropped="")
    name = suspect.shown_name
    payload = {
        "subject": f"{name} is back" if is_back else f"{name} is kept out for now",
        "text": PLAYER_UNBANNED.format(name=name) if is_back else SUSPENDED,
        "url": reverse("my-matches"),
        "place": "" if is_back else f"{KEPT_OUT}:{suspect.pk}",
    }
    notifications.notify_all(
        recipients=set(others.exclude(user=suspect).values_list("user", flat=True)),
        kind=DECISION if is_back else KEPT_OUT,
        payload=payload,
        now=now,
    )


def _kept_out(_user: User) -> QuerySet[Any, str]:
    """Return the page keys of notifications about users who are suspended now."""
    key = Concat(Value(f"{KEPT_OUT}:"), Cast("user_id", CharField()))
    return standing.shutting_out().order_by().values_list(key, flat=True)


def _render(notification: Notification) -> NotificationEmail:
    payload = notification.payload
    html = f'<div dir="auto">{linebreaks(payload["text"], autoescape=True)}</div>'
    return NotificationEmail(payload["subject"], payload["text"], html, payload["url"])


def _summary(notification: Notification) -> Summary:
    payload = notification.payload
    return Summary(f"{payload['subject']}: {payload['text']}", payload["url"])
