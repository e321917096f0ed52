"""Fixtures of moderators, of a case, and of people with accounts of their own."""

import pytest

from accounts.models import User
from games.moderation.models import Case
from tests.fixtures import Play
from tests.moderation import make_moderator, reported
from tests.people import confirmed


@pytest.fixture
def clara(people: list[User]) -> User:
    """A moderator, the third of four people, who plays in no match of two."""
    return make_moderator(people[2])


@pytest.fixture
def moderator(db: None) -> User:
    """A moderator who is none of the four people."""
    return make_moderator(confirmed("wanda"))


@pytest.fixture
def case(play: Play, people: list[User]) -> Case:
    """Ada says that Bruno cheats in their match."""
    return reported(play.id, people[0], people[1]).case


@pytest.fixture
def alice(db: None) -> User:
    """Somebody with a password and a confirmed address."""
    return confirmed("Alice")


@pytest.fixture
def chief(db: None) -> User:
    """A superuser."""
    return confirmed("chief", is_staff=True, is_superuser=True)
