"""Summaries and mails of notifications about challenges."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.template.loader import render_to_string

from accounts import notifications
from accounts.models import Notification, User
from accounts.notifications import NotificationEmail, Summary
from games.kernel import registry
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
        "reason": invitation.reason if invitation else "",
        "subject": notification.payload.get("subject")
        or KINDS[notification.kind].subject.format(
            name=other.shown_name, game=meta.name, kind="rated" if challenge.rated else "friendly"
        ),
    }


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

    ``current`` is that of :class:`accounts.notifications.NotificationKind`.
    """

    title: str
    subject: str
    current: Callable[[User], QuerySet[Any, str]] | None = None


KINDS = {
    CHALLENGE_RECEIVED: ChallengeKind(
        "You are challenged", "{name} challenges you to a {kind} match of {game}", _asked
    ),
    CHALLENGE_POSTED: ChallengeKind(
        "Somebody you follow posts a challenge",
        "{name} has posted a challenge to a {kind} match of {game}",
        _open_to_all,
    ),
    CHALLENGE_ACCEPTED: ChallengeKind(
        "Your challenge is accepted", "{name} accepts your challenge to a match of {game}"
    ),
    CHALLENGE_DECLINED: ChallengeKind(
        "Your challenge is declined", "{name} declines your challenge to a match of {game}"
    ),
    REVEAL_DUE: ChallengeKind(
        "A match with strict dice needs you to start",
        "All seats are taken: open your challenge to start {game}",
    ),
    REVEAL_MISSED: ChallengeKind(
        "A match with strict dice did not start",
        "{game} did not start: {name} did not come back in time",
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
