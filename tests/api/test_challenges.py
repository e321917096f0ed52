"""Challenges by program: made once, answered, seen by whom they are for."""

from hashlib import sha256
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.bots.services import answer_invitation
from games.http import paging
from games.lobby.models import Challenge, Invitation
from games.matches.models import Match
from tests.fixtures import people

__all__ = ["people"]

ROOT = "/api/v1/challenges/"


class Caller:
    """Somebody who is signed in."""

    def __init__(self, user):
        self.client = Client()
        self.client.force_login(user)

    def get(self, path="", **query):
        return self.client.get(ROOT + path, query)

    def post(self, path="", **data):
        return self.client.post(ROOT + path, data, content_type="application/json")

    def make(self, **fields):
        return self.post(**{"title": "die", "submission": str(uuid4()), **fields})


@pytest.fixture
def ada(people):
    return Caller(people[0])


@pytest.fixture
def bruno(people):
    return Caller(people[1])


@pytest.fixture
def clara(people):
    return Caller(people[2])


def test_a_challenge_is_made_listed_and_accepted(ada, bruno, client):
    day = 86_400
    clock = {"start": 3 * day, "increment": day, "cap": 7 * day}
    made = ada.make(params={"size": 3}, clock=clock, message="Well met")
    assert made.status_code == 201
    new = made.json()
    assert (new["params"], new["clock"], new["creator"]) == ({"size": 3}, clock, "ada")
    assert [one["id"] for one in client.get(ROOT).json()["items"]] == [new["id"]]
    taken = bruno.post(f"{new['id']}/accept/").json()
    assert taken["status"] == "started"
    match = Match.objects.get(pk=taken["match"])
    assert {player.user.username for player in match.players.all()} == {"ada", "bruno"}
    assert bruno.post(f"{new['id']}/accept/").json() == taken
    assert client.get(ROOT).json()["items"] == []


def test_the_same_submission_makes_one_challenge(ada, bruno):
    submission = str(uuid4())
    first, again = (ada.make(submission=submission) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    assert bruno.make(submission=submission).status_code == 201
    assert Challenge.objects.count() == 2


def test_a_commitment_is_seen_before_the_nonce_and_used_once(ada):
    seen = ada.post("commitment/").json()
    sent = {"commitment_token": seen["token"], "nonce": "07" * 32}
    first = ada.make(title="grim-reaper", **sent)
    assert (first.status_code, first.json()["commitment"]) == (201, seen["commitment"])
    assert ada.make(title="grim-reaper", **sent).json()["id"] == first.json()["id"]
    refused = ada.make(title="grim-reaper", nonce="07" * 32)
    assert (refused.status_code, refused.json()["code"]) == (409, "commitment-refused")


def test_strict_dice_are_revealed(ada, bruno):
    nonces = [bytes([number]) * 32 for number in (1, 2)]
    commitments = [sha256(nonce).hexdigest() for nonce in nonces]
    seen = ada.post("commitment/").json()
    made = ada.make(
        title="dice-is-health",
        strict_dice=True,
        commitment_token=seen["token"],
        nonce_commitment=commitments[0],
    ).json()
    taken = bruno.post(f"{made['id']}/accept/", nonce_commitment=commitments[1]).json()
    assert taken["status"] == "revealing"
    for caller, nonce in zip((ada, bruno), nonces, strict=True):
        found = caller.post(f"{made['id']}/reveal/", nonce=nonce.hex())
        assert found.status_code == 200
    assert found.json()["status"] == "started"


def test_a_named_challenge_is_for_its_players(ada, bruno, clara, client):
    made = ada.make(audience="named", players=["bruno"]).json()
    assert [one["id"] for one in bruno.get(which="received").json()["items"]] == [made["id"]]
    assert [one["id"] for one in ada.get(which="made").json()["items"]] == [made["id"]]
    assert clara.get(which="received").json()["items"] == []
    assert client.get(ROOT, {"which": "received"}).status_code == 401
    for other in (clara, None):
        asked = (other.client if other else client).get(f"{ROOT}{made['id']}/")
        assert (asked.status_code, asked.json()["code"]) == (404, "no-such-challenge")
    refused = clara.post(f"{made['id']}/accept/")
    assert (refused.status_code, refused.json()["code"]) == (403, "not-invited")
    for _ in range(2):
        assert bruno.post(f"{made['id']}/decline/", reason="Busy").json()["status"] == "declined"
    assert ada.post(f"{made['id']}/decline/").status_code == 409


def test_a_challenge_by_link_shows_its_secret_to_its_creator_alone(ada, bruno, clara):
    made = ada.make(audience="link").json()
    assert made["link"]
    assert bruno.get(f"{made['id']}/").status_code == 404
    assert bruno.get(f"{made['id']}/", link=made["link"]).json()["link"] is None
    assert clara.post(f"{made['id']}/accept/").status_code == 403
    assert bruno.post(f"{made['id']}/accept/", link=made["link"]).json()["status"] == "started"


def test_a_challenge_is_withdrawn_by_its_creator_and_twice_is_harmless(ada, bruno):
    made = ada.make().json()
    assert bruno.post(f"{made['id']}/withdraw/").status_code == 409
    for _ in range(2):
        assert ada.post(f"{made['id']}/withdraw/").json()["status"] == "withdrawn"
    assert bruno.post(f"{made['id']}/accept/").json()["code"] == "challenge-closed"
    assert bruno.post(f"{made['id']}/withdraw/").status_code == 409


@pytest.mark.parametrize(
    ("fields", "status", "code"),
    [
        ({"title": "chess"}, 422, "unknown-title"),
        ({"params": {"size": 99}}, 422, "bad-params"),
        ({"params": []}, 400, "invalid"),
        ({"seats": 9}, 422, "bad-params"),
        ({"clock": {"start": 1, "increment": 0, "cap": 1}}, 400, "invalid"),
        ({"clock": {"start": 200_000, "increment": 0, "cap": 100_000}}, 400, "invalid"),
        ({"audience": "named", "players": ["nobody"]}, 400, "invalid"),
        ({"audience": "named", "players": ["ada"]}, 409, "refused"),
        ({"commitment_token": "x"}, 409, "commitment-refused"),
        ({"nonce": "zz"}, 400, "invalid"),
        ({"submission": None}, 400, "invalid"),
        ({"days": 0}, 400, "invalid"),
    ],
)
def test_a_wrong_challenge_is_refused_with_a_code(ada, fields, status, code):
    refused = ada.make(**fields)
    assert (refused.status_code, refused.json()["code"]) == (status, code)
    assert not Challenge.objects.exists()


def test_the_bots_of_the_site_are_listed_and_challenged_by_name(ada, client):
    bots = client.get("/api/v1/bots/").json()
    assert bots[0] == {"name": "bot-beginner", "level": "beginner"}
    assert {bot["level"] for bot in bots} == {"beginner", "casual", "strong", "expert"}
    assert not User.objects.filter(is_bot=True).exists(), "reading makes nobody"
    names = [bot["name"] for bot in bots if bot["level"] == "casual"][:2]
    made = ada.make(title="precary-ice", seats=3, audience="named", players=names).json()
    assert {one["name"] for one in made["invitations"]} == {"ada", *names}
    for invitation in Invitation.objects.filter(user__is_bot=True):
        answer_invitation(invitation.pk, now=timezone.now())
    match = Challenge.objects.get(pk=made["id"]).match
    assert sorted(player.user.username for player in match.players.all()) == ["ada", *names]
    assert User.objects.filter(is_bot=True).count() == 2


@pytest.mark.parametrize("name", ["bot-casual-1", "bot-casual-6", "bot-master", "bot-"])
def test_other_names_of_bots_are_nobodys(ada, name):
    refused = ada.make(audience="named", players=[name])
    assert refused.json()["errors"] == {"players": [f"There is no player called “{name}”."]}
    assert not User.objects.filter(is_bot=True).exists()


def test_a_game_for_two_says_so(ada):
    detail = ada.make(title="die", seats=3).json()["detail"]
    assert detail == "DIE is for 2 players, not 3."


def test_a_program_finds_what_it_has_to_reveal(ada, bruno, clara):
    """All of it on addresses of the API, as docs/dice.md says."""
    own = {caller: bytes([number]) * 32 for number, caller in enumerate((ada, bruno), 1)}
    sealed = {caller: sha256(nonce).hexdigest() for caller, nonce in own.items()}
    site = ada.post("commitment/").json()
    made = ada.make(
        title="grim-reaper",
        strict_dice=True,
        seating="first",
        commitment_token=site["token"],
        nonce_commitment=sealed[ada],
    ).json()
    (creator,) = made["invitations"]
    assert (creator["seat"], creator["nonce_commitment"]) == (None, None)
    assert ada.get(which="revealing").json()["items"] == []
    bruno.post(f"{made['id']}/accept/", nonce_commitment=sealed[bruno])
    for caller in (ada, bruno):
        (due,) = caller.get(which="revealing").json()["items"]
        assert (due["id"], due["status"]) == (made["id"], "revealing")
        assert due["commitment"] == site["commitment"]
        seats = {one["seat"]: one["nonce_commitment"] for one in due["invitations"]}
        assert seats == {0: sealed[ada], 1: sealed[bruno]}
    assert clara.get(which="revealing").json()["items"] == []
    ada.post(f"{made['id']}/reveal/", nonce=own[ada].hex())
    assert ada.get(which="revealing").json()["items"] == []
    ended = bruno.post(f"{made['id']}/reveal/", nonce=own[bruno].hex()).json()
    assert ended["status"] == "started"
    assert Client().get(ROOT, {"which": "revealing"}).status_code == 401


def test_lists_are_read_in_parts(ada, bruno, client, monkeypatch):
    defaults = {**paging.page_of.__kwdefaults__, "length": 2}
    monkeypatch.setattr(paging.page_of, "__kwdefaults__", defaults)
    made = [caller.make().json()["id"] for caller in (ada, bruno, ada, bruno, ada)]
    found, address = [], ROOT
    while address:
        part = client.get(address).json()
        found += [one["id"] for one in part["items"]]
        address = part["next"]
    assert found == made[::-1]
    assert part["previous"]
    assert client.get(ROOT, {"page": "nonsense"}).json()["previous"] is None
