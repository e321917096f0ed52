"""Forms of pages are not sent without end: by one account, nor towards one other person."""

import logging
from unittest.mock import patch

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from redis.exceptions import ConnectionError as RedisConnectionError

from accounts import limits, unsubscribe
from games.lobby import services as lobby
from games.lobby.models import Challenge
from games.match import services
from tests.duel import duel, fresh_cache

__all__ = ["duel", "fresh_cache"]

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
def challenge(duel):
    return lobby.challenge(
        creator=duel.people[1],
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


DOORS = ["moves", "resign", "offer", "accept", "decline", "take-back", "cancel", "order", "queue",
         "rematch"]  # fmt: skip


@pytest.mark.parametrize("door", DOORS)
def test_the_forms_of_a_match(duel, tight, door):
    answer = third(duel.client(0), f"{duel.page}{door}/")
    assert "Not so fast" in answer.content.decode()


@pytest.mark.parametrize("answer", ["accept", "decline", "withdraw"])
def test_the_answers_to_a_challenge(duel, tight, challenge, answer):
    third(duel.client(0), f"/challenges/{challenge.pk}/{answer}/")


@pytest.mark.parametrize(
    "page", [NEW, "/account/preferences/", "/account/profile/", "/account/notices/seen/"]
)
def test_the_other_forms(duel, tight, page):
    third(duel.client(0), page)


def test_leaving_the_mails_by_address_of_the_network(duel, tight):
    third(Client(), unsubscribe.address(duel.people[0], "turn"))


def test_pictures(duel, tight):
    codes = [Client().get(f"{duel.page}0/board.png").status_code for _ in range(3)]
    assert codes == [200, 200, 429]


def test_what_is_refused_changes_nothing(duel, tight):
    client = duel.client(duel.turn)
    for _ in range(2):
        client.post(f"{duel.page}moves/")
    before = duel.match.version
    assert is_refused(client.post(f"{duel.page}moves/", duel.form(word="c3")))
    assert duel.match.version == before


def test_others_and_other_forms_go_on(duel, tight):
    client = duel.client(0)
    third(client, f"{duel.page}offer/")
    assert client.post(f"{duel.page}moves/").status_code == 422
    assert duel.client(1).post(f"{duel.page}offer/").status_code == 422


def test_pages_are_read_on(duel, tight):
    client = duel.client(0)
    third(client, f"{duel.page}moves/")
    assert client.get(duel.page).status_code == 200


def test_only_forms_that_are_sent_count(duel, tight):
    client = duel.client(0)
    for _ in range(5):
        assert client.get("/account/profile/").status_code == 200
        assert client.get(NEW).status_code == 200
        assert client.get(f"{duel.page}moves/").status_code == 405


class TestTheScriptOfThePage:
    def test_a_form_too_many_is_told_on_the_page(self, duel, tight):
        client, script = duel.client(duel.turn), {"HX-Request": "true"}
        for _ in range(2):
            client.post(f"{duel.page}moves/", headers=script)
        answer = client.post(f"{duel.page}moves/", duel.form(word="c3"), headers=script)
        assert is_refused(answer)
        text = answer.content.decode()
        assert "That was too fast. Please try again in" in text
        assert 'id="match-entry" data-region' in text
        assert "<html" not in text

    def test_a_preview_too_many_is_not_worked_out(self, duel, tight):
        client, script = duel.client(duel.turn), {"HX-Request": "true"}
        asked = [client.get(f"{duel.page}?part=entry&word=c3", headers=script) for _ in range(3)]
        assert [answer.status_code for answer in asked] == [200, 200, 429]
        assert "too fast" in asked[-1].content.decode()
        assert 'id="confirm"' in asked[0].content.decode()
        assert 'id="confirm"' not in asked[-1].content.decode()
        assert is_refused(client.get(f"{duel.page}?word=c3"))
        assert client.get(f"{duel.page}?part=live", headers=script).status_code == 200


class TestTowardsOnePerson:
    def test_offers(self, duel, pairs):
        third(duel.client(0), f"{duel.page}offer/")
        assert duel.client(1).post(f"{duel.page}offer/").status_code == 422

    def test_invitations_and_not_to_somebody_else(self, duel, pairs):
        form = {
            "param-rounds": 3,
            "clock": "none",
            "audience": "named",
            "seating": "random",
            "lifetime": 7,
            "seats": 2,
        }
        client, (_, bruno, clara, _) = duel.client(0), duel.people
        third(client, NEW, **form, players=bruno.username)
        assert client.post(NEW, {**form, "players": clara.username}).status_code == 302
        assert Challenge.objects.filter(places__user=bruno).count() == 2

    def test_answers(self, duel, pairs, challenge):
        third(duel.client(0), f"/challenges/{challenge.pk}/accept/")

    def test_rematches(self, duel, pairs):
        duel.act(services.resign, 0)
        third(duel.client(0), f"{duel.page}rematch/")


class TestPrograms:
    def act(self, client, duel, action):
        path = f"/api/v1{duel.page}{action}/"
        return client.post(path, duel.form(), content_type="application/json")

    @pytest.mark.parametrize(
        "action", ["resign", "offer", "accept", "decline", "take-back", "cancel"]
    )
    def test_what_a_player_does_beside_moving_counts_as_on_pages(self, duel, tight, action):
        client = duel.client(0)
        client.post(f"{duel.page}{action}/")
        codes = [self.act(client, duel, action).status_code for _ in range(2)]
        assert codes[0] in (200, 409)
        answer = self.act(client, duel, action)
        assert is_refused(answer)
        assert answer.json()["code"] == "throttled"

    def test_offers_towards_one_person(self, duel, pairs):
        client = duel.client(0)
        codes = [self.act(client, duel, "offer").status_code for _ in range(3)]
        assert codes == [200, 409, 429]


class TestWithoutTheCache:
    @pytest.fixture(autouse=True)
    def _told_nothing_yet(self):
        limits._uncounted.clear()

    @pytest.mark.parametrize("error", [RedisConnectionError, TimeoutError])
    def test_forms_pass_and_the_log_says_so_once(self, duel, tight, caplog, error):
        client = duel.client(0)
        with patch.object(limits, "get_usage", side_effect=error("redis://:hush@cache")):
            codes = {client.post(f"{duel.page}offer/").status_code for _ in range(5)}
        assert codes == {422}
        told = [record for record in caplog.records if record.name == "accounts.limits"]
        assert [record.levelno for record in told] == [logging.WARNING]
        assert "hush" not in caplog.text

    def test_once_it_is_back_forms_are_counted_and_the_next_outage_is_told(
        self, duel, tight, caplog
    ):
        client = duel.client(0)
        for _ in range(2):
            with patch.object(limits, "get_usage", side_effect=RedisConnectionError):
                client.post(f"{duel.page}offer/")
            client.post(f"{duel.page}offer/")
        assert is_refused(client.post(f"{duel.page}offer/"))
        assert caplog.text.count("Forms are not limited") == 2


def test_allauth_says_too_how_long_to_wait(db):
    asked = [Client().post("/account/password/reset/", {"email": "a@b.org"}) for _ in range(6)]
    assert is_refused(asked[-1])
    assert "Not so fast" in asked[-1].content.decode()


def test_a_count_that_was_just_dropped_refuses_nobody(duel):
    """Redis may drop a key between the question whether it is there and the count."""
    with (
        patch.object(cache, "add", return_value=False),
        patch.object(cache, "incr", side_effect=ValueError),
    ):
        assert duel.client(0).post(f"{duel.page}offer/").status_code == 422
