"""The doors through which a match changes: who may not enter, and what a refusal leaves behind."""

from datetime import timedelta
from html import unescape
from unittest.mock import patch
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from games.lobby.models import Challenge
from games.match import services
from games.match.models import Move
from tests.duel import duel, fresh_cache

__all__ = ["duel", "fresh_cache"]

CHANGES = ("moves", "resign", "offer", "accept", "decline", "take-back", "cancel")
DOORS = (*CHANGES, "rematch")


def text(response):
    return unescape(response.content.decode())


def snapshot(duel):
    at = duel.table
    players = [(p.to_move, p.deadline, p.agrees_to_close, p.dropped) for p in at.players]
    return at.match.version, at.match.status, at.match.position, players


@pytest.fixture
def unchanged(duel):
    """Whatever happens, the match stays as it is."""
    before = snapshot(duel)
    yield
    assert snapshot(duel) == before


# --- Who may not enter --------------------------------------------------------------------------


@pytest.mark.parametrize("door", DOORS)
def test_doors_open_to_post_only(duel, unchanged, door):
    for method in ("get", "head", "put", "delete", "patch"):
        answer = getattr(duel.client(0), method)(f"{duel.page}{door}/")
        assert answer.status_code == 405


@pytest.mark.parametrize("door", DOORS)
def test_who_is_not_signed_in_signs_in_and_comes_to_the_page(duel, unchanged, door):
    answer = duel.client(None).post(f"{duel.page}{door}/", duel.form(word="c3"))
    assert answer.status_code == 302
    assert answer["Location"] == f"/account/login/?next={duel.page}"


@pytest.mark.parametrize("door", CHANGES)
def test_who_does_not_play_changes_nothing(duel, unchanged, door):
    answer = duel.client(2).post(f"{duel.page}{door}/", duel.form(word="c3"))
    assert answer.status_code == 403
    assert "clara does not play" in text(answer)


@pytest.mark.parametrize("door", DOORS)
def test_a_form_from_elsewhere_is_refused(duel, unchanged, door):
    client = duel.client(0, enforce_csrf_checks=True)
    answer = client.post(f"{duel.page}{door}/", duel.form(word="c3"))
    assert answer.status_code == 403


@pytest.mark.parametrize("door", DOORS)
def test_a_match_that_is_not_there(duel, door):
    for number in (duel.id + 1, 10**30):
        answer = duel.client(0).post(f"/matches/{number}/{door}/", duel.form(word="c3"))
        assert answer.status_code == 404


def test_the_other_player_waits_for_the_turn(duel, unchanged):
    answer = duel.client(1).post(f"{duel.page}moves/", duel.form(word="c3"))
    assert answer.status_code == 403
    assert "not your turn" in text(answer)
    assert "You had typed: <code>c3</code>" in text(answer)


# --- What is wrong with a form ------------------------------------------------------------------


@pytest.mark.parametrize("door", CHANGES)
@pytest.mark.parametrize(
    "wrong",
    [
        {"version": ""},
        {"version": "-1"},
        {"version": "one"},
        {"version": "9" * 5000},
        {"submission": ""},
        {"submission": "no-id"},
        {"submission": "\0"},
    ],
)
def test_a_form_that_is_not_whole_is_refused(duel, unchanged, door, wrong):
    answer = duel.client(0).post(f"{duel.page}{door}/", duel.form(word="c3", **wrong))
    assert answer.status_code == 422
    assert "did not arrive whole" in text(answer)


@pytest.mark.parametrize(
    ("word", "words"),
    [
        ("zz", "'zz' is no cell"),
        ("\0", "is no cell"),
        ("", "is no cell"),
        ("c" * 100_000, "not longer"),
    ],
)
def test_what_is_no_move_is_refused_and_kept(duel, unchanged, word, words):
    answer = duel.client(0).post(f"{duel.page}moves/", duel.form(typed=word))
    assert answer.status_code == 422
    assert words in text(answer)
    assert answer.context["page"].text == word


def test_a_move_that_the_rules_forbid_is_refused_with_the_rule(duel):
    duel.play("c3", "b2")
    before = snapshot(duel)
    answer = duel.client(0).post(f"{duel.page}moves/", duel.form(word="c3"))
    assert answer.status_code == 422
    assert answer.context["page"].error.code == "illegal"
    assert 'value="c3"' in text(answer)
    assert snapshot(duel) == before


def test_too_many_moves_are_refused(duel, unchanged):
    answer = duel.client(0).post(f"{duel.page}moves/", duel.form(move=["c3"] * 30, word="c3"))
    assert answer.status_code == 422


# --- Late, twice, at once -----------------------------------------------------------------------


def test_a_stale_form_says_so_and_keeps_what_was_typed(duel):
    stale = duel.form(word="e1")
    duel.play("c3", "a1")
    before = snapshot(duel)
    answer = duel.client(0).post(f"{duel.page}moves/", stale)
    assert answer.status_code == 409
    assert "The match has changed since" in text(answer)
    assert answer.context["page"].text == "e1"
    assert f'name="version" value="{duel.match.version}"' in text(answer)
    assert snapshot(duel) == before


def test_a_stale_form_of_a_move_that_is_legal_no_more(duel):
    stale = duel.form(word="c3")
    duel.play("c3", "a1")
    answer = duel.client(0).post(f"{duel.page}moves/", stale)
    assert answer.status_code == 409
    assert "The match has changed since" in text(answer)
    assert 'value="c3"' in text(answer)
    assert "Your turn" in text(answer)


def test_the_same_form_twice_plays_once(duel):
    form = duel.form(word="c3")
    client = duel.client(0)
    answers = [client.post(f"{duel.page}moves/", form) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [303, 303, 303]
    assert duel.match.version == 1


def test_a_move_after_the_deadline_ends_the_match(duel):
    late = timezone.now() + timedelta(days=4)
    with patch("games.web.match_views.timezone.now", return_value=late):
        answer = duel.client(0).post(f"{duel.page}moves/", duel.form(word="c3"))
    assert answer.status_code == 409
    assert "Your time ran out" in text(answer)
    assert duel.match.ending == "timeout"


def test_nothing_is_played_after_the_end(duel):
    duel.act(services.resign, 0)
    answer = duel.client(1).post(f"{duel.page}moves/", duel.form(word="c3"))
    assert answer.status_code == 409
    assert "has ended" in text(answer)


# --- What goes through --------------------------------------------------------------------------


def test_every_action_has_its_door(duel):
    ada, bruno = duel.client(0), duel.client(1)
    for client, door, kind in (
        (ada, "offer", Move.Kind.OFFER),
        (bruno, "decline", Move.Kind.DECLINE),
        (ada, "resign", Move.Kind.RESIGN),
    ):
        answer = client.post(f"{duel.page}{door}/", duel.form())
        assert (answer.status_code, answer["Location"]) == (303, duel.page)
        assert Move.objects.filter(match_id=duel.id).last().kind == kind


def test_a_draw_is_offered_and_accepted(duel):
    duel.client(1).post(f"{duel.page}offer/", duel.form())
    duel.client(0).post(f"{duel.page}accept/", duel.form())
    assert duel.match.ending == "closed"
    assert "Draw" in text(duel.client(None).get(duel.page))


def test_a_move_is_taken_back(duel):
    duel.client(0).post(f"{duel.page}moves/", duel.form(word="c3"))
    duel.client(0).post(f"{duel.page}take-back/", duel.form())
    assert duel.match.position["ply"] == 0
    page = text(duel.client(0).get(duel.page))
    assert "Your turn" in page
    assert "log-undone" in page


def test_a_match_is_cancelled_before_it_begins(duel):
    duel.client(1).post(f"{duel.page}cancel/", duel.form())
    assert duel.match.status == "cancelled"
    assert "Cancelled" in text(duel.client(None).get(duel.page))


def test_a_question_that_is_refused_is_asked_again(duel):
    stale = duel.form()
    duel.play("c3")
    answer = duel.client(0).post(f"{duel.page}resign/", stale)
    assert answer.status_code == 409
    assert "You lose the match" in text(answer)
    assert duel.match.is_running


def test_with_script_the_answer_is_the_fresh_part(duel):
    answer = duel.client(0).post(
        f"{duel.page}moves/", duel.form(word="c3"), headers={"HX-Request": "true"}
    )
    assert answer.status_code == 200
    assert "<html" not in text(answer)
    assert 'data-version="1"' in text(answer)


def test_with_script_a_refusal_is_the_part_with_the_reason(duel):
    answer = duel.client(0).post(
        f"{duel.page}moves/", duel.form(word="zz"), headers={"HX-Request": "true"}
    )
    assert answer.status_code == 422
    assert "<html" not in text(answer)
    assert "is no cell" in text(answer)


def test_a_rematch_is_asked_for_and_begins_when_the_other_asks_too(duel):
    duel.act(services.resign, 0)
    asked = duel.client(0).post(f"{duel.page}rematch/")
    challenge = Challenge.objects.get(rematch_of_id=duel.id)
    assert (asked.status_code, asked["Location"]) == (303, challenge.get_absolute_url())
    begun = duel.client(1).post(f"{duel.page}rematch/")
    challenge.refresh_from_db()
    assert begun["Location"] == f"/matches/{challenge.match_id}/"
    assert [p.user for p in challenge.match.players.all()] == [duel.people[1], duel.people[0]]


def test_no_rematch_of_a_running_match_or_by_others(duel):
    assert duel.client(0).post(f"{duel.page}rematch/").status_code == 409
    duel.act(services.resign, 0)
    assert duel.client(2).post(f"{duel.page}rematch/").status_code == 403
    assert not Challenge.objects.filter(rematch_of_id=duel.id).exists()


def test_a_form_of_the_page_carries_its_token(duel):
    client = Client(enforce_csrf_checks=True)
    client.force_login(duel.people[0])
    page = text(client.get(duel.page, {"word": "c3"}))
    token = page.split('name="csrfmiddlewaretoken" value="')[1].split('"')[0]
    form = {"word": "c3", "version": 0, "submission": uuid4(), "csrfmiddlewaretoken": token}
    assert client.post(f"{duel.page}moves/", form).status_code == 303
