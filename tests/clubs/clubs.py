"""Clubs for tests, made by the services."""

from typing import Any

import pytest

from accounts.models import User
from games.clubs import candidates, services
from games.clubs.models import Club, Membership
from games.clubs.services import Terms
from tests.fixtures import NOW

Admission = Club.Admission


def found(founder: User, name: str = "Harbour Club", **terms: Any) -> Club:
    """Found a club, whatever its founder has played."""
    return services.establish(founder=founder, terms=Terms(name, **terms), now=NOW)


def join(club: Club, *users: User, now: Any = NOW) -> None:
    for user in users:
        candidates.join(club_id=club.pk, user=user, now=now)


def lead(club: Club, leader: User, user: User, now: Any = NOW) -> None:
    services.appoint(club_id=club.pk, leader=leader, user=user, now=now)


def names(club: Club) -> list[str]:
    """Return who is in a club, by name, and check that its size says how many."""
    club.refresh_from_db()
    found = sorted(Membership.objects.filter(club=club).values_list("user__username", flat=True))
    assert club.size == len(found)
    return found


def leaders(club: Club) -> list[str]:
    rows = Membership.objects.filter(club=club, led_since__isnull=False)
    return sorted(rows.values_list("user__username", flat=True))


@pytest.fixture
def club(people: list[User]) -> Club:
    """A club that is open to all: Ada leads it, Bruno is in it, Clara and Daniel aren't."""
    made = found(people[0])
    join(made, people[1])
    return made
