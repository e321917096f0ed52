"""Notifications about clubs."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.db.models import CharField, QuerySet, Value
from django.db.models.functions import Cast, Concat
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from accounts import notification_emails, notifications
from accounts.models import User
from accounts.notification_emails import Payload, WordedKind
from games.clubs.models import Candidate, Club, Exclusion, Membership, Message

INVITED = "club-invited"
ASKED = "club-asked"
ANSWERED = "club-answered"
REMOVED = "club-removed"
LEADER = "club-leader"
MESSAGE = "club-message"
CLOSED = "club-closed"

PAGE = "club:"
"""Prefix of the key of a club's page."""


def page_key(club_id: int) -> str:
    """Return the key of a club's page, under which presence is stored."""
    return f"{PAGE}{club_id}"


def invited(candidate: Candidate, now: datetime) -> None:
    by = candidate.by.shown_name if candidate.by else ""
    _notify(INVITED, candidate.club, [candidate.user_id], now, by=by)


def asked(candidate: Candidate, now: datetime) -> None:
    """Notify the leaders of a request."""
    leaders = Membership.objects.filter(club=candidate.club, led_since__isnull=False)
    users = leaders.values_list("user", flat=True)
    _notify(ASKED, candidate.club, users, now, by=candidate.user.shown_name)


def answered(club: Club, user: User, now: datetime, *, is_accepted: bool) -> None:
    _notify(ANSWERED, club, [user.pk], now, is_accepted=is_accepted)


def removed(exclusion: Exclusion, now: datetime) -> None:
    until = exclusion.until.isoformat() if exclusion.until else ""
    _notify(REMOVED, exclusion.club, [exclusion.user_id], now, reason=exclusion.reason, until=until)


def made_leader(club: Club, user: User, now: datetime) -> None:
    _notify(LEADER, club, [user.pk], now)


def message(sent: Message, users: Collection[int], now: datetime) -> None:
    """Notify some members of a message, each once."""
    fields = {"message": sent.pk, "by": sent.author.shown_name}
    _notify(MESSAGE, sent.club, users, now, key=f"{MESSAGE}:{sent.pk}", **fields)


def closed(club: Club, by: User | None, now: datetime) -> None:
    """Notify the members that a club is closed: by one of them, or by moderators."""
    members = Membership.objects.filter(club=club)
    if by is not None:
        members = members.exclude(user=by)
    fields = {"by": by.shown_name if by else ""}
    _notify(CLOSED, club, members.values_list("user", flat=True), now, **fields)


def _notify(
    kind: str,
    club: Club,
    users: Collection[int] | QuerySet[Membership, int],
    now: datetime,
    *,
    key: str | None = None,
    **fields: object,
) -> None:
    payload = {"club": club.pk, "place": page_key(club.pk), "name": club.name, **fields}
    notifications.notify_all(recipients=users, kind=kind, payload=payload, now=now, key=key)


# --- Words ----------------------------------------------------------------------------------------


def day_in_words(moment: datetime) -> str:
    """Return a moment as ``on 4 May, 12:00``, in the current time zone."""
    return f"on {date_format(timezone.localtime(moment), 'j F, H:i')}"


def _of_request(_payload: Payload, _reader: User) -> str:
    return "The page of the club lists who waits for an answer of the leaders."


def _of_answer(payload: Payload, _reader: User) -> str:
    if payload["is_accepted"]:
        return "The leaders have accepted your request."
    return "The leaders have declined your request. You can ask again after 30 days."


def _answer(payload: Payload) -> str:
    if payload["is_accepted"]:
        return f"You are a member of {payload['name']}"
    return f"{payload['name']} has declined your request"


def _of_removal(payload: Payload, reader: User) -> str:
    reason = f"Their reason: {payload['reason']}"
    if not payload["until"]:
        return f"{reason}\n\nYou can come back only if the leaders invite you."
    until = datetime.fromisoformat(payload["until"]).astimezone(reader.zone)
    return f"{reason}\n\nYou can come back after {date_format(until, 'j F Y')}."


def _of_message(payload: Payload, _reader: User) -> str:
    sent = Message.objects.filter(pk=payload["message"]).first()
    return sent.text if sent else "This message was deleted."


def _of_closing(payload: Payload, _reader: User) -> str:
    if payload["by"]:
        return f"{payload['by']} has closed the club."
    return "Moderators have closed the club."


def _url(payload: Payload) -> str:
    return reverse("club", args=[payload["club"]])


def _keys(column: str) -> Concat:
    return Concat(Value(PAGE), Cast(column, CharField()))


def _invitations(user: User) -> QuerySet[Any, str]:
    """Return the keys of the clubs whose invitations wait for a user."""
    waiting = Candidate.objects.filter(
        user=user, kind=Candidate.Kind.INVITATION, declined=None, club__closed=None
    )
    return waiting.order_by().values_list(_keys("club"), flat=True)


def _requests(user: User) -> QuerySet[Any, str]:
    """Return the keys of the clubs that a user leads and in which somebody waits."""
    led = Membership.objects.filter(user=user, led_since__isnull=False, club__closed=None)
    waiting = led.filter(
        club__candidates__kind=Candidate.Kind.REQUEST, club__candidates__declined=None
    )
    return waiting.order_by().values_list(_keys("club"), flat=True).distinct()


def _memberships(user: User) -> QuerySet[Any, str]:
    """Return the keys of a user's clubs: messages aren't for people who have left."""
    own = Membership.objects.filter(user=user, club__closed=None)
    return own.order_by().values_list(_keys("club"), flat=True)


KINDS = {
    INVITED: WordedKind(
        "A club invites you",
        lambda payload: f"{payload['by'] or 'Somebody'} invites you to the club {payload['name']}",
        lambda _payload, _reader: "You can accept or decline on the page of the club.",
        more={"current": _invitations, "group": INVITED},
    ),
    ASKED: WordedKind(
        "Somebody asks to join a club that you lead",
        lambda payload: f"{payload['by']} asks to join {payload['name']}",
        _of_request,
        more={"current": _requests, "group": ASKED},
    ),
    ANSWERED: WordedKind(
        "A club answers your request", _answer, _of_answer, more={"is_outcome": True}
    ),
    REMOVED: WordedKind(
        "You are removed from a club",
        lambda payload: f"The leaders have removed you from {payload['name']}",
        _of_removal,
        more={"is_outcome": True},
    ),
    LEADER: WordedKind(
        "You become a leader of a club",
        lambda payload: f"You are a leader of {payload['name']} now",
        lambda _payload, _reader: "You can accept, invite and remove members, and edit the page.",
    ),
    MESSAGE: WordedKind(
        "A leader of a club writes to its members",
        lambda payload: f"{payload['by']} writes to the members of {payload['name']}",
        _of_message,
        more={"current": _memberships},
    ),
    CLOSED: WordedKind(
        "A club of yours is closed",
        lambda payload: f"{payload['name']} is closed",
        _of_closing,
        more={"is_outcome": True},
    ),
}
"""The kinds about clubs, in the order of the preferences."""


def register() -> None:
    notification_emails.register(KINDS, _url)
