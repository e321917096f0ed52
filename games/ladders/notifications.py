"""Notifications about places on ladders."""

from datetime import datetime
from html import escape

from django.urls import reverse

from accounts import notifications
from accounts.models import Notification, User
from accounts.notifications import NotificationEmail, Summary
from games.kernel import registry
from games.ladders.models import LadderChallenge

LADDER = "ladder"

TAKEN = "taken"
GAINED = "gained"
DROPPED = "dropped"

SENTENCES = {
    TAKEN: "{other} has your place on the ladder of {game}: you didn’t play for it",
    GAINED: "You have the place of {other} on the ladder of {game}: {other} didn’t play for it",
    DROPPED: "You are off the ladder of {game} after 30 days without a ladder challenge or match",
}


def tell_forfeited(one: LadderChallenge, now: datetime) -> None:
    """Notify both players of a challenge that was declined, not answered, or cancelled."""
    _tell(one.defender, TAKEN, one.title, one.challenger.shown_name, now)
    _tell(one.challenger, GAINED, one.title, one.defender.shown_name, now)


def tell_dropped(user: User, title: str, now: datetime) -> None:
    """Notify a player who has lost their place through inactivity."""
    _tell(user, DROPPED, title, "", now)


def _tell(user: User, what: str, title: str, other: str, now: datetime) -> None:
    payload = {"what": what, "title": title, "other": other}
    notifications.notify(recipient=user, kind=LADDER, payload=payload, now=now)


def register() -> None:
    notifications.register(
        LADDER,
        title="Your place on a ladder changes",
        render=_email,
        summary=_summary,
        is_outcome=True,
    )


def _sentence(notification: Notification) -> str:
    payload = notification.payload
    game = registry.get(payload["title"]).meta.name
    return SENTENCES[payload["what"]].format(other=payload["other"], game=game)


def _email(notification: Notification) -> NotificationEmail:
    sentence = _sentence(notification)
    html = f"<p>{escape(sentence)}.</p>"
    return NotificationEmail(sentence, f"{sentence}.", html, _url(notification))


def _summary(notification: Notification) -> Summary:
    return Summary(_sentence(notification), _url(notification))


def _url(notification: Notification) -> str:
    return reverse("game-ladder", args=[notification.payload["title"]])
