"""Forms of pages are not sent without end: by one account, nor towards one other person."""

from itertools import count
from types import SimpleNamespace
from unittest.mock import patch

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts import limits, unsubscribe
from accounts.models import User
from games.lobby import services as lobby
from games.lobby.models import Challenge
from games.matches import services
from tests.match_driver import fresh_cache, match_driver

__all__ = ["fresh_cache", "match_driver"]

NEW = "/games/dice-is-health/challenge/"


@pytest.fixture
def tight(settings):
    """Let every form be sent twice a day, or as a test says."""
    settings.FORM_LIMITS = {name: {"account": ["2/d"]} for name in settings.FORM_LIMITS}
    return settings.FORM_LIMITS


@pytest.fixture
def pairs(settings):
    """Let every form be sent twice a day towards the same person."""
    settings.FORM_LIMITS = {
        name: {"account": ["100/d"], "pair": ["2/d"]} for name in settings.FORM_LIMITS
    }


@pytest.fixture
def challenge(match_driver):
    return lobby.challenge(
        creator=match_driver.people[1],
        title="dice-is-health",
        params={},
        clock=None,
        seats=2,
        audience=Challenge.Audience.OPEN,
        now=timezone.now(),
    )


def is_refused(answer):
    waits = int(answer.headers.get("Retry-After", 0))
    return answer.status_code == 429 and 0 < waits <= 24 * 3600


def third(client, path, **form):
    """Send a form three times; only the last is too many. Return its answer."""
    answers = [client.post(path, form) for _ in range(3)]
    assert [answer.status_code == 429 for answer in answers] == [False, False, True]
    assert is_refused(answers[-1])
    return answers[-1]


ACTIONS = ["moves", "resign", "offer", "accept", "decline", "take-back", "cancel", "order", "queue",
         "lines", "rematch", "chat/read", "chat/mute", "note"]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("action", ACTIONS)
def test_the_forms_of_a_match(match_driver, tight, action):
    answer = third(match_driver.client(0), f"{match_driver.page}{action}/")
    assert "Too many requests" in answer.content.decode()


@pytest.mark.parametrize("answer", ["accept", "decline", "withdraw"])
def test_the_answers_to_a_challenge(match_driver, tight, challenge, answer):
    third(match_driver.client(0), f"/challenges/{challenge.pk}/{answer}/")


@pytest.mark.slow
@pytest.mark.parametrize(
    "page", [NEW, "/account/preferences/", "/account/profile/", "/account/notices/seen/"]
)
def test_the_other_forms(match_driver, tight, page):
    third(match_driver.client(0), page)


def test_leaving_the_mails_by_address_of_the_network(match_driver, tight):
    third(Client(), unsubscribe.address(match_driver.people[0], "turn"))


def test_pictures(match_driver, tight):
    codes = [Client().get(f"{match_driver.page}0/board.png").status_code for _ in range(3)]
    assert codes == [200, 200, 429]


def test_what_is_refused_changes_nothing(match_driver, tight):
    client = match_driver.client(match_driver.turn)
    for _ in range(2):
        client.post(f"{match_driver.page}moves/")
    before = match_driver.match.version
    assert is_refused(client.post(f"{match_driver.page}moves/", match_driver.form(word="c3")))
    assert match_driver.match.version == before


def test_others_and_other_forms_go_on(match_driver, tight):
    client = match_driver.client(0)
    third(client, f"{match_driver.page}offer/")
    assert client.post(f"{match_driver.page}moves/").status_code == 422
    assert match_driver.client(1).post(f"{match_driver.page}offer/").status_code == 422


def test_pages_are_read_on(match_driver, tight):
    client = match_driver.client(0)
    third(client, f"{match_driver.page}moves/")
    assert client.get(match_driver.page).status_code == 200


@pytest.mark.slow
def test_only_forms_that_are_sent_count(match_driver, tight):
    client = match_driver.client(0)
    for _ in range(5):
        assert client.get("/account/profile/").status_code == 200
        assert client.get(NEW).status_code == 200
        assert client.get(f"{match_driver.page}moves/").status_code == 405


class TestTheScriptOfThePage:
    def test_a_form_too_many_is_told_on_the_page(self, match_driver, tight):
        client, address = match_driver.client(match_driver.turn), "moves/?part=live"
        for _ in range(2):
            client.post(f"{match_driver.page}{address}")
        answer = client.post(f"{match_driver.page}{address}", match_driver.form(word="c3"))
        assert is_refused(answer)
        text = answer.content.decode()
        assert "That was too fast. Please try again in" in text
        assert 'id="match-entry" data-region' in text
        assert "<html" not in text

    def test_a_preview_too_many_is_not_worked_out(self, match_driver, tight):
        client = match_driver.client(match_driver.turn)
        asked = [client.get(f"{match_driver.page}?part=entry&word=c3") for _ in range(3)]
        assert [answer.status_code for answer in asked] == [200, 200, 429]
        assert "too fast" in asked[-1].content.decode()
        assert 'id="confirm"' in asked[0].content.decode()
        assert 'id="confirm"' not in asked[-1].content.decode()
        assert is_refused(client.get(f"{match_driver.page}?word=c3"))
        assert client.get(f"{match_driver.page}?part=live").status_code == 200


class TestWork:
    """A few requests that take long are too many, however few they are."""

    @pytest.fixture(autouse=True)
    def each_takes_four(self, monkeypatch, settings):
        """Let each measured request take a little more than an account may in an hour."""
        clock = count(step=4.5 * limits.UNIT)
        monkeypatch.setattr(limits, "time", SimpleNamespace(thread_time=clock.__next__))
        settings.WORK_LIMITS = {"account": ["3/h"], "guests": []}

    @pytest.mark.parametrize(
        "address",
        [
            "/games/die/board/",
            "/games/die/lessons/1/",
            "/games/die/puzzles/1/",
            "{page}?word=c3",
            "{page}?word=c3&part=entry",
            "{page}plan/",
            "{page}board/0/",
            "/api/v1/matches/{id}/options/",
            "/api/v1/matches/{id}/preview/?move=c3",
            "/api/v1/matches/{id}/random/",
        ],
    )
    def test_what_computes_what_was_sent(self, match_driver, address):
        seat = 1 - match_driver.turn if "plan" in address else match_driver.turn
        client = match_driver.client(seat)
        path = address.format(page=match_driver.page, id=match_driver.id)
        assert client.get(path, follow=True).status_code in (200, 429), "the board leads on"
        assert is_refused(client.get(path))
        assert client.get(match_driver.page).status_code == 200

    def test_by_address_for_visitors(self):
        boards = "/games/die/board/", "/games/grim-reaper/board/"
        here, there = Client(REMOTE_ADDR="192.0.2.1"), Client(REMOTE_ADDR="192.0.2.2")
        assert [here.get(board).status_code for board in boards] == [302, 429]
        assert there.get(boards[0]).status_code == 302

    def test_a_short_request_counts_nothing(self, monkeypatch):
        clock = count(step=0.9 * limits.UNIT)
        monkeypatch.setattr(limits, "time", SimpleNamespace(thread_time=clock.__next__))
        codes = [Client().get("/games/die/board/").status_code for _ in range(5)]
        assert codes == [302] * 5

    @pytest.mark.django_db
    def test_guests_of_an_address_count_together(self, settings):
        settings.WORK_LIMITS = {"account": [], "guests": ["3/h"]}
        codes = []
        for number, address in enumerate(("192.0.2.1", "192.0.2.1", "192.0.2.2")):
            client = Client(REMOTE_ADDR=address)
            client.force_login(User.objects.create(username=f"guest-{number}", is_guest=True))
            codes.append(client.get("/games/die/board/").status_code)
        assert codes == [302, 429, 302]


class TestTowardsOnePerson:
    def test_offers(self, match_driver, pairs):
        third(match_driver.client(0), f"{match_driver.page}offer/")
        assert match_driver.client(1).post(f"{match_driver.page}offer/").status_code == 422

    def test_invitations_and_not_to_somebody_else(self, match_driver, pairs):
        form = {
            "param-rounds": 3,
            "clock": "none",
            "audience": "named",
            "seating": "random",
            "lifetime": 7,
            "seats": 2,
        }
        client, (_, bruno, clara, _) = match_driver.client(0), match_driver.people
        third(client, NEW, **form, players=bruno.username)
        assert client.post(NEW, {**form, "players": clara.username}).status_code == 302
        assert Challenge.objects.filter(invitations__user=bruno).count() == 2

    def test_answers(self, match_driver, pairs, challenge):
        third(match_driver.client(0), f"/challenges/{challenge.pk}/accept/")

    def test_rematches(self, match_driver, pairs):
        match_driver.act(services.resign, 0)
        third(match_driver.client(0), f"{match_driver.page}rematch/")


class TestPrograms:
    def act(self, client, match_driver, action):
        path = f"/api/v1{match_driver.page}{action}/"
        return client.post(path, match_driver.form(), content_type="application/json")

    @pytest.mark.parametrize(
        "action", ["resign", "offer", "accept", "decline", "take-back", "cancel"]
    )
    def test_what_a_player_does_beside_moving_counts_as_on_pages(self, match_driver, tight, action):
        client = match_driver.client(0)
        client.post(f"{match_driver.page}{action}/")
        codes = [self.act(client, match_driver, action).status_code for _ in range(2)]
        assert codes[0] in (200, 409)
        answer = self.act(client, match_driver, action)
        assert is_refused(answer)
        assert answer.json()["code"] == "throttled"

    def test_offers_towards_one_person(self, match_driver, pairs):
        client = match_driver.client(0)
        codes = [self.act(client, match_driver, "offer").status_code for _ in range(3)]
        assert codes == [200, 409, 429]


def test_without_redis_forms_are_counted_by_the_process(match_driver, tight, settings):
    away = {"BACKEND": "config.cache.FallbackCache", "LOCATION": "redis://127.0.0.1:1/0"}
    settings.CACHES = {"default": away}
    client = match_driver.client(0)
    codes = [client.post(f"{match_driver.page}offer/").status_code for _ in range(3)]
    assert codes == [422, 422, 429]


def test_allauth_says_too_how_long_to_wait(db):
    asked = [Client().post("/account/password/reset/", {"email": "a@b.org"}) for _ in range(6)]
    assert is_refused(asked[-1])
    assert "Too many requests" in asked[-1].content.decode()


def test_a_count_that_was_just_dropped_refuses_nobody(match_driver):
    """Redis may drop a key between the question whether it is there and the count."""
    with (
        patch.object(cache, "add", return_value=False),
        patch.object(cache, "incr", side_effect=ValueError),
    ):
        assert match_driver.client(0).post(f"{match_driver.page}offer/").status_code == 422
