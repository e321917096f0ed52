"""The addresses that change a match: who may not use them, and what a refusal leaves as it was."""

from datetime import timedelta
from html import unescape
from unittest.mock import patch
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from games.lobby.models import Challenge
from games.matches import services
from games.matches.models import LogEntry
from tests.match_driver import fresh_cache, match_driver
from tests.sampling import rest_thorough

__all__ = ["fresh_cache", "match_driver"]

ASKED_FIRST = ("resign", "offer", "cancel", "pause", "offer-cancel", "offer-take-back")
CHANGES = (*ASKED_FIRST, "moves", "accept", "decline", "take-back", "end-pause", "give-time")
ACTIONS = (*CHANGES, "rematch")


def text(response):
    return unescape(response.content.decode())


def snapshot(match_driver):
    at = match_driver.snapshot
    players = [(p.to_move, p.deadline, p.agrees_to_close, p.dropped) for p in at.players]
    return at.match.version, at.match.status, at.match.position, players


@pytest.fixture
def unchanged(match_driver):
    """Whatever happens, the match stays as it is."""
    before = snapshot(match_driver)
    yield
    assert snapshot(match_driver) == before


# --- Who may not enter --------------------------------------------------------------------------


@pytest.mark.parametrize("action", ACTIONS)
def test_changes_are_posted_only(match_driver, unchanged, action):
    for method in ("get", "head", "put", "delete", "patch"):
        answer = getattr(match_driver.client(0), method)(f"{match_driver.page}{action}/")
        is_asked = action in ASKED_FIRST and method in {"get", "head"}
        assert answer.status_code == (302 if is_asked else 405)


@pytest.mark.parametrize("action", ACTIONS)
def test_who_is_not_signed_in_signs_in_and_comes_to_the_page(match_driver, unchanged, action):
    answer = match_driver.client(None).post(
        f"{match_driver.page}{action}/", match_driver.form(word="c3")
    )
    assert answer.status_code == 302
    assert answer["Location"] == f"/account/login/?next={match_driver.page}"


@pytest.mark.parametrize("action", CHANGES)
def test_who_does_not_play_changes_nothing(match_driver, unchanged, action):
    answer = match_driver.client(2).post(
        f"{match_driver.page}{action}/", match_driver.form(word="c3")
    )
    assert answer.status_code == 403
    assert "You don’t play in match" in text(answer)


@pytest.mark.parametrize("action", ACTIONS)
def test_a_form_from_elsewhere_is_refused(match_driver, unchanged, action):
    client = match_driver.client(0, enforce_csrf_checks=True)
    answer = client.post(f"{match_driver.page}{action}/", match_driver.form(word="c3"))
    assert answer.status_code == 403


@pytest.mark.parametrize("action", ACTIONS)
def test_a_match_that_is_not_there(match_driver, action):
    for number in (match_driver.id + 1, 10**30):
        answer = match_driver.client(0).post(
            f"/matches/{number}/{action}/", match_driver.form(word="c3")
        )
        assert answer.status_code == 404


def test_the_other_player_waits_for_the_turn(match_driver, unchanged):
    answer = match_driver.client(1).post(f"{match_driver.page}moves/", match_driver.form(word="c3"))
    assert answer.status_code == 403
    assert "not your turn" in text(answer)
    assert "You had typed: <code>c3</code>" in text(answer)


# --- What is wrong with a form ------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("action", CHANGES)
@pytest.mark.parametrize(
    "wrong",
    rest_thorough(
        [
            {"version": "9" * 5000},
            {"submission": "\0"},
            {"version": ""},
            {"version": "-1"},
            {"version": "one"},
            {"submission": ""},
            {"submission": "no-id"},
        ],
        often=2,
    ),
)
def test_a_form_that_is_not_whole_is_refused(match_driver, unchanged, action, wrong):
    answer = match_driver.client(0).post(
        f"{match_driver.page}{action}/", match_driver.form(word="c3", **wrong)
    )
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
def test_what_is_no_move_is_refused_and_kept(match_driver, unchanged, word, words):
    answer = match_driver.client(0).post(
        f"{match_driver.page}moves/", match_driver.form(typed=word)
    )
    assert answer.status_code == 422
    assert words in text(answer)
    assert answer.context["page"].entered.text == word


def test_a_move_that_the_rules_forbid_is_refused_with_the_rule(match_driver):
    match_driver.play("c3", "b2")
    before = snapshot(match_driver)
    answer = match_driver.client(0).post(f"{match_driver.page}moves/", match_driver.form(word="c3"))
    assert answer.status_code == 422
    assert answer.context["page"].entered.error.code == "illegal"
    assert 'value="c3"' in text(answer)
    assert snapshot(match_driver) == before


def test_too_many_moves_are_refused(match_driver, unchanged):
    answer = match_driver.client(0).post(
        f"{match_driver.page}moves/", match_driver.form(move=["c3"] * 30, word="c3")
    )
    assert answer.status_code == 422


# --- Late, twice, at once -----------------------------------------------------------------------


def test_a_stale_form_says_so_and_keeps_what_was_typed(match_driver):
    stale = match_driver.form(word="e1")
    match_driver.play("c3", "a1")
    before = snapshot(match_driver)
    answer = match_driver.client(0).post(f"{match_driver.page}moves/", stale)
    assert answer.status_code == 409
    assert "The match has changed since" in text(answer)
    assert answer.context["page"].entered.text == "e1"
    assert f'name="version" value="{match_driver.match.version}"' in text(answer)
    assert snapshot(match_driver) == before


def test_a_stale_form_of_a_move_that_is_legal_no_more(match_driver):
    stale = match_driver.form(word="c3")
    match_driver.play("c3", "a1")
    answer = match_driver.client(0).post(f"{match_driver.page}moves/", stale)
    assert answer.status_code == 409
    assert "The match has changed since" in text(answer)
    assert 'value="c3"' in text(answer)
    assert "Your turn" in text(answer)


def test_the_same_form_twice_plays_once(match_driver):
    form = match_driver.form(word="c3")
    client = match_driver.client(0)
    answers = [client.post(f"{match_driver.page}moves/", form) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [303, 303, 303]
    assert match_driver.match.version == 1


def test_a_move_after_the_deadline_ends_the_match(match_driver):
    late = timezone.now() + timedelta(days=4)
    with patch("games.web.match.views.timezone.now", return_value=late):
        answer = match_driver.client(0).post(
            f"{match_driver.page}moves/", match_driver.form(word="c3")
        )
    assert answer.status_code == 409
    assert "Your time ran out" in text(answer)
    assert match_driver.match.ending == "timeout"


def test_nothing_is_played_after_the_end(match_driver):
    match_driver.act(services.resign, 0)
    answer = match_driver.client(1).post(f"{match_driver.page}moves/", match_driver.form(word="c3"))
    assert answer.status_code == 409
    assert "has ended" in text(answer)


# --- What goes through --------------------------------------------------------------------------


def test_every_action_has_its_address(match_driver):
    ada, bruno = match_driver.client(0), match_driver.client(1)
    for client, action, kind in (
        (ada, "offer", LogEntry.Kind.OFFER),
        (bruno, "decline", LogEntry.Kind.DECLINE),
        (ada, "resign", LogEntry.Kind.RESIGN),
    ):
        answer = client.post(f"{match_driver.page}{action}/", match_driver.form())
        assert (answer.status_code, answer["Location"]) == (303, match_driver.page)
        assert LogEntry.objects.filter(match_id=match_driver.id).last().kind == kind


def test_a_draw_is_offered_and_accepted(match_driver):
    match_driver.client(1).post(f"{match_driver.page}offer/", match_driver.form())
    match_driver.client(0).post(f"{match_driver.page}accept/", match_driver.form())
    assert match_driver.match.ending == "closed"
    assert "Draw" in text(match_driver.client(None).get(match_driver.page))


def test_a_move_is_taken_back(match_driver):
    match_driver.client(0).post(f"{match_driver.page}moves/", match_driver.form(word="c3"))
    match_driver.client(0).post(f"{match_driver.page}take-back/", match_driver.form())
    assert match_driver.match.position["ply"] == 0
    page = text(match_driver.client(0).get(match_driver.page))
    assert "Your turn" in page
    assert "log-undone" in page


def test_a_match_is_cancelled_before_it_begins(match_driver):
    match_driver.client(1).post(f"{match_driver.page}cancel/", match_driver.form())
    assert match_driver.match.status == "cancelled"
    assert "Cancelled" in text(match_driver.client(None).get(match_driver.page))


def test_a_question_that_is_refused_is_asked_again(match_driver):
    stale = match_driver.form()
    match_driver.play("c3")
    answer = match_driver.client(0).post(f"{match_driver.page}resign/", stale)
    assert answer.status_code == 409
    assert "You lose the match" in text(answer)
    assert match_driver.match.is_running


def test_with_script_the_answer_is_the_fresh_part(match_driver):
    answer = match_driver.client(0).post(
        f"{match_driver.page}moves/?part=live", match_driver.form(word="c3")
    )
    assert answer.status_code == 200
    assert "<html" not in text(answer)
    assert 'data-version="1"' in text(answer)


def test_a_script_of_the_release_before_is_led_to_the_whole_page(match_driver):
    """It asked by a header, and takes its regions out of whatever page it is led to."""
    answer = match_driver.client(0).post(
        f"{match_driver.page}moves/",
        match_driver.form(word="c3"),
        headers={"HX-Request": "true"},
        follow=True,
    )
    assert answer.redirect_chain == [(match_driver.page, 303)]
    assert 'id="match-entry" data-region' in text(answer)
    assert 'data-version="1"' in text(answer)


def test_with_script_a_refusal_is_the_part_with_the_reason(match_driver):
    answer = match_driver.client(0).post(
        f"{match_driver.page}moves/?part=live", match_driver.form(word="zz")
    )
    assert answer.status_code == 422
    assert "<html" not in text(answer)
    assert "is no cell" in text(answer)


def test_a_rematch_is_asked_for_and_begins_when_the_other_asks_too(match_driver):
    match_driver.act(services.resign, 0)
    asked = match_driver.client(0).post(f"{match_driver.page}rematch/")
    challenge = Challenge.objects.get(rematch_of_id=match_driver.id)
    assert (asked.status_code, asked["Location"]) == (303, match_driver.page)
    begun = match_driver.client(1).post(f"{match_driver.page}rematch/")
    challenge.refresh_from_db()
    assert begun["Location"] == f"/matches/{challenge.match_id}/"
    assert [p.user for p in challenge.match.players.all()] == [
        match_driver.people[1],
        match_driver.people[0],
    ]


def test_a_rematch_is_declined_or_withdrawn_from_the_page_of_the_match(match_driver):
    match_driver.act(services.resign, 0)
    path, decline = f"{match_driver.page}rematch/", {"decline": "1"}
    for seat, status, said in (
        (1, "declined", ("bruno declined the rematch.", "You declined the rematch.")),
        (0, "withdrawn", ("", "")),
    ):
        match_driver.client(0).post(path)
        answer = match_driver.client(seat).post(path, decline)
        assert (answer.status_code, answer["Location"]) == (303, match_driver.page)
        assert Challenge.objects.filter(rematch_of_id=match_driver.id).latest("pk").status == status
        for reader in (0, 1):
            page = text(match_driver.client(reader).get(match_driver.page))
            assert said[reader] in page
            assert ">Rematch</button>" in page
    assert match_driver.client(2).post(path, decline)["Location"] == match_driver.page
    match_driver.client(0).post(path)
    assert match_driver.client(2).post(path, decline).status_code == 403
    assert Challenge.objects.filter(rematch_of_id=match_driver.id).latest("pk").status == "open"


def test_a_page_that_was_there_before_leads_to_the_rematch_that_has_begun(match_driver):
    match_driver.act(services.resign, 0)
    for seat in (0, 1):
        begun = match_driver.client(seat).post(f"{match_driver.page}rematch/")
    for seat in (0, 1):
        again = match_driver.client(seat).post(f"{match_driver.page}rematch/")
        assert again["Location"] == begun["Location"]
    assert Challenge.objects.get().match_id


def test_no_rematch_of_a_running_match_or_by_others(match_driver):
    assert match_driver.client(0).post(f"{match_driver.page}rematch/").status_code == 409
    match_driver.act(services.resign, 0)
    assert match_driver.client(2).post(f"{match_driver.page}rematch/").status_code == 403
    assert not Challenge.objects.filter(rematch_of_id=match_driver.id).exists()


def test_a_form_of_the_page_carries_its_token(match_driver):
    client = Client(enforce_csrf_checks=True)
    client.force_login(match_driver.people[0])
    page = text(client.get(match_driver.page, {"word": "c3"}))
    token = page.split('name="csrfmiddlewaretoken" value="')[1].split('"')[0]
    form = {"word": "c3", "version": 0, "submission": uuid4(), "csrfmiddlewaretoken": token}
    assert client.post(f"{match_driver.page}moves/", form).status_code == 303
