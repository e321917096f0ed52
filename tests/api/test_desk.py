"""What moderators do by program: with a session that has shown a second factor, and no token."""

from uuid import UUID

import pytest
from django.test import Client

from accounts import tokens
from accounts.models import ApiToken
from games.events.models import OrganiserAct
from games.moderation.models import Case, ModeratorAction
from games.noticeboards import services as noticeboards
from games.noticeboards.boards import Board
from tests.clubs.clubs import club
from tests.events.test_tournaments_api import announced
from tests.fixtures import NOW
from tests.moderation import make_moderator
from tests.people import sign_in_staff

__all__ = ["club"]

pytestmark = pytest.mark.usefixtures("toy")

DESK = "/api/v1/desk/"


@pytest.fixture
def mod(people):
    return make_moderator(people[3])


@pytest.fixture
def desk(mod):
    client = Client()
    sign_in_staff(client, mod)
    return client


def post(client, address, **sent):
    return client.post(address, sent, content_type="application/json")


def opened(desk, name="ada"):
    made = post(desk, f"{DESK}cases/", player=name, kind="spam", reason="A test.")
    assert made.status_code == 201
    return f"{DESK}cases/{made.json()['id']}/acts/"


def test_a_moderator_acts_on_a_club_and_a_post(people, club, desk):
    how = {"user": people[0], "subject": "Test", "text": "Buy.", "submission": UUID(int=9)}
    one = noticeboards.begin(board=Board(club=club), now=NOW, **how)
    acts = opened(desk)
    assert opened(desk) == acts
    assert post(desk, acts, act="hide-post", post=one.pk, reason="Spam.").status_code == 204
    one.refresh_from_db()
    assert one.hidden
    assert post(desk, acts, act="close-club", club=club.pk, reason="Spam.").status_code == 204
    club.refresh_from_db()
    assert not club.is_open
    logged = list(ModeratorAction.objects.values_list("action", flat=True))
    assert logged[:2] == ["close-club", "hide-post"]


def test_an_act_takes_what_it_needs_and_nothing_else(club, desk):
    acts = opened(desk)
    assert post(desk, acts, act="close-club", reason="Spam.").status_code == 400
    assert post(desk, acts, act="clear-events", club=club.pk, reason="Spam.").status_code == 400
    assert post(desk, acts, act="ban", reason="Spam.").status_code == 400
    assert post(desk, acts, act="close-club", club=club.pk, reason=" ").status_code == 400
    assert post(desk, acts, act="clear-events", reason="Spam.").status_code == 409
    assert post(desk, f"{DESK}cases/999/acts/", act="clear-events", reason="A").status_code == 404


def test_neither_players_nor_tokens_nor_a_session_without_a_second_factor_moderate(people, mod):
    event = announced(people[0])
    secret = tokens.make(user=mod, name="test", scopes=list(ApiToken.Scope), now=NOW)
    bearer = Client(headers={"Authorization": f"Bearer {secret}"})
    player, plain = Client(), Client()
    player.force_login(people[1])
    plain.force_login(mod)
    sent = {"player": "ada", "kind": "spam", "reason": "A test."}
    cancel = {"kind": "cancel", "reason": "A test."}
    for client in (bearer, player, plain):
        assert post(client, f"{DESK}cases/", **sent).status_code == 403
        assert post(client, f"/api/v1/events/{event.pk}/acts/", **cancel).status_code == 403
    assert not Case.objects.exists()
    assert not OrganiserAct.objects.exists()


def test_a_moderator_acts_in_the_place_of_an_organiser_and_undoes(people, desk):
    event = announced(people[0])
    acts = f"/api/v1/events/{event.pk}/acts/"
    assert post(desk, acts, kind="link").status_code == 409
    assert post(desk, acts, kind="link", reason="They asked for it.").status_code == 200
    [row] = desk.get(acts).json()
    assert row["by_moderator"] is True
    organiser = Client()
    organiser.force_login(people[0])
    assert post(organiser, acts, kind="undo", act=row["id"], reason="A test.").status_code == 409
    assert post(desk, acts, kind="undo", act=row["id"], reason="A test.").status_code == 200
    event.refresh_from_db()
    assert event.link == ""
