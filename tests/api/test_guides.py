"""The programs of the guides, run as they stand there against a site that runs."""

import os
import re
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from uuid import uuid4

import httpx
import playwright
import pytest

from tests.contract.game_modules import short
from tests.deployment.programs import PATIENCE, ROOT, answers, eventually, free_port, run, running
from tests.samples import migrate_var
from tests.sampling import rest_thorough

# One site serves them all.
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("guides")]

GUIDES = ROOT / "games/api/guides"

MAKE_PLAYERS = """
from django.utils import timezone
from accounts import tokens
from accounts.models import ApiToken, User
for name in ("ada", "bruno"):
    user = User.objects.create_user(name, f"{name}@example.org")
    scopes = [ApiToken.Scope.READ, ApiToken.Scope.PLAY, ApiToken.Scope.CHALLENGE]
    print(tokens.make(user=user, name="guide", scopes=scopes, now=timezone.now()))
"""

FILES = {"python": "program.py", "javascript": "program.mjs"}
# The browser's driver brings a Node.js.
INTERPRETERS = {
    "python": sys.executable,
    "javascript": str(Path(playwright.__file__).parent / "driver" / "node"),
}
PAIRS = (("python", "javascript"), ("javascript", "python"))


class Site:
    """A site with the two players ada and bruno."""

    def __init__(self, url, keys):
        self.url, self.keys = url, keys

    def api(self, seat=None):
        """A client of the API, for a player or for a visitor."""
        headers = {} if seat is None else {"Authorization": f"Bearer {self.keys[seat]}"}
        return httpx.Client(base_url=f"{self.url}/api/v1/", headers=headers, timeout=30)

    def start_match(self):
        """Start a short match and return its id."""
        new = {"title": "die", "params": short("die"), "audience": "named", "players": ["bruno"]}
        made = self.api(0).post("challenges/", json={**new, "submission": str(uuid4())}).json()
        return self.api(1).post(f"challenges/{made['id']}/accept/", json={}).json()["match"]

    def change(self, seat, match_id, action, **fields):
        """Let a player change a match as it is now."""
        client = self.api(seat)
        version = client.get(f"matches/{match_id}/").json()["version"]
        sent = {"version": version, "submission": str(uuid4()), **fields}
        assert client.post(f"matches/{match_id}/{action}/", json=sent).status_code == 200

    def play_one_move(self, match_id):
        """Play the first legal move of the player who is to move."""
        for seat in (0, 1):
            client = self.api(seat)
            match = client.get(f"matches/{match_id}/").json()
            if match["seat"] in match["to_move"]:
                options = client.get(f"matches/{match_id}/options/").json()
                self.change(seat, match_id, "moves", moves=[options["next"][0]["text"]])
                return


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder, port = tmp_path_factory.mktemp("site"), free_port()
    variables = {
        "DJANGO_SETTINGS_MODULE": "config.settings.local",
        "VAR": str(folder / "var"),
        "PORT": str(port),
    }
    migrate_var(folder / "var")
    made = run("manage.py", "shell", "-v0", "-c", MAKE_PLAYERS, **variables)
    keys = made.stdout.split()
    assert len(keys) == 2, made.stderr
    url = f"http://127.0.0.1:{port}"
    with running("manage.py", "serve", log=folder / "log", **variables):
        eventually(lambda: answers(f"{url}/readyz"))
        yield Site(url, keys)


def program_of(guide, language):
    """The program of a guide, in a language."""
    text = (GUIDES / guide).read_text()
    (program,) = re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)
    return program


@pytest.fixture
def start(site, tmp_path):
    """Start a program of a guide, in a language, with arguments and a player's token."""
    with ExitStack() as stack:

        def started(guide, language, *arguments, seat=None, **variables):
            file = tmp_path / FILES[language]
            file.write_text(program_of(guide, language))
            token = "" if seat is None else site.keys[seat]
            variables |= {"TURNSTONE_URL": site.url, "TURNSTONE_TOKEN": token}
            process = subprocess.Popen(
                [INTERPRETERS[language], file, *map(str, arguments)],
                cwd=tmp_path,
                env={"PATH": os.environ["PATH"], **variables},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            stack.callback(process.wait)
            stack.callback(process.kill)
            return process

        yield started


def printed_by(process):
    """What a program prints until it has ended well."""
    printed, _ = process.communicate(timeout=5 * PATIENCE)
    assert process.returncode == 0, printed
    return printed


def match_of(printed):
    """The number of the match that a program has printed last."""
    return int(re.findall(r"[Mm]atch (\d+)", printed)[-1])


@pytest.mark.parametrize("pair", rest_thorough(PAIRS), ids="-".join)
def test_two_programs_challenge_and_play_each_other_to_the_end(pair, site, start):
    first, second = pair
    waiting = start("1-play.md", second, seat=1)
    playing = start("1-play.md", first, "bruno", seat=0, GAME="die")
    printed, other = printed_by(playing), printed_by(waiting)
    assert "Signed in as ada" in printed
    assert "Signed in as bruno" in other
    for text in (printed, other):
        assert "Refused" not in text
        assert " ended: " in text
    assert match_of(other) == match_of(printed)
    match = site.api().get(f"matches/{match_of(printed)}/").json()
    assert (match["title"], match["status"]) == ("die", "over")
    assert set(match["result"]) == {1, 2}


@pytest.mark.parametrize("language", FILES)
def test_a_program_follows_a_match_to_its_end_and_exports_records(language, site, start):
    match_id = site.start_match()
    site.play_one_move(match_id)
    watching = start("2-watch.md", language, match_id)
    first = watching.stdout.readline()
    site.play_one_move(match_id)
    site.change(0, match_id, "resign")
    printed = first + printed_by(watching)
    log = site.api().get(f"matches/{match_id}/log/").json()
    lines = [f"{entry['number']} {' '.join(entry['sentences'])}" for entry in log]
    assert len(lines) == 3
    assert printed.splitlines()[:3] == lines
    assert "ada rank 2" in printed
    assert "bruno rank 1" in printed
    count = len(site.api().get("players/ada/records/").text.splitlines())
    assert re.search(rf"Matches of (ada|bruno) so far: {count}\n", printed)


@pytest.mark.parametrize("pair", rest_thorough(PAIRS), ids="-".join)
def test_strict_dice_by_program_are_made_and_checked(pair, site, start):
    first, second = pair
    guide = "3-strict-dice.md"
    # The cards that are dealt at the start of this game are rolls.
    making = start(guide, first, "challenge", "bruno", seat=0, GAME="simple-life-or-death")
    number = int(making.stdout.readline().removeprefix("Challenge "))
    accepting = start(guide, second, "accept", number, seat=1)
    match_id = match_of(printed_by(making))
    assert match_of(printed_by(accepting)) == match_id
    site.change(0, match_id, "resign")
    record = site.api().get(f"matches/{match_id}/record/").json()
    assert record["dice"]["kind"] == "strict"
    for language in FILES:
        printed = printed_by(start(guide, language, "check", match_id, seat=0))
        (count,) = re.findall(r"^All (\d+) rolls are right$", printed, re.MULTILINE)
        assert int(count) > 0
