"""The bot of the documentation, run as it stands there."""

import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from games.kernel import registry
from tests.api.test_declared_bots import program
from tests.contract.game_modules import short
from tests.deployment.programs import answers, eventually, free_port, run, running
from tests.samples import migrate_var

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
