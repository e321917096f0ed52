"""Accounts that are declared bots."""

import re

import pytest
from django.test import Client

from accounts.models import User
from games.bots import declaring
from games.matches.errors import Refused
from games.matches.models import Player
from tests.deployment.programs import ROOT
from tests.match_driver import begin, fresh_cache, match_driver

__all__ = ["fresh_cache", "match_driver"]

PAGE = "/account/bot/"


def program():
    """The example, out of its page."""
    (found,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs/bots.md").read_text(), re.DOTALL)
    return found


def browser(user):
    client = Client()
    client.force_login(user)
    return client


def test_an_account_is_declared_a_bot_before_its_first_match(people):
    client = browser(people[0])
    assert "Declare this account" in client.get(PAGE).content.decode()
    assert client.post(PAGE).status_code == 302
    assert client.post(PAGE).status_code == 302
    people[0].refresh_from_db()
    assert people[0].is_program
    assert not people[0].is_bot
    assert client.get("/api/v1/me/").json()["bot"] is True
    assert "Bot ·" in Client().get("/players/ada/").content.decode()
    assert Client().get(PAGE).status_code == 302


def test_nobody_who_has_played_becomes_a_bot(match_driver):
    client = browser(match_driver.people[0])
    assert "before its first match" in client.post(PAGE, follow=True).content.decode()
    assert "Declare this account" not in client.get(PAGE).content.decode()
    with pytest.raises(Refused):
        declaring.declare(user=match_driver.people[1])
    assert not User.objects.filter(is_program=True).exists()


def test_a_declared_bot_is_shown_as_one_has_a_clock_and_counts_apart(people):
    declaring.declare(user=people[0])
    people[0].refresh_from_db()
    driver = begin("die", people, size=3)
    page = Client().get(driver.page).content.decode()
    assert page.count('<span class="tag">bot</span>') == 1
    ada, bruno = Player.objects.order_by("seat")
    assert ada.deadline is not None
    assert (ada.is_bot, ada.with_bots, bruno.with_bots) == (False, False, True)


def test_the_example_has_sixty_lines():
    assert program().count("\n") <= 60
