"""The pages on which opponents choose, and those who are asked to be substitutes answer."""

import pytest
from django.test import Client
from django.utils import timezone

from games.moderation import cases, reports
from games.moderation.models import AbandonedSeat, Case, SubstituteOffer
from tests.people import confirmed, sign_in_staff
from tests.web.test_desk import browser, moderator


@pytest.fixture
def case(start, people):
    play = start(now=timezone.now())
    found = reports.file_report(
        reporter=people[0],
        suspect=people[1],
        name="match",
        subject_id=play.id,
        kind=Case.Kind.CHEATING,
        text="He knew all of my hidden cards.",
        now=timezone.now(),
    ).case
    found.play = play
    return found


@pytest.fixture
def act(case, people):
    """Do something at the desk as a moderator who plays nowhere."""
    client = Client()
    sign_in_staff(client, moderator(confirmed("chief")))

    def _act(action, **form):
        data = {"action": action, "match": case.play.id, "reason": "Gone for weeks.", **form}
        return client.post(f"/desk/cases/{case.pk}/act/", data)

    _act.client = client
    return _act


def test_a_seat_is_abandoned_chosen_about_and_taken_over(case, act, people):
    ada, _, clara, daniel = people
    act("abandon")
    page = f"/abandoned/{AbandonedSeat.objects.get().pk}/"
    assert page in browser(ada).get("/home/").content.decode()
    assert "Gone for weeks." in browser(ada).get(page).content.decode()
    assert browser(ada).post(page, {"choice": ""}).status_code == 200
    assert browser(ada).post(page, {"choice": "substitute"}).url == page
    assert "nothing is left to choose" in browser(ada).get(page).content.decode()
    assert act("substitute", name="").status_code == 200
    act("substitute", name="clara")
    offer = f"/substitute/{SubstituteOffer.objects.get().pk}/"
    assert browser(daniel).get(offer).status_code == 404
    assert "Take the seat" in browser(clara).get(offer).content.decode()
    assert browser(clara).post(offer, {"take": "1"}).url == f"/matches/{case.play.id}/"
    assert case.play.player(1).user == clara
    desk = act.client.get(f"/desk/cases/{case.pk}/").content.decode()
    assert "clara was asked: taken" in desk


def test_strangers_choose_nothing(case, act, people):
    act("abandon")
    page = f"/abandoned/{AbandonedSeat.objects.get().pk}/"
    assert Client().get(page).url.startswith("/account/login/")
    for user in people[1:]:
        assert browser(user).get(page).status_code == 404
        assert browser(user).post(page, {"choice": "remove"}).status_code == 404
    assert case.play.match.is_running
    assert browser(people[0]).get("/abandoned/999/").status_code == 404


def test_saying_no(case, act, people):
    act("abandon")
    page = f"/abandoned/{AbandonedSeat.objects.get().pk}/"
    browser(people[0]).post(page, {"choice": "substitute"})
    act("substitute", name="clara")
    offer = f"/substitute/{SubstituteOffer.objects.get().pk}/"
    browser(people[2]).post(offer, {})
    assert "not to be taken over" in browser(people[2]).get(offer).content.decode()
    assert case.play.player(1).user == people[1]
    assert cases.queue(people[3], timezone.now())
