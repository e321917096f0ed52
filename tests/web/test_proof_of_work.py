"""Joining with a proof of work, and more slowly without one."""

from datetime import timedelta

import pytest
from django.core import signing
from django.test import Client
from django.utils import timezone

from accounts import proof_of_work
from accounts.models import User
from accounts.proof_of_work import Puzzle
from tests.people import PASSWORD, confirmed
from tests.proof_of_work import solved, token_of

pytestmark = pytest.mark.django_db
SIGNUP = "/account/signup/"
WAIT = 20


@pytest.fixture(autouse=True)
def _little_work(settings):
    settings.SIGNUP_WORK, settings.SIGNUP_WAIT = 4, WAIT


@pytest.fixture
def now(monkeypatch):
    """A clock that stands still."""
    moment = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: moment)
    return moment


def asked(name="Alice", **changes):
    return {"username": name, "email": f"{name}@example.org", "password1": PASSWORD, **changes}


def page_of(client):
    return client.get(SIGNUP).content.decode()


def opened(*, seconds_ago):
    """The puzzle of a page that was opened some seconds ago, without a solution."""
    then = timezone.now() - timedelta(seconds=seconds_ago)
    return {"puzzle": proof_of_work.make(now=then).token, "solution": ""}


def refusal(answer):
    assert answer.status_code == 200
    return " ".join(answer.context["form"].non_field_errors())


def test_a_browser_that_has_done_the_work_joins_at_once(client):
    assert client.post(SIGNUP, asked(**solved(page_of(client)))).status_code == 302
    assert User.objects.get().username == "Alice"


@pytest.mark.parametrize("solution", ["", "-1", "4", "x" * 10_000, "0\x00", "٣"])
def test_without_a_solution_one_has_to_wait(client, now, solution):
    page = page_of(client)
    assert "you can join once this page has been open for 20 seconds" in page
    answer = client.post(SIGNUP, asked(puzzle=token_of(page), solution=solution))
    assert "press Join again in 20 seconds" in refusal(answer)
    assert token_of(answer.content.decode()) == token_of(page), "the wait goes on"
    assert not User.objects.exists()


def test_without_a_solution_one_joins_after_a_while(client, now):
    early = opened(seconds_ago=WAIT - 1)
    assert "again in 1 second." in refusal(client.post(SIGNUP, asked(**early)))
    late = opened(seconds_ago=WAIT)
    assert client.post(SIGNUP, asked(**late)).status_code == 302
    assert User.objects.get().username == "Alice"


def test_a_program_that_posts_without_the_page_is_refused(client):
    for fields in ({}, {"puzzle": "x"}, {"puzzle": signing.dumps(["x", "y", 0])}):
        assert "Please press Join again." in refusal(client.post(SIGNUP, asked(**fields)))
    assert not User.objects.exists()


def test_a_page_that_was_open_for_days_gets_a_new_puzzle(client):
    old = opened(seconds_ago=proof_of_work.PUZZLE_LIFETIME.total_seconds() + 1)
    answer = client.post(SIGNUP, asked(**old))
    assert "This page has expired" in refusal(answer)
    page = answer.content.decode()
    assert token_of(page) != old["puzzle"]
    assert client.post(SIGNUP, asked(**solved(page))).status_code == 302


@pytest.mark.parametrize("is_solved", [True, False])
def test_one_page_makes_one_account(is_solved):
    fields = solved(page_of(Client())) if is_solved else opened(seconds_ago=WAIT + 1)
    assert Client().post(SIGNUP, asked("Alice", **fields)).status_code == 302
    answer = Client().post(SIGNUP, asked("Bert", **fields))
    assert "was already used" in refusal(answer)
    assert token_of(answer.content.decode()) != fields["puzzle"]
    assert User.objects.count() == 1


def test_correcting_a_field_takes_no_more_work(client):
    confirmed("Alice")
    fields = solved(page_of(client))
    answer = client.post(SIGNUP, asked("Alice", **fields))
    assert "username" in answer.context["form"].errors
    assert token_of(answer.content.decode()) == fields["puzzle"]
    assert client.post(SIGNUP, asked("Bert", **fields)).status_code == 302


def test_whoever_loses_a_race_for_a_name_gets_a_new_puzzle(client, monkeypatch):
    """The name is taken after it was checked, so the puzzle is used."""
    spend = Puzzle.spend

    def too_late(puzzle):
        monkeypatch.setattr(Puzzle, "spend", spend)
        confirmed("Alice")
        return spend(puzzle)

    monkeypatch.setattr(Puzzle, "spend", too_late)
    fields = solved(page_of(client))
    answer = client.post(SIGNUP, asked("Alice", email="other@example.org", **fields))
    assert list(answer.context["form"].errors) == ["username"]
    page = answer.content.decode()
    assert token_of(page) != fields["puzzle"]
    again = asked("Bert", **solved(page))
    assert client.post(SIGNUP, again).status_code == 302


def join_slowly(name, address):
    fields = asked(name, **opened(seconds_ago=WAIT + 1))
    return Client().post(SIGNUP, fields, REMOTE_ADDR=address)


def test_an_address_joins_without_work_only_so_often(settings):
    limits = {"account": ["2/h"], "site": ["100/h"]}
    settings.FORM_LIMITS = {**settings.FORM_LIMITS, "join-without-work": limits}
    codes = [join_slowly(f"Player{number}", "192.0.2.1").status_code for number in range(3)]
    assert codes == [302, 302, 429]
    with_work = asked("Worker", **solved(page_of(Client())))
    assert Client().post(SIGNUP, with_work, REMOTE_ADDR="192.0.2.1").status_code == 302
    assert join_slowly("Other", "192.0.2.2").status_code == 302


def test_all_addresses_together_join_without_work_only_so_often(settings):
    limits = {"account": ["100/h"], "site": ["2/h"]}
    settings.FORM_LIMITS = {**settings.FORM_LIMITS, "join-without-work": limits}
    codes = [join_slowly(f"Player{n}", f"192.0.2.{n}").status_code for n in range(1, 4)]
    assert codes == [302, 302, 429]
    assert User.objects.count() == 2


def test_a_site_may_ask_for_no_work(client, settings):
    settings.SIGNUP_WORK = 0
    assert 'name="puzzle"' not in page_of(client)
    assert client.post(SIGNUP, asked()).status_code == 302
