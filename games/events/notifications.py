"""Notifications about tournaments: what begins, what is over, and who moves up."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from html import escape
from typing import Any

from django.db.models import CharField, QuerySet, Value
from django.db.models.functions import Cast, Concat
from django.urls import reverse
from django.utils.formats import date_format

from accounts import notifications
from accounts.models import Notification, User
from accounts.notifications import NotificationEmail, Summary
from games.events.models import Entry, Round, TableSeat, Tournament
from games.matches import formatting
from games.matches.models import Match, Player

ROUND_BEGUN = "round-begun"
ROUND_ENDING = "round-ending"
TOURNAMENT_OVER = "tournament-over"
TOURNAMENT_CANCELLED = "tournament-cancelled"
MOVED_UP = "moved-up"

TOO_FEW = "Too few players had entered when entry closed."
ORGANISER = "The organiser cancelled it before it began."

PAGE = "event:"
"""What the key of a tournament's page begins with."""


def page_key(tournament_id: int) -> str:
    """Return the key of a tournament's page, under which presence is stored."""
    return f"{PAGE}{tournament_id}"


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


def round_ending(made: Round, now: datetime) -> None:
    """Remind those who are to move in matches of a round that its deadline is near."""
    to_move = _to_move().filter(match__tournament_table__round=made, is_bot=False)
    matches = Counter(player.user for player in to_move.select_related("user"))
    for user, count in matches.items():
        text = {
            "round": made.number,
            "name": made.tournament.name,
            "matches": count,
            "deadline": made.deadline.isoformat(),
        }
        _notify(ROUND_ENDING, made.tournament, [user], text, now)


def _to_move() -> QuerySet[Player]:
    return Player.objects.filter(to_move=True, match__status=Match.Status.RUNNING)


def finished(tournament: Tournament, entries: Sequence[Entry], now: datetime) -> None:
    """Notify everybody who played to the end of their place."""
    for entry in entries:
        if entry.place is not None:
            text = {"place": entry.place, "name": tournament.name}
            _notify(TOURNAMENT_OVER, tournament, [entry.user], text, now)


def cancelled(tournament: Tournament, why: str, now: datetime) -> None:
    """Notify everybody who had entered or waited; ``why`` is a sentence."""
    rows = (tournament.entries, tournament.waiting)
    players = [one.user for queryset in rows for one in queryset.select_related("user")]
    _notify(TOURNAMENT_CANCELLED, tournament, players, {"name": tournament.name, "why": why}, now)


def moved_up(entry: Entry, now: datetime, *, matches: int) -> None:
    """Notify a user of a place in a tournament, and of ``matches`` that they take over."""
    tournament = entry.tournament
    # Until the first round is drawn, they play in all rounds, and hear of it then.
    is_open = not tournament.played_rounds.exists()
    text = {"name": tournament.name, "is_open": is_open, "matches": matches}
    key = f"{MOVED_UP}:{entry.pk}:{entry.user_id}:{now.isoformat()}"
    _notify(MOVED_UP, tournament, [entry.user], text, now, key=key)


def _notify(
    kind: str,
    tournament: Tournament,
    players: Sequence[User],
    text: Mapping[str, object],
    now: datetime,
    *,
    key: str = "",
) -> None:
    for user in players:
        notifications.notify(
            recipient=user,
            kind=kind,
            payload={"tournament": tournament.pk, "place": page_key(tournament.pk), "text": text},
            key=key or f"{kind}:{tournament.pk}:{text.get('round', '')}:{user.pk}",
            now=now,
        )


def _subject(notification: Notification) -> str:
    return KINDS[notification.kind].subject(notification.payload["text"])


def _begun(text: Mapping[str, Any]) -> str:
    if text["round"] == 1:
        return f"{text['name']} has begun"
    return f"Round {text['round']} of {text['name']} has begun"


def _of_round(text: Mapping[str, Any], reader: User) -> str:
    if "deadline" not in text:
        # One of an earlier release.
        return "Your matches of the round are among your matches."
    if not text["matches"]:
        return "You have a bye: you play no match in this round and get 1 point."
    return (
        f"You play {formatting.counted(text['matches'], 'match', 'matches')} in this round."
        f" It ends on {_end(text, reader)}: matches that still run then are ended,"
        " also during vacations and pauses."
    )


def _of_end(text: Mapping[str, Any], reader: User) -> str:
    return (
        f"It is your turn in {formatting.counted(text['matches'], 'match', 'matches')}."
        f" Round {text['round']} ends on {_end(text, reader)}. Matches that still run then are"
        " ended, also during vacations and pauses. The player who has taken more time loses."
    )


def _end(text: Mapping[str, Any], reader: User) -> str:
    return date_format(_deadline(text).astimezone(reader.zone), "j F Y, H:i")


def _deadline(text: Mapping[str, Any]) -> datetime:
    return datetime.fromisoformat(text["deadline"])


def _of_place(text: Mapping[str, Any], _reader: User) -> str:
    """Return how a user has moved up, and what they have to do."""
    became_free = "A place became free, and you were next on the waiting list."
    if text["is_open"]:
        return f"{became_free} We’ll let you know when it begins."
    if not text["matches"]:
        return f"{became_free} You play from the next round on and start with 0 points."
    matches = formatting.counted(text["matches"], "match", "matches")
    return f"{became_free} You take over {matches}."


def _why(text: Mapping[str, Any], _reader: User) -> str:
    # Those of earlier releases don't say which of the two it was.
    return str(text.get("why", "Too few players entered, or the organiser cancelled it."))


def _url(notification: Notification) -> str:
    return reverse("event", args=[notification.payload["tournament"]])


def _email(notification: Notification) -> NotificationEmail:
    subject = _subject(notification)
    text = notification.payload["text"]
    details = KINDS[notification.kind].details(text, notification.recipient)
    html = f"<p><strong>{escape(subject)}.</strong></p><p>{escape(details)}</p>"
    return NotificationEmail(subject, f"{subject}.\n\n{details}\n", html, _url(notification))


def _summary(notification: Notification) -> Summary:
    return Summary(_subject(notification), _url(notification))


def _waiting(user: User) -> QuerySet[Any, str]:
    """Return the keys of the pages of tournaments in which it is a user's turn."""
    mine = _to_move().filter(user=user, match__tournament_table__isnull=False)
    pk = Cast("match__tournament_table__round__tournament", CharField())
    return mine.order_by().values_list(Concat(Value(PAGE), pk), flat=True).distinct()


@dataclass(frozen=True)
class EventKind:
    """A kind of notification about a tournament.

    ``title`` is its name in the preferences. ``subject`` and ``details`` make its line and the rest
    of its mail, from the ``text`` of the payload and the reader. ``more`` are other fields of
    :class:`accounts.notifications.Kind`.
    """

    title: str
    subject: Callable[[Mapping[str, Any]], str]
    details: Callable[[Mapping[str, Any], User], str]
    more: Mapping[str, Any] = field(default_factory=dict)


KINDS = {
    ROUND_BEGUN: EventKind("A round of your tournament begins", _begun, _of_round),
    ROUND_ENDING: EventKind(
        "A round of your tournament ends soon, and it is your turn",
        lambda text: f"A round of {text['name']} ends soon: it is your turn",
        _of_end,
        more={
            "is_urgent": True,
            "current": _waiting,
            "group": ROUND_ENDING,
            "use_until": lambda notification: _deadline(notification.payload["text"]),
        },
    ),
    TOURNAMENT_OVER: EventKind(
        "A tournament of yours is over",
        lambda text: f"{text['name']} is over: you finished in place {text['place']}",
        lambda _text, _reader: "The final standings are on the page of the tournament.",
    ),
    TOURNAMENT_CANCELLED: EventKind(
        "A tournament of yours is cancelled",
        lambda text: f"{text['name']} is cancelled",
        _why,
    ),
    MOVED_UP: EventKind(
        "You move up from the waiting list of a tournament",
        lambda text: f"You are in {text['name']}",
        _of_place,
        more={"is_urgent": True},
    ),
}
"""The kinds about tournaments, in the order of the preferences."""


def register() -> None:
    """Register the kinds; called once at startup."""
    for name, kind in KINDS.items():
        notifications.register(name, title=kind.title, render=_email, summary=_summary, **kind.more)
