"""A member's clubs on the front page, each with what there is to do in it."""

from collections import Counter
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Count, Exists, OuterRef

from accounts.models import User
from games.clubs import candidates
from games.clubs import selectors as clubs
from games.clubs.models import Candidate, Club, Membership
from games.events.models import Entry, Tournament
from games.noticeboards import selectors as noticeboards
from games.web.pages.own_affairs import OwnAffairs

CONSIDERED = 20
"""Of how many of a user's clubs the front page reads what there is to do."""

RECENT = timedelta(days=14)
"""Older topics aren't counted as new."""


class OwnClub(NamedTuple):
    """A club of a user, and what the user can do there.

    ``requests`` is the number of people who ask a leader to join, ``topics`` that of topics with
    new posts. ``tournaments`` take players, and the user is not among them.
    """

    club: Club
    requests: int
    tournaments: list[Tournament]
    topics: int

    @property
    def is_quiet(self) -> bool:
        return not (self.requests or self.tournaments or self.topics)


def of_member(user: User, affairs: OwnAffairs, few: int, now: datetime) -> list[OwnClub]:
    """Return up to ``few`` clubs of a user, those with something to do first."""
    own = list(clubs.of_member(user)[:CONSIDERED])
    if not own:
        return []
    tournaments = _tournaments(user, own) if affairs.clubs_hold_tournaments else []
    requests = _requests(own, now) if affairs.clubs_have_requests else Counter[int]()
    topics = Counter[int]()
    if affairs.clubs_have_new_topics:
        topics = noticeboards.unread_in_clubs(user, [one.club for one in own], since=now - RECENT)
    found = [
        OwnClub(
            one.club,
            requests[one.club_id],
            [event for event in tournaments if event.club_id == one.club_id],
            topics[one.club_id],
        )
        for one in own
    ]
    return sorted(found, key=lambda one: one.is_quiet)[:few]


def _tournaments(user: User, own: list[Membership]) -> list[Tournament]:
    """Return the tournaments of clubs that a user can still enter, the next to begin first."""
    entered = Entry.objects.filter(tournament=OuterRef("pk"), user=user)
    held = Tournament.objects.filter(
        club__in=[one.club_id for one in own], status=Tournament.Status.OPEN
    )
    return list(held.exclude(Exists(entered)).order_by("starts", "pk")[:CONSIDERED])


def _requests(own: list[Membership], now: datetime) -> Counter[int]:
    led = [one.club_id for one in own if one.leads]
    if not led:
        return Counter()
    asked = candidates.pending(now).filter(club__in=led, kind=Candidate.Kind.REQUEST)
    return Counter(dict(asked.order_by().values_list("club").annotate(Count("pk"))))
