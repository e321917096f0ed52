"""Accounts that are declared bots, and the bot of the documentation, run as it stands there."""

import os
import re
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from uuid import uuid4

import httpx
import pytest
from django.test import Client

from accounts.models import User
from games.bots import declaring
from games.kernel import registry
from games.matches.errors import Refused
from games.matches.models import Player
from tests.contract.game_modules import short
from tests.deployment.programs import ROOT, answers, eventually, free_port, run, running
from tests.match_driver import begin, fresh_cache, match_driver
from tests.samples import migrate_var

__all__ = ["fresh_cache", "match_driver"]

PAGE = "/account/bot/"

MAKE_BOTS = """
from django.utils import timezone
from accounts import tokens
from accounts.models import ApiToken, User
from games.bots import declaring
for name in ("robin", "rosa"):
    user = User.objects.create_user(name, f"{name}@example.org")
    declaring.declare(user=user)
    scopes = list(ApiToken.Scope)
    print(tokens.make(user=user, name="bot", scopes=scopes, now=timezone.now()))
"""


COUNTING = """
import httpx, sys
_send = httpx.Client.send
def _counted(self, request, **kwargs):
    answer = _send(self, request, **kwargs)
    with open(sys.argv[1], "a") as file:
        print(answer.status_code, request.method, request.url.path, file=file)
    return answer
httpx.Client.send = _counted
"""
"""Put before the example: notes every request that it sends, and how it was answered."""


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


@pytest.fixture
def site(tmp_path):
    """A site with two bots, and nobody else; yields its address and their tokens."""
    port = free_port()
    variables = {
        "DJANGO_SETTINGS_MODULE": "config.settings.local",
        "VAR": str(tmp_path / "var"),
        "PORT": str(port),
    }
    migrate_var(tmp_path / "var")
    made = run("manage.py", "shell", "-v0", "-c", MAKE_BOTS, **variables)
    keys = made.stdout.split()
    assert len(keys) == 2, made.stderr
    url = f"http://127.0.0.1:{port}"
    with running("manage.py", "serve", log=tmp_path / "log", **variables):
        eventually(lambda: answers(f"{url}/readyz"))
        yield url, keys


def start(stack, url, key, folder):
    file = Path(folder) / "bot.py"
    file.write_text(COUNTING + program())
    environment = {"PATH": os.environ["PATH"], "TURNSTONE_URL": url, "TURNSTONE_TOKEN": key}
    command = [sys.executable, file, Path(folder) / "requests"]
    process = subprocess.Popen(command, env=environment)
    stack.callback(process.wait)
    stack.callback(process.kill)
    return process


@pytest.mark.slow
def test_two_of_the_example_play_every_game_to_its_end(site, tmp_path):
    """They send hardly more than one request for each move, and are never asked to wait."""
    url, (robin, rosa) = site
    api = httpx.Client(
        base_url=f"{url}/api/v1/", headers={"Authorization": f"Bearer {robin}"}, timeout=30
    )
    with ExitStack() as stack:
        bots = [start(stack, url, key, tmp_path) for key in (robin, rosa)]
        for title in registry.titles():
            challenge = {"title": title, "params": short(title), "audience": "named"}
            sent = {**challenge, "players": ["rosa"], "submission": str(uuid4())}
            assert api.post("challenges/", json=sent).status_code == 201
        query = {"player": "robin", "status": "over"}

        def ended():
            found = api.get("matches/", params=query).json()["items"]
            return found if len(found) == len(registry.titles()) else None

        matches = eventually(ended, patience=240)
        assert [bot.poll() for bot in bots] == [None, None]
    assert {match["title"] for match in matches} == set(registry.titles())
    sent = (tmp_path / "requests").read_text().splitlines()
    assert not [line for line in sent if line.startswith("429")]
    for match in matches:
        moves = match["version"]
        assert sum(f"/matches/{match['id']}/" in line for line in sent) <= 1.5 * moves, match
    endings = {title: found.meta.endings for title, found in registry.titles().items()}
    assert all(match["ending"] in endings[match["title"]] for match in matches)
