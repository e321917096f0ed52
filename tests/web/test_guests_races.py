"""Guests who do two things at the same moment, on PostgreSQL with real threads."""

import pytest
from django.test import Client
from django.utils import timezone

from accounts import guests
from accounts.models import User
from games.lobby import services as lobby
from games.lobby.models import Challenge
from games.matches.models import Match
from tests.concurrency import run_concurrently
from tests.people import PASSWORD, confirmed

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("toy"),
]
JOIN = {"username": "greta", "email": "greta@example.org", "password1": PASSWORD}


@pytest.fixture(autouse=True)
def _bots_wait(monkeypatch):
    """Bots take their seats and do not move."""
    monkeypatch.setattr("games.bots.tasks.think.apply_async", lambda **_: None)


@pytest.fixture
def tabs():
    """Two tabs of a guest who has a match against a bot."""
    first, second = Client(), Client()
    first.post("/games/heap/bots/casual/")
    second.cookies = first.cookies.copy()
    return first, second


def people():
    return list(User.objects.filter(is_bot=False))


def test_joining_in_two_tabs_makes_one_account_with_the_match(tabs):
    answers = run_concurrently(*(lambda tab=t: tab.post("/account/signup/", JOIN) for t in tabs))
    assert all(answer.status_code in (200, 302) for answer in answers)
    joined = User.objects.get(username="greta")
    assert not joined.is_guest
    assert Match.objects.get().players.get(is_bot=False).user == joined
    assert people() == [joined]


def test_signing_in_in_two_tabs_brings_the_match_along_once(tabs):
    ada = confirmed("ada")
    form = {"login": "ada", "password": PASSWORD, "bring": "on"}
    run_concurrently(*(lambda tab=t: tab.post("/account/login/", form) for t in tabs))
    assert Match.objects.get().players.get(is_bot=False).user == ada
    assert people() == [ada]


def test_leaving_and_being_forgotten_at_once(tabs):
    later = timezone.now() + guests.GUEST_LIFETIME
    run_concurrently(
        lambda: tabs[0].post("/account/logout/"),
        lambda: guests.forget_unused(now=later),
        lambda: guests.forget_unused(now=later),
    )
    assert people() == []
    assert not Match.objects.exists()


def test_one_link_and_two_who_open_it():
    made = lobby.challenge(
        creator=confirmed("ada"),
        title="heap",
        params={},
        clock=None,
        seats=2,
        audience=Challenge.Audience.LINK,
        now=timezone.now(),
    )
    path, form = f"/challenges/{made.pk}/accept/", {"token": made.token}
    answers = run_concurrently(*(lambda: Client().post(path, form) for _ in range(2)))
    match = Match.objects.get()
    assert match.players.count() == 2
    assert sorted(answer.url for answer in answers)[1] == f"/matches/{match.pk}/"
