"""The pages on which opponents choose, and those who are asked to be substitutes answer."""

import pytest
from django.test import Client
from django.utils import timezone

from games.moderation import cases
from games.moderation.models import AbandonedSeat, SubstituteOffer
from tests.people import sign_in_staff
from tests.web.test_desk import browser


@pytest.fixture
def play(start):
    return start(now=timezone.now())


@pytest.fixture
def act(case, play, moderator):
    """Do something at the desk."""
    client = Client()
    sign_in_staff(client, moderator)

    def _act(action, **form):
        data = {"action": action, "match": play.id, "reason": "Gone for weeks.", **form}
        return client.post(f"/desk/cases/{case.pk}/act/", data)

    _act.client = client
    return _act


def test_a_seat_is_abandoned_chosen_about_and_taken_over(case, play, act, people):
    ada, _, clara, daniel = people
    act("abandon")
    page = f"/abandoned/{AbandonedSeat.objects.get().pk}/"
    assert page in browser(ada).get("/home/").content.decode()
    assert "Gone for weeks." in browser(ada).get(page).content.decode()
    assert browser(ada).post(page, {"choice": ""}).status_code == 200
    assert browser(ada).post(page, {"choice": "substitute"}).url == page
    assert "There is nothing left to choose" in browser(ada).get(page).content.decode()
    assert act("substitute", substitute="").status_code == 200
    act("substitute", substitute="clara")
    offer = f"/substitute/{SubstituteOffer.objects.get().pk}/"
    assert browser(daniel).get(offer).status_code == 404
    assert "Take the seat" in browser(clara).get(offer).content.decode()
    assert browser(clara).post(offer, {"take": "1"}).url == f"/matches/{play.id}/"
    assert play.player(1).user == clara
    desk = act.client.get(f"/desk/cases/{case.pk}/").content.decode()
    assert "clara was asked: taken" in desk


def test_strangers_choose_nothing(play, act, people):
    act("abandon")
    page = f"/abandoned/{AbandonedSeat.objects.get().pk}/"
    assert Client().get(page).url.startswith("/account/login/")
    for user in people[2:]:
        assert browser(user).get(page).status_code == 404
        assert browser(user).post(page, {"choice": "remove"}).status_code == 404
    browser(people[1]).post(page, {"choice": "substitute"})
    assert not AbandonedSeat.objects.get().choices.exists(), "whose seat it is has no say"
    assert play.match.is_running
    assert browser(people[0]).get("/abandoned/999/").status_code == 404


def test_saying_no(play, act, people):
    act("abandon")
    page = f"/abandoned/{AbandonedSeat.objects.get().pk}/"
    browser(people[0]).post(page, {"choice": "substitute"})
    act("substitute", substitute="clara")
    offer = f"/substitute/{SubstituteOffer.objects.get().pk}/"
    browser(people[2]).post(offer, {})
    assert "no longer take over this seat" in browser(people[2]).get(offer).content.decode()
    assert play.player(1).user == people[1]
    assert cases.queue(people[3], timezone.now())


def test_who_was_gone_comes_back_by_the_page_that_they_are_told(play, act, people):
    act("abandon")
    found = AbandonedSeat.objects.get()
    page, bruno = f"/abandoned/{found.pk}/", browser(people[1])
    assert page in bruno.get("/account/notices/").content.decode()
    assert "I’ll keep playing" in bruno.get(page).content.decode()
    assert bruno.post(page).url == f"/matches/{play.id}/"
    found.refresh_from_db()
    assert found.outcome == "void"
    for client in (bruno, browser(people[0])):
        assert "The player is back" in client.get(page).content.decode()
    assert bruno.post(page).url == page, "a second click changes nothing"
