"""The programs of the guides go on when the site is too busy for a moment."""

import json
import os
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import pytest

from tests.api.test_declared_bots import program
from tests.api.test_guides import FILES, INTERPRETERS, program_of
from tests.deployment.programs import PATIENCE, eventually

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("guides")]

MATCH = {"id": 7, "version": 3, "ending": "by moves", "result": [1, 2], "status": "over"}
MATCH |= {"players": [{"name": "ada", "rank": 1}, {"name": "bruno", "rank": 2}]}
TURN = {"type": "turn", "match": MATCH, "moves": ["c3"], "random_move": "c3"}
ENDED = {"type": "ended", "match": MATCH}
CHALLENGE = {"commitment": "0" * 64, "status": "started", "match": 9}

ANSWERS = {
    "me/": [{"name": "ada"}],
    "games/": [[{"slug": "die"}]],
    "stream/": [TURN, ENDED],
    "matches/7/moves/": [{"version": 4, "repeated": False}],
    "matches/7/stream/": [{"type": "match", "match": MATCH, "log": []}],
    "players/ada/records/": [{"match": 7}],
    "challenges/7/": [CHALLENGE],
    "challenges/7/accept/": [{}],
}
"""What the site answers at each address: one JSON object a line."""

ONCE_BUSY = set(ANSWERS) - {"me/", "games/"}
"""Addresses that are too busy when they are asked for the first time."""


@pytest.fixture
def site():
    """A site that is too busy at first; ``asked`` lists what it answered."""
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            path = self.path.removeprefix("/api/v1/").partition("?")[0]
            is_busy = path in ONCE_BUSY and (path, 503) not in asked
            asked.append((path, 503 if is_busy else 200))
            lines = [{"status": 503, "code": "unavailable", "detail": ""}]
            body = "\n".join(map(json.dumps, lines if is_busy else ANSWERS[path])).encode() + b"\n"
            self.send_response(503 if is_busy else 200)
            if is_busy:
                self.send_header("Retry-After", "0")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self):
            self.do_GET()

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield SimpleNamespace(url=f"http://127.0.0.1:{server.server_port}", asked=asked)
        server.shutdown()


def start(site, folder, text, language, *arguments):
    file = folder / FILES[language]
    file.write_text(text)
    return subprocess.Popen(
        [INTERPRETERS[language], file, *arguments],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "TURNSTONE_URL": site.url, "TURNSTONE_TOKEN": "t"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


@pytest.mark.parametrize("language", FILES)
@pytest.mark.parametrize(
    ("started", "printed"),
    [
        (("1-play.md",), "Match 7 ended: by moves"),
        (("2-watch.md", "7"), "Matches of ada so far: 1"),
        (("3-strict-dice.md", "accept", "7"), "Challenge started match 9"),
    ],
)
def test_the_programs_of_guides(started, printed, language, site, tmp_path):
    guide, *arguments = started
    process = start(site, tmp_path, program_of(guide, language), language, *arguments)
    said, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, said
    assert printed in said
    assert 503 in {status for _, status in site.asked}


def test_the_bot_of_the_documentation(site, tmp_path):
    process = start(site, tmp_path, program(), "python")
    try:
        eventually(lambda: site.asked.count(("matches/7/moves/", 200)) >= 1)
        assert process.poll() is None
        assert ("stream/", 503) in site.asked
        assert ("matches/7/moves/", 503) in site.asked
    finally:
        process.kill()
        process.communicate()
