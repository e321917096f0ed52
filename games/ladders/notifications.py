"""Notifications about places on ladders."""

from collections.abc import Mapping
from datetime import datetime
from html import escape
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import notifications
from accounts.models import Notification, User
from accounts.notifications import NotificationEmail, Summary
from games.clubs.models import Club
from games.kernel import registry
from games.kernel.contract import Meta
from games.ladders.models import LadderChallenge, LadderPlace
from games.lobby.notification_emails import register_subject

LADDER = "ladder"

TAKEN = "taken"
GAINED = "gained"
DROPPED = "dropped"

SENTENCES = {
    TAKEN: gettext_lazy("{other} has your place on the ladder of {where}: you didn’t play for it"),
    GAINED: gettext_lazy(
        "You have the place of {other} on the ladder of {where}: {other} didn’t play for it"
    ),
    DROPPED: gettext_lazy(
        "You are off the ladder of {where} after 30 days without a ladder challenge or match"
    ),
}


def where(title: str, club: str) -> str:
    """Return the name of a ladder: its game, and its club if it has one."""
    game = registry.get(title).meta.name
    if not club:
        return game
    # Translators: which ladder it is, as in "the ladder of Chess in Knights of the Round Table"
    return _("{game} in {club}").format(game=game, club=club)


CHALLENGED = "ladder-challenge"


def challenge_subject(club: Club | None) -> dict[str, Any]:
    """Return code and parts of the subject of a ladder challenge."""
    return {"code": CHALLENGED, "club": club.name if club else ""}


def _challenged(parts: Mapping[str, Any], challenger: User, meta: Meta) -> str:
    if parts["club"]:
        text = _("{name} challenges you for your place on the ladder of {game} in {club}")
    else:
        text = _("{name} challenges you for your place on the ladder of {game}")
    return text.format(name=challenger.shown_name, game=meta.name, club=parts["club"])


def tell_forfeited(one: LadderChallenge, now: datetime) -> None:
    """Notify both players of a challenge that was declined, not answered, or cancelled."""
    _tell(one.defender, TAKEN, one, one.challenger.shown_name, now)
    _tell(one.challenger, GAINED, one, one.defender.shown_name, now)


def tell_dropped(place: LadderPlace, now: datetime) -> None:
    """Notify a player who has lost their place through inactivity."""
    _tell(place.user, DROPPED, place, "", now)


def _tell(
    user: User, what: str, on: LadderChallenge | LadderPlace, other: str, now: datetime
) -> None:
    payload: dict[str, Any] = {"what": what, "title": on.title, "other": other}
    if on.club is not None:
        payload |= {"club": on.club.pk, "club_name": on.club.name}
    notifications.notify(recipient=user, kind=LADDER, payload=payload, now=now)


def register() -> None:
    register_subject(CHALLENGED, _challenged)
    notifications.register(
        LADDER,
        title=gettext_lazy("Your place on a ladder changes"),
        render=_email,
        summary=_summary,
        is_outcome=True,
    )


def _sentence(notification: Notification) -> str:
    payload = notification.payload
    # Rows that the migration couldn't read still store the ladder in words.
    ladder = payload.get("where") or where(payload["title"], payload.get("club_name", ""))
    return SENTENCES[payload["what"]].format(other=payload["other"], where=ladder)


def _email(notification: Notification) -> NotificationEmail:
    sentence = _sentence(notification)
    html = f"<p>{escape(sentence)}.</p>"
    return NotificationEmail(sentence, f"{sentence}.", html, _url(notification))


def _summary(notification: Notification) -> Summary:
    return Summary(_sentence(notification), _url(notification))


def _url(notification: Notification) -> str:
    payload = notification.payload
    if "club" in payload:
        return reverse("club-ladder", args=[payload["club"], payload["title"]])
    return reverse("game-ladder", args=[payload["title"]])
