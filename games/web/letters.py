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

from accounts import notices
from accounts.models import Notice, User
from accounts.notices import Glance, Letter
from games.kernel import registry
from games.kernel.svg import Drawing
from games.lobby import news as lobby_news
from games.lobby import selectors as lobby
from games.lobby.models import Challenge
from games.match import news, selectors, viewing
from games.match.models import Match, Player
from games.match.queue import queue_of
from games.web import pictures, words
from games.web.reading import Reading, read_table

BOARD = "board"
"""Name of the picture in a mail."""

BOARD_WIDTH = 640
"""Pixels across the picture; it is shown at half its size, so that it is sharp everywhere."""

MOST_LINES = 12
"""So many of the latest entries of the log are told."""


@dataclass(frozen=True)
class About(Reading):
    """A match as the recipient of a notice may see it."""

    kind: str

    @classmethod
    def of(cls, notice: Notice, *, with_log: bool) -> "About":
        """Read the match that a notice is about."""
        at = read_table(notice.payload["match"])
        entries = selectors.log(at.match) if with_log else []
        return cls(at, entries, notice.recipient, notice.kind)

    @property
    def me(self) -> Player:
        """The recipient as a player."""
        return self.at.players[self.at.seat_for(self.user)]

    @property
    def colour(self) -> str:
        """The recipient's colour."""
        return self.meta.colours[self.me.seat].name

    @property
    def against(self) -> str:
        """The game and the others: its name, then ``against bruno``."""
        others = [player.user.username for player in self.at.players if player != self.me]
        return f"{self.meta.name} against {words.names(others)}"

    @property
    def offerer(self) -> str:
        """Who offers to end the match."""
        names = [p.user.username for p in self.at.players if p.agrees_to_close and p != self.me]
        return words.names(names) if names else "Somebody"

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
        place = words.place(self.me, self.at.players)
        known = {"won": "You won", "lost": "You lost", "draw": "A draw"}
        return known.get(place) or f"You came in {place}"

    @property
    def stopped(self) -> str:
        """Why the recipient's queue goes no further; empty if it is gone by now."""
        found = queue_of(self.at, self.at.seat_for(self.user))
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
        return f"{words.left(end - timezone.now())} left, until {words.exact(end)}"

    @cached_property
    def lines(self) -> list[str]:
        """What has happened since the recipient's own last entry, told a line each."""
        told = viewing.lines(self.at, self.entries[self.me.version :], self.seat)
        return [" ".join((f"{line.entry.number}.", *line.sentences)) for line in told[-MOST_LINES:]]


SUBJECTS: Mapping[str, Callable[[About], str]] = {
    news.YOUR_TURN: lambda about: f"{about.call or 'Your turn:'} {about.against}",
    news.TIME_SHORT: lambda about: f"Your time runs short: {about.against}",
    news.MATCH_STARTED: lambda about: f"Begun: {about.against}",
    news.MATCH_ENDED: lambda about: f"{about.own_outcome}: {about.against}",
    news.OFFER_MADE: lambda about: (
        f"{about.offerer} offers {'a draw' if about.of_two else 'to end it'}: {about.against}"
    ),
    news.QUEUE_STOPPED: lambda about: f"Your queue has stopped: {about.against}",
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
        return about.call or "It is your turn."
    return "It was your turn; the match has gone on since."


def _stopped(about: About) -> str:
    opening = "The moves that you wanted to follow have stopped at one that cannot be made"
    return f"{opening}. {about.stopped}" if about.stopped else f"{opening}."


OPENINGS: Mapping[str, Callable[[About], str]] = {
    news.YOUR_TURN: _called,
    news.TIME_SHORT: lambda _: "Your time in this match runs short.",
    news.MATCH_STARTED: _begun,
    news.MATCH_ENDED: _ended,
    news.OFFER_MADE: _offered,
    news.QUEUE_STOPPED: _stopped,
}


def match_letter(notice: Notice) -> Letter:
    """Write the mail about a match, with its board."""
    about = About.of(notice, with_log=True)
    context = {"about": about, "drawing": about.drawing, "cid": BOARD}
    return Letter(
        subject=about.subject,
        text=render_to_string("letters/match.txt", context),
        html=render_to_string("letters/match.html", context),
        url=about.match.get_absolute_url(),
        images=[(BOARD, _picture(about.drawing))],
    )


def _picture(drawing: Drawing) -> bytes:
    return pictures.png(drawing, "light", width=BOARD_WIDTH)


def match_glance(notice: Notice) -> Glance:
    """Say what happened in a match in one line."""
    about = About.of(notice, with_log=False)
    return Glance(about.subject, about.match.get_absolute_url())


def _challenge(notice: Notice) -> dict[str, Any]:
    """Return what a letter about a challenge speaks of."""
    found = lobby.get(notice.payload["challenge"])
    other = User.objects.get(pk=notice.payload["user"])
    meta = registry.get(found.title).meta
    place = lobby.place_of(found, other)
    return {
        "challenge": found,
        "other": other,
        "meta": meta,
        "kind": notice.kind,
        "params": words.parameters_short(meta, found.params),
        "clock": words.clock(found.time_control),
        "expires": words.exact(found.expires),
        "reason": place.reason if place else "",
        "subject": CHALLENGE_SUBJECTS[notice.kind].format(name=other.username, game=meta.name),
    }


CHALLENGE_SUBJECTS = {
    lobby_news.CHALLENGE_RECEIVED: "{name} challenges you to {game}",
    lobby_news.CHALLENGE_ACCEPTED: "{name} accepts your challenge to {game}",
    lobby_news.CHALLENGE_DECLINED: "{name} declines your challenge to {game}",
    lobby_news.REVEAL_DUE: "All seats are taken: open your challenge to start {game}",
    lobby_news.REVEAL_MISSED: "{game} did not start: {name} did not come back in time",
}


def challenge_letter(notice: Notice) -> Letter:
    """Write the mail about a challenge."""
    context = _challenge(notice)
    return Letter(
        subject=context["subject"],
        text=render_to_string("letters/challenge.txt", context),
        html=render_to_string("letters/challenge.html", context),
        url=_address(context["challenge"]),
    )


def challenge_glance(notice: Notice) -> Glance:
    """Say what happened to a challenge in one line."""
    context = _challenge(notice)
    return Glance(context["subject"], _address(context["challenge"]))


def _address(challenge: Challenge) -> str:
    """Return the page to look at: the match, once there is one."""
    return (challenge.match or challenge).get_absolute_url()


TITLES = {
    news.YOUR_TURN: "It is your turn",
    news.TIME_SHORT: "Your time runs short",
    news.MATCH_STARTED: "A match of yours has begun",
    news.MATCH_ENDED: "A match of yours has ended",
    news.OFFER_MADE: "You are offered a draw, or to end a match",
    news.QUEUE_STOPPED: "A queue of your moves has stopped",
    lobby_news.CHALLENGE_RECEIVED: "You are challenged",
    lobby_news.CHALLENGE_ACCEPTED: "Your challenge is accepted",
    lobby_news.CHALLENGE_DECLINED: "Your challenge is declined",
    lobby_news.REVEAL_DUE: "A match with strict dice needs you to start",
    lobby_news.REVEAL_MISSED: "A match with strict dice did not start",
}
"""What people call the kinds, in the order in which preferences list them."""


def register() -> None:
    """Make all kinds known."""
    for kind, title in TITLES.items():
        if kind in SUBJECTS:
            notices.register(kind, title=title, render=match_letter, glance=match_glance)
        else:
            notices.register(kind, title=title, render=challenge_letter, glance=challenge_glance)
