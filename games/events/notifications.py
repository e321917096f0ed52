"""Notifications about tournaments: what begins, what is over, what was cancelled."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from html import escape
from typing import Any

from django.urls import reverse
from django.utils.formats import date_format

from accounts import notifications
from accounts.models import Notification, User
from accounts.notifications import NotificationEmail, Summary
from games.events.models import Entry, Round, TableSeat, Tournament
from games.matches import formatting

ROUND_BEGUN = "round-begun"
TOURNAMENT_OVER = "tournament-over"
TOURNAMENT_CANCELLED = "tournament-cancelled"

TOO_FEW = "Too few players had entered when entry closed."
ORGANISER = "The organiser cancelled it before it began."

TITLES = {
    ROUND_BEGUN: "A round of your tournament begins",
    TOURNAMENT_OVER: "A tournament of yours is over",
    TOURNAMENT_CANCELLED: "A tournament of yours is cancelled",
}


def page_key(tournament_id: int) -> str:
    """Return the key of a tournament's page, under which presence is stored."""
    return f"event:{tournament_id}"


def round_begun(made: Round, now: datetime) -> None:
    """Notify those who play in a round, or have a bye, that it has begun."""
    seats = TableSeat.objects.filter(table__round=made).select_related("entry__user", "table")
    matches = Counter(seat.entry.user for seat in seats if seat.table.match_id is not None)
    byes = [seat.entry.user for seat in seats if seat.table.match_id is None]
    for user in dict.fromkeys([*matches, *byes]):
        text = {
            "round": made.number,
            "name": made.tournament.name,
            "matches": matches[user],
            "deadline": made.deadline.isoformat(),
        }
        _notify(ROUND_BEGUN, made.tournament, [user], text, now)


def finished(tournament: Tournament, entries: Sequence[Entry], now: datetime) -> None:
    """Notify everybody who played to the end of their place."""
    for entry in entries:
        if entry.place is not None:
            text = {"place": entry.place, "name": tournament.name}
            _notify(TOURNAMENT_OVER, tournament, [entry.user], text, now)


def cancelled(tournament: Tournament, why: str, now: datetime) -> None:
    """Notify everybody who had entered; ``why`` is a sentence."""
    players = [entry.user for entry in tournament.entries.select_related("user")]
    _notify(TOURNAMENT_CANCELLED, tournament, players, {"name": tournament.name, "why": why}, now)


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
    if notification.kind == ROUND_BEGUN and text["round"] == 1:
        return f"{text['name']} has begun"
    if notification.kind == ROUND_BEGUN:
        return f"Round {text['round']} of {text['name']} has begun"
    if notification.kind == TOURNAMENT_OVER:
        return f"{text['name']} is over: you finished in place {text['place']}"
    return f"{text['name']} is cancelled"


def _details(notification: Notification) -> str:
    text = notification.payload["text"]
    if notification.kind == ROUND_BEGUN:
        return _of_round(text, notification.recipient)
    if notification.kind == TOURNAMENT_OVER:
        return "The final standings are on the page of the tournament."
    # Those of earlier releases don't say which of the two it was.
    return str(text.get("why", "Too few players entered, or the organiser cancelled it."))


def _of_round(text: Mapping[str, Any], reader: User) -> str:
    if "deadline" not in text:
        # One of an earlier release.
        return "Your matches of the round are among your matches."
    if not text["matches"]:
        return "You have a bye: you play no match in this round and get 1 point."
    end = datetime.fromisoformat(text["deadline"]).astimezone(reader.zone)
    return (
        f"You play {formatting.counted(text['matches'], 'match', 'matches')} in this round."
        f" It ends on {date_format(end, 'j F Y, H:i')}: matches that still run then are ended,"
        " also during vacations and pauses."
    )


def _url(notification: Notification) -> str:
    return reverse("event", args=[notification.payload["tournament"]])


def _email(notification: Notification) -> NotificationEmail:
    subject = _subject(notification)
    details = _details(notification)
    html = f"<p><strong>{escape(subject)}.</strong></p><p>{escape(details)}</p>"
    return NotificationEmail(subject, f"{subject}.\n\n{details}\n", html, _url(notification))


def _summary(notification: Notification) -> Summary:
    return Summary(_subject(notification), _url(notification))


def register() -> None:
    """Register the kinds; called once at startup."""
    for kind, title in TITLES.items():
        notifications.register(kind, title=title, render=_email, summary=_summary)
