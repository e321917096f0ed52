"""Summaries and mails of notifications about challenges."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy
from django_stubs_ext import StrOrPromise

from accounts import notifications
from accounts.models import Notification, User
from accounts.notifications import NotificationEmail, Summary
from games.kernel import registry
from games.kernel.contract import Meta
from games.lobby import selectors
from games.lobby.models import Challenge, Invitation
from games.lobby.notifications import (
    CHALLENGE_ACCEPTED,
    CHALLENGE_DECLINED,
    CHALLENGE_POSTED,
    CHALLENGE_RECEIVED,
    REVEAL_DUE,
    REVEAL_MISSED,
    page_keys,
)
from games.matches import formatting

OPEN = Challenge.Status.OPEN


def _context(notification: Notification) -> dict[str, Any]:
    challenge = selectors.get(notification.payload["challenge"])
    other = User.objects.get(pk=notification.payload["user"])
    meta = registry.get(challenge.title).meta
    invitation = selectors.invitation_of(challenge, other)
    return {
        "challenge": challenge,
        "other": other,
        "meta": meta,
        "kind": notification.kind,
        "params": formatting.parameters_short(meta, challenge.params),
        "clock": formatting.clock(challenge.time_control),
        "expires": formatting.exact(challenge.expires),
        "reason": invitation.shown_reason if invitation else "",
        "subject": _subject(notification, challenge, other, meta),
    }


Subject = Callable[[Mapping[str, Any], User, Meta], str]
"""Words a subject from its parts, the other player and the game."""

_subjects: dict[str, Subject] = {}


def register_subject(code: str, word: Subject) -> None:
    """Register a subject that replaces the usual one for some challenges."""
    _subjects[code] = word


def _subject(notification: Notification, challenge: Challenge, other: User, meta: Meta) -> str:
    special = notification.payload.get("subject")
    if isinstance(special, str):
        # A sentence, as older releases stored it.
        return special
    if special:
        return _subjects[special["code"]](special, other, meta)
    kind = KINDS[notification.kind]
    text = kind.subject if challenge.rated or not kind.friendly_subject else kind.friendly_subject
    return str(text).format(name=other.shown_name, game=meta.name)


def challenge_email(notification: Notification) -> NotificationEmail:
    context = _context(notification)
    return NotificationEmail(
        subject=context["subject"],
        text=render_to_string("notification_emails/challenge.txt", context),
        html=render_to_string("notification_emails/challenge.html", context),
        url=_address(context["challenge"]),
    )


def challenge_summary(notification: Notification) -> Summary:
    context = _context(notification)
    return Summary(context["subject"], _address(context["challenge"]))


def _address(challenge: Challenge) -> str:
    """Return the address of the match if it has started, otherwise of the challenge."""
    return (challenge.match or challenge).get_absolute_url()


def _asked(user: User) -> QuerySet[Any, str]:
    """Return the page keys of the challenges that wait for a user's answer."""
    invited = Invitation.objects.filter(user=user, state=Invitation.State.INVITED)
    return page_keys(Challenge.objects.filter(invitations__in=invited, status=OPEN))


def _open_to_all(user: User) -> QuerySet[Any, str]:
    """Return the page keys of the challenges open to everybody that are listed for a user."""
    return page_keys(selectors.listed_for(user))


@dataclass(frozen=True)
class ChallengeKind:
    """A kind of notification about a challenge: its name in the preferences, and its line.

    ``friendly_subject`` is the line about a challenge that isn't rated, if that differs.
    ``current`` is that of :class:`accounts.notifications.NotificationKind`.
    """

    title: StrOrPromise
    subject: StrOrPromise
    friendly_subject: StrOrPromise = ""
    current: Callable[[User], QuerySet[Any, str]] | None = None


KINDS = {
    CHALLENGE_RECEIVED: ChallengeKind(
        gettext_lazy("You are challenged"),
        gettext_lazy("{name} challenges you to a rated match of {game}"),
        gettext_lazy("{name} challenges you to a friendly match of {game}"),
        _asked,
    ),
    CHALLENGE_POSTED: ChallengeKind(
        gettext_lazy("Somebody you follow posts a challenge"),
        gettext_lazy("{name} has posted a challenge to a rated match of {game}"),
        gettext_lazy("{name} has posted a challenge to a friendly match of {game}"),
        _open_to_all,
    ),
    CHALLENGE_ACCEPTED: ChallengeKind(
        gettext_lazy("Your challenge is accepted"),
        gettext_lazy("{name} accepts your challenge to a match of {game}"),
    ),
    CHALLENGE_DECLINED: ChallengeKind(
        gettext_lazy("Your challenge is declined"),
        gettext_lazy("{name} declines your challenge to a match of {game}"),
    ),
    REVEAL_DUE: ChallengeKind(
        gettext_lazy("A match with strict dice needs you to start"),
        gettext_lazy("All seats are taken: open your challenge to start {game}"),
    ),
    REVEAL_MISSED: ChallengeKind(
        gettext_lazy("A match with strict dice did not start"),
        gettext_lazy("{game} did not start: {name} did not come back in time"),
    ),
}
"""The kinds about a challenge, in the order of the preferences."""

OUTCOMES = (CHALLENGE_ACCEPTED, CHALLENGE_DECLINED, REVEAL_MISSED)


def register() -> None:
    for name, kind in KINDS.items():
        notifications.register(
            name,
            title=kind.title,
            render=challenge_email,
            summary=challenge_summary,
            current=kind.current,
            is_outcome=name in OUTCOMES,
        )
