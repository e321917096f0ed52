"""Notifications about clubs."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.db.models import CharField, QuerySet, Value
from django.db.models.functions import Cast, Concat
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import dates, notification_emails, notifications
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


def _invitation(payload: Payload) -> str:
    if payload["by"]:
        subject = _("{name} invites you to the club {club}")
    else:
        subject = _("Somebody invites you to the club {club}")
    return subject.format(name=payload["by"], club=payload["name"])


def _of_request(_payload: Payload, _reader: User) -> str:
    return _("The page of the club lists who waits for an answer of the leaders.")


def _of_answer(payload: Payload, _reader: User) -> str:
    if payload["is_accepted"]:
        return _("The leaders have accepted your request.")
    return _("The leaders have declined your request. You can ask again after 30 days.")


def _answer(payload: Payload) -> str:
    if payload["is_accepted"]:
        return _("You are a member of {club}").format(club=payload["name"])
    return _("{club} has declined your request").format(club=payload["name"])


def _of_removal(payload: Payload, reader: User) -> str:
    reason = _("Their reason: {reason}").format(reason=payload["reason"])
    if not payload["until"]:
        invited = _("You can come back only if the leaders invite you.")
        return f"{reason}\n\n{invited}"
    until = dates.day(datetime.fromisoformat(payload["until"]))
    back = _("You can come back after {date}.").format(date=until)
    return f"{reason}\n\n{back}"


def _of_message(payload: Payload, _reader: User) -> str:
    sent = Message.objects.filter(pk=payload["message"]).first()
    return sent.text if sent else _("This message was deleted.")


def _of_closing(payload: Payload, _reader: User) -> str:
    if payload["by"]:
        return _("{name} has closed the club.").format(name=payload["by"])
    return _("Moderators have closed the club.")


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
        gettext_lazy("A club invites you"),
        _invitation,
        lambda _payload, _reader: _("You can accept or decline on the page of the club."),
        more={"current": _invitations, "group": INVITED},
    ),
    ASKED: WordedKind(
        gettext_lazy("Somebody asks to join a club that you lead"),
        lambda payload: _("{name} asks to join {club}").format(
            name=payload["by"], club=payload["name"]
        ),
        _of_request,
        more={"current": _requests, "group": ASKED},
    ),
    ANSWERED: WordedKind(
        gettext_lazy("A club answers your request"), _answer, _of_answer, more={"is_outcome": True}
    ),
    REMOVED: WordedKind(
        gettext_lazy("You are removed from a club"),
        lambda payload: _("The leaders have removed you from {club}").format(club=payload["name"]),
        _of_removal,
        more={"is_outcome": True},
    ),
    LEADER: WordedKind(
        gettext_lazy("You become a leader of a club"),
        lambda payload: _("You are a leader of {club} now").format(club=payload["name"]),
        lambda _payload, _reader: _(
            "You can accept, invite and remove members, and edit the page."
        ),
    ),
    MESSAGE: WordedKind(
        gettext_lazy("A leader of a club writes to its members"),
        lambda payload: _("{name} writes to the members of {club}").format(
            name=payload["by"], club=payload["name"]
        ),
        _of_message,
        more={"current": _memberships},
    ),
    CLOSED: WordedKind(
        gettext_lazy("A club of yours is closed"),
        lambda payload: _("{club} is closed").format(club=payload["name"]),
        _of_closing,
        more={"is_outcome": True},
    ),
}
"""The kinds about clubs, in the order of the preferences."""


def register() -> None:
    notification_emails.register(KINDS, _url)
