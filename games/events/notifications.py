"""Notifications about tournaments: what begins, what is over, what was cancelled."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from html import escape

from django.urls import reverse

from accounts import notifications
from accounts.models import Notification, User
from accounts.notifications import NotificationEmail, Summary
from games.events.models import Entry, Round, Tournament

ROUND_BEGUN = "round-begun"
TOURNAMENT_OVER = "tournament-over"
TOURNAMENT_CANCELLED = "tournament-cancelled"

TITLES = {
    ROUND_BEGUN: "A round of your tournament begins",
    TOURNAMENT_OVER: "A tournament of yours is over",
    TOURNAMENT_CANCELLED: "A tournament of yours is cancelled",
}


def page_key(tournament_id: int) -> str:
    """Return the key of a tournament's page, under which presence is stored."""
    return f"event:{tournament_id}"


def round_begun(made: Round, players: Sequence[User], now: datetime) -> None:
    """Notify the players of a round that it has begun."""
    text = {"round": made.number, "name": made.tournament.name}
    _notify(ROUND_BEGUN, made.tournament, players, text, now)


def finished(tournament: Tournament, entries: Sequence[Entry], now: datetime) -> None:
    """Notify everybody who played to the end of their place."""
    for entry in entries:
        if entry.place is not None:
            text = {"place": entry.place, "name": tournament.name}
            _notify(TOURNAMENT_OVER, tournament, [entry.user], text, now)


def cancelled(tournament: Tournament, now: datetime) -> None:
    """Notify everybody who had entered."""
    players = [entry.user for entry in tournament.entries.select_related("user")]
    _notify(TOURNAMENT_CANCELLED, tournament, players, {"name": tournament.name}, now)


def _notify(
    kind: str,
    tournament: Tournament,
    players: Sequence[User],
    text: Mapping[str, object],
    now: datetime,
) -> None:
    for user in players:
        notifications.notify(
            recipient=user,
            kind=kind,
            payload={"tournament": tournament.pk, "place": page_key(tournament.pk), "text": text},
            key=f"{kind}:{tournament.pk}:{text.get('round', '')}:{user.pk}",
            now=now,
        )


def _subject(notification: Notification) -> str:
    text = notification.payload["text"]
    if notification.kind == ROUND_BEGUN:
        return f"Round {text['round']} of {text['name']} has begun"
    if notification.kind == TOURNAMENT_OVER:
        return f"{text['name']} is over: you finished in place {text['place']}"
    return f"{text['name']} is cancelled"


def _details(kind: str) -> str:
    if kind == ROUND_BEGUN:
        return "Your matches of the round are among your matches."
    if kind == TOURNAMENT_OVER:
        return "The final standings are on the page of the tournament."
    return "Too few players entered, or the organiser cancelled it."


def _url(notification: Notification) -> str:
    return reverse("event", args=[notification.payload["tournament"]])


def _email(notification: Notification) -> NotificationEmail:
    subject = _subject(notification)
    details = _details(notification.kind)
    html = f"<p><strong>{escape(subject)}.</strong></p><p>{details}</p>"
    return NotificationEmail(subject, f"{subject}.\n\n{details}\n", html, _url(notification))


def _summary(notification: Notification) -> Summary:
    return Summary(_subject(notification), _url(notification))


def register() -> None:
    """Register the kinds; called once at startup."""
    for kind, title in TITLES.items():
        notifications.register(kind, title=title, render=_email, summary=_summary)
