"""Starts the site's programs as processes, and visits the site as a browser would."""

import contextlib
import ctypes
import html
import json
import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import redis
import requests
from websockets.sync.client import connect

ROOT = Path(__file__).resolve().parents[2]
NAMES = Path(__file__).with_name("names")
PATIENCE = 60
"""Seconds in which something that is sure to happen does, on a slow machine."""

BIN = Path(sys.executable).parent

PASSWORD = "correct-horse-battery"
MAKE_PEOPLE = f"""
from accounts.models import User
from allauth.account.models import EmailAddress
for name in ("ada", "bruno"):
    user = User.objects.create_user(name, name + "@example.org", "{PASSWORD}")
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
"""
"""Makes two people with confirmed addresses, as a command of ``manage.py shell``."""


def forget_counts(redis_url):
    """Forget how often anybody has done anything: people of an earlier run have the same ids."""
    with redis.Redis.from_url(redis_url) as server:
        for key in server.scan_iter("turnstone:cache:*"):
            server.delete(key)


PORTS = range(20_000, 32_768)
"""Below those that outgoing connections get: one might take a free port before its server does."""


def free_port():
    """A port at which nobody listens, drawn so that tests beside each other get different ones."""
    while True:
        port = secrets.choice(PORTS)
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port


def eventually(look, patience=PATIENCE):
    """What the look finds, as soon as it finds something."""
    end = time.monotonic() + patience
    while not (found := look()):
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.1)
    return found


def run(*command, **variables):
    """Run one of the programs to its end."""
    return subprocess.run(
        _command(command),
        cwd=ROOT,
        env=_environment(variables),
        capture_output=True,
        text=True,
        check=False,
    )


LIBC = ctypes.CDLL(None)
PR_SET_PDEATHSIG = 1


def end_with_parent():
    """Have the system end this process when its parent ends, even by SIGKILL. Only Linux does."""
    if sys.platform == "linux":
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


@contextlib.contextmanager
def running(*command, log, **variables):
    """A program that runs until the block ends; `log` is where it writes."""
    with (
        log.open("wb") as output,
        subprocess.Popen(
            _command(command),
            cwd=ROOT,
            env=_environment(variables),
            stdout=output,
            stderr=subprocess.STDOUT,
            preexec_fn=end_with_parent,  # noqa: PLW1509 - it makes one call to the system
        ) as process,
    ):
        try:
            yield process
        finally:
            stop(process)


def stop(process):
    """End a program as Ctrl-C does; answer with its exit code."""
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
    try:
        return process.wait(PATIENCE)
    finally:
        process.kill()


def answered_names(folder):
    """Variables by which ``*.test`` is this machine, unless a file ``hanging`` is in the folder."""
    return {"PYTHONPATH": str(NAMES), "HANGING": str(folder / "hanging")}


def answers(url):
    """Whether somebody says yes at the address."""
    try:
        return requests.get(url, timeout=5).ok
    except requests.RequestException:
        return False


def _command(command):
    name, *arguments = map(str, command)
    return [sys.executable, name, *arguments] if name.endswith(".py") else [BIN / name, *arguments]


def _environment(variables):
    # Bots that play each other would change what tests count, and use a core.
    quiet = {"PYTHONUNBUFFERED": "1", "SITE_TOURNAMENTS": "no"}
    return {"PATH": os.environ["PATH"], **quiet, **variables}


class Visitor:
    """A browser without scripts at one of the site's processes."""

    def __init__(self, site, name="", password=""):
        self.site = site
        self.session = requests.Session()
        self.session.trust_env = False
        if name:
            self.post("/account/login/", login=name, password=password)

    def get(self, path):
        answer = self.session.get(self.site + path, timeout=PATIENCE)
        assert answer.ok, (answer.status_code, path)
        return answer

    def post(self, path, *, page=None, **fields):
        """Send a form that stands on a page, by default the one at the same path."""
        token = hidden(self.get(page or path).text, "csrfmiddlewaretoken")
        answer = self.session.post(
            self.site + path,
            data={"csrfmiddlewaretoken": token, **fields},
            headers={"Origin": self.site, "Referer": self.site + (page or path)},
            timeout=PATIENCE,
        )
        assert answer.ok, (answer.status_code, path, answer.text[-2000:])
        return answer

    def record(self, match):
        """All of a match, as the site gives it away."""
        return self.get(f"/matches/{match}/export.json").json()

    def watch(self, match):
        """The socket of a page that shows the match."""
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.session.cookies)
        return connect(
            f"{self.site.replace('http', 'ws', 1)}/ws/?match={match}",
            origin=self.site,
            additional_headers={"Cookie": cookies},
            # All is on this machine, whatever proxy the environment names.
            proxy=None,
        )


def start_match(host, guest, *, name):
    """The number of a match of DIE that the host begins and the guest, of that name, accepts."""
    challenge = host.post(
        "/games/die/challenge/",
        **{"param-size": 3, "audience": "named", "players": name, "seating": "first"},
        clock="standard",
        lifetime=14,
    )
    path = challenge.url.removeprefix(host.site)
    started = guest.post(f"{path}accept/", page=path)
    return int(re.fullmatch(r".*/matches/(\d+)/", started.url)[1])


def play(visitor, match):
    """Choose the first move on offer and confirm it; answer with the version that this makes."""
    first = visitor.get(f"/api/v1/matches/{match}/options/").json()["next"][0]["text"]
    asking = f"/matches/{match}/?word={first}"
    page = visitor.get(asking).text
    fields = {name: hidden(page, name) for name in ("version", "submission", "word")}
    assert fields["word"] == first
    visitor.post(f"/matches/{match}/moves/", page=asking, **fields)
    return int(fields["version"]) + 1


def heard(socket, **wanted):
    """The next message on a socket that says what is wanted, whatever else it says before."""
    end = time.monotonic() + PATIENCE
    while True:
        message = json.loads(socket.recv(timeout=max(0, end - time.monotonic())))
        if wanted.items() <= message.items():
            return message


def hidden(text, name):
    """The value of the first hidden field of that name."""
    field = re.search(rf'<input type="hidden" name="{name}" value="([^"]*)"', text)
    assert field, name
    return html.unescape(field[1])


LONGEST_STOP = 5.0
"""Seconds from the signal to the end of a server."""

RESTART = 1012
"""The code with which a server that stops closes its sockets."""


def stopped(process, *signals):
    """Send signals, half a second apart; answer with the exit code and the seconds it took."""
    began = time.monotonic()
    for number in signals:
        process.send_signal(number)
        with contextlib.suppress(Exception):
            process.wait(0.5)
    code = process.wait(PATIENCE)
    return code, time.monotonic() - began


def get_in_background(address):
    """Ask for a page; the list gets its status, or what went wrong."""
    found = []

    def ask():
        try:
            found.append(requests.get(address, timeout=30).status_code)
        except requests.RequestException as error:
            found.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    return thread, found
