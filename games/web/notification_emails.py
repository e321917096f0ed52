"""What notices about matches and challenges say, in one line and as mails.

A letter is written when it is sent, from the match as it then stands and as its recipient may
see it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.template.loader import render_to_string
from django.utils import timezone

from accounts import notifications
from accounts.models import Notification, User
from accounts.notifications import NotificationEmail, Summary
from games.kernel import registry
from games.kernel.svg import Drawing
from games.lobby import notifications as lobby_notifications
from games.lobby import selectors as lobby
from games.lobby.models import Challenge
from games.matches import notifications as match_notifications
from games.matches import presentation, selectors
from games.matches.models import Match, Player
from games.matches.queue import queue_of
from games.web import formatting, pictures
from games.web.reading import MatchPresentation, read_snapshot

BOARD = "board"
"""Name of the picture in a mail."""

BOARD_WIDTH = 640
"""Pixels across the picture; it is shown at half its size, so that it is sharp everywhere."""

MOST_LINES = 12
"""So many of the latest entries of the log are told."""


@dataclass(frozen=True)
class About(MatchPresentation):
    """A match as the recipient of a notice may see it."""

    kind: str

    @classmethod
    def of(cls, notification: Notification, *, with_log: bool) -> "About":
        """Read the match that a notice is about."""
        snapshot = read_snapshot(notification.payload["match"])
        entries = selectors.log(snapshot.match) if with_log else []
        return cls(snapshot, entries, notification.recipient, notification.kind)

    @property
    def me(self) -> Player:
        """The recipient as a player."""
        return self.snapshot.players[self.snapshot.seat_for(self.user)]

    @property
    def colour(self) -> str:
        """The recipient's colour."""
        return self.meta.colours[self.me.seat].name

    @property
    def against(self) -> str:
        """The game and the others: its name, then ``against bruno``."""
        others = [player.user.username for player in self.snapshot.players if player != self.me]
        return f"{self.meta.name} against {formatting.names(others)}"

    @property
    def offerer(self) -> str:
        """Who offers to end the match."""
        names = [
            p.user.username for p in self.snapshot.players if p.agrees_to_close and p != self.me
        ]
        return formatting.names(names) if names else "Somebody"

    @property
    def subject(self) -> str:
        """The notice in one line."""
        return SUBJECTS[self.kind](self)

    @property
    def opening(self) -> str:
        """What the letter is about, in a sentence or two."""
        return OPENINGS[self.kind](self)

    @property
    def own_outcome(self) -> str:
        """How it came out for the recipient: ``You won``."""
        if self.match.status != Match.Status.OVER:
            return f"The match was {self.match.get_status_display()}"
        place = formatting.place(self.me, self.snapshot.players)
        known = {"won": "You won", "lost": "You lost", "draw": "A draw"}
        return known.get(place) or f"You came in {place}"

    @property
    def stopped(self) -> str:
        """Why the recipient's queue goes no further; empty if it is gone by now."""
        found = queue_of(self.snapshot, self.snapshot.seat_for(self.user))
        return found.halted if found else ""

    @property
    def waits(self) -> bool:
        """Whether the match waits for the recipient."""
        return self.match.is_running and self.me.to_move

    @property
    def until(self) -> str:
        """By when the recipient has to move; empty without a clock."""
        end = self.me.deadline
        if not self.waits or end is None:
            return ""
        return f"{formatting.left(end - timezone.now())} left, until {formatting.exact(end)}"

    @cached_property
    def lines(self) -> list[str]:
        """What has happened since the recipient's own last entry, told a line each."""
        told = presentation.lines(self.snapshot, self.entries[self.me.version :], self.seat)
        return [" ".join((f"{line.entry.number}.", *line.sentences)) for line in told[-MOST_LINES:]]


SUBJECTS: Mapping[str, Callable[[About], str]] = {
    match_notifications.YOUR_TURN: lambda about: (
        f"{about.pending_question or 'Your turn:'} {about.against}"
    ),
    match_notifications.TIME_SHORT: lambda about: f"Your time runs short: {about.against}",
    match_notifications.MATCH_STARTED: lambda about: f"Begun: {about.against}",
    match_notifications.MATCH_ENDED: lambda about: f"{about.own_outcome}: {about.against}",
    match_notifications.OFFER_MADE: lambda about: (
        f"{about.offerer} offers {'a draw' if about.of_two else 'to end it'}: {about.against}"
    ),
    match_notifications.QUEUE_STOPPED: lambda about: f"Your queue has stopped: {about.against}",
}


def _begun(about: About) -> str:
    params = f", {about.params}" if about.params else ""
    return f"The match has begun: {about.heading} play {about.meta.name}{params}."


def _ended(about: About) -> str:
    said = (about.own_outcome, about.outcome, about.ranking, about.ending)
    return " ".join(f"{part}." for part in said if part)


def _offered(about: About) -> str:
    if about.of_two:
        answer = "You can accept or decline it on the match page; a move of yours declines it."
        return f"{about.offerer} offers a draw. {answer}"
    return f"{about.offerer} offers to end the match here. It ends if all who still play agree."


def _called(about: About) -> str:
    if about.waits:
        return about.pending_question or "It is your turn."
    return "It was your turn; the match has gone on since."


def _stopped(about: About) -> str:
    opening = "The moves that you wanted to follow have stopped at one that cannot be made"
    return f"{opening}. {about.stopped}" if about.stopped else f"{opening}."


OPENINGS: Mapping[str, Callable[[About], str]] = {
    match_notifications.YOUR_TURN: _called,
    match_notifications.TIME_SHORT: lambda _: "Your time in this match runs short.",
    match_notifications.MATCH_STARTED: _begun,
    match_notifications.MATCH_ENDED: _ended,
    match_notifications.OFFER_MADE: _offered,
    match_notifications.QUEUE_STOPPED: _stopped,
}


def match_email(notification: Notification) -> NotificationEmail:
    """Write the mail about a match, with its board."""
    about = About.of(notification, with_log=True)
    context = {"about": about, "drawing": about.drawing, "cid": BOARD}
    return NotificationEmail(
        subject=about.subject,
        text=render_to_string("notification_emails/match.txt", context),
        html=render_to_string("notification_emails/match.html", context),
        url=about.match.get_absolute_url(),
        images=[(BOARD, _picture(about.drawing))],
    )


def _picture(drawing: Drawing) -> bytes:
    return pictures.png(drawing, "light", width=BOARD_WIDTH)


def match_summary(notification: Notification) -> Summary:
    """Say what happened in a match in one line."""
    about = About.of(notification, with_log=False)
    return Summary(about.subject, about.match.get_absolute_url())


def _challenge(notification: Notification) -> dict[str, Any]:
    """Return what a letter about a challenge speaks of."""
    found = lobby.get(notification.payload["challenge"])
    other = User.objects.get(pk=notification.payload["user"])
    meta = registry.get(found.title).meta
    place = lobby.invitation_of(found, other)
    return {
        "challenge": found,
        "other": other,
        "meta": meta,
        "kind": notification.kind,
        "params": formatting.parameters_short(meta, found.params),
        "clock": formatting.clock(found.time_control),
        "expires": formatting.exact(found.expires),
        "reason": place.reason if place else "",
        "subject": CHALLENGE_SUBJECTS[notification.kind].format(
            name=other.username, game=meta.name
        ),
    }


CHALLENGE_SUBJECTS = {
    lobby_notifications.CHALLENGE_RECEIVED: "{name} challenges you to {game}",
    lobby_notifications.CHALLENGE_ACCEPTED: "{name} accepts your challenge to {game}",
    lobby_notifications.CHALLENGE_DECLINED: "{name} declines your challenge to {game}",
    lobby_notifications.REVEAL_DUE: "All seats are taken: open your challenge to start {game}",
    lobby_notifications.REVEAL_MISSED: "{game} did not start: {name} did not come back in time",
}


def challenge_email(notification: Notification) -> NotificationEmail:
    """Write the mail about a challenge."""
    context = _challenge(notification)
    return NotificationEmail(
        subject=context["subject"],
        text=render_to_string("notification_emails/challenge.txt", context),
        html=render_to_string("notification_emails/challenge.html", context),
        url=_address(context["challenge"]),
    )


def challenge_summary(notification: Notification) -> Summary:
    """Say what happened to a challenge in one line."""
    context = _challenge(notification)
    return Summary(context["subject"], _address(context["challenge"]))


def _address(challenge: Challenge) -> str:
    """Return the page to look at: the match, once there is one."""
    return (challenge.match or challenge).get_absolute_url()


TITLES = {
    match_notifications.YOUR_TURN: "It is your turn",
    match_notifications.TIME_SHORT: "Your time runs short",
    match_notifications.MATCH_STARTED: "A match of yours has begun",
    match_notifications.MATCH_ENDED: "A match of yours has ended",
    match_notifications.OFFER_MADE: "You are offered a draw, or to end a match",
    match_notifications.QUEUE_STOPPED: "A queue of your moves has stopped",
    lobby_notifications.CHALLENGE_RECEIVED: "You are challenged",
    lobby_notifications.CHALLENGE_ACCEPTED: "Your challenge is accepted",
    lobby_notifications.CHALLENGE_DECLINED: "Your challenge is declined",
    lobby_notifications.REVEAL_DUE: "A match with strict dice needs you to start",
    lobby_notifications.REVEAL_MISSED: "A match with strict dice did not start",
}
"""What people call the kinds, in the order in which preferences list them."""


def register() -> None:
    """Make all kinds known."""
    for kind, title in TITLES.items():
        if kind in SUBJECTS:
            notifications.register(kind, title=title, render=match_email, summary=match_summary)
        else:
            notifications.register(
                kind, title=title, render=challenge_email, summary=challenge_summary
            )
