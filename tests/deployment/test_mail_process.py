"""Moves by mail in the one process of `make run`: off unless asked for, killed at a bad time."""

import contextlib
import re
import signal
import smtplib
import sqlite3

import pytest

from tests.deployment.programs import answers, eventually, free_port, run, running
from tests.mails import AUTHSERV, DOMAIN, mail

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("one process")]

FIND = """
from django.utils import timezone
from games.matches.notify import reply_addresses
from games.matches.models import Player
player = Player.objects.filter(match__status="running", to_move=True, title="die",
    user__emailaddress__verified=True).select_related("match", "user").first()
address = reply_addresses.make(player, player.match.version, now=timezone.now())
moves = __import__("games.matches.selectors", fromlist=["x"]).snapshot(player.match_id)
move = next(iter(moves.title.moves(moves.state, player.seat)))
print("FOUND", address, player.user.email, player.match_id, move)
"""


@pytest.fixture
def variables(tmp_path, fill_var):
    return {
        "DJANGO_SETTINGS_MODULE": "config.settings.local",
        "VAR": str(fill_var(tmp_path / "var")),
        "PORT": str(free_port()),
    }


@pytest.fixture
def replies():
    return {
        "REPLY_DOMAIN": DOMAIN,
        "REPLY_AUTHSERV": AUTHSERV,
        "REPLY_RELAYS": "127.0.0.1",
        "REPLY_PORT": str(free_port()),
    }


@contextlib.contextmanager
def serving(tmp_path, variables):
    with running("manage.py", "serve", log=tmp_path / "log", **variables) as process:
        eventually(lambda: answers(f"http://127.0.0.1:{variables['PORT']}/readyz"))
        yield process


def entries(tmp_path, match):
    asked = "SELECT count(*) FROM match_move WHERE match_id = ? AND text <> ''"
    return one(tmp_path, asked, match)


def one(tmp_path, query, *values):
    path = tmp_path / "var" / "turnstone.sqlite3"
    with contextlib.closing(sqlite3.connect(path, timeout=20)) as database:
        return database.execute(query, values).fetchone()[0]


def begun(port, sender, to):
    """Return a connection that has sent all of a mail but its end."""
    smtp = smtplib.SMTP("127.0.0.1", port, timeout=20)
    smtp.ehlo()
    assert smtp.mail(sender)[0] == 250
    assert smtp.rcpt(to)[0] == 250
    smtp.putcmd("data")
    assert smtp.getreply()[0] == 354
    return smtp


def test_the_program_says_what_it_lacks(variables):
    done = run("manage.py", "receive_mail", **variables)
    assert done.returncode == 1
    assert "REPLY_DOMAIN is not set" in done.stderr


def test_killed_before_it_has_answered(tmp_path, variables, replies):
    """The relay was told nothing, and sends the mail again: one move, one answer."""
    everything, port = {**variables, **replies}, int(replies["REPLY_PORT"])
    with serving(tmp_path, everything) as process:
        said = run("manage.py", "shell", "-c", FIND, **everything)
        found = re.search(r"FOUND (\S+) (\S+) (\d+) (.+)", said.stdout)
        to, sender, match, move = found.groups()
        before = entries(tmp_path, match)
        content = mail(move, sender=sender)
        smtp = begun(port, sender, to)
        smtp.send(content + b".\r\n")
        eventually(lambda: entries(tmp_path, match) > before)
        process.send_signal(signal.SIGKILL)
        process.wait()
    mine = "SELECT count(*) FROM match_move WHERE match_id = ? AND text = ? AND number > ?"
    with serving(tmp_path, everything):
        for _ in range(2):
            again = begun(port, sender, to)
            again.send(content + b".\r\n")
            assert again.getreply()[0] == 250
        assert one(tmp_path, mine, match, move, before) == 1
        told = "SELECT count(*) FROM accounts_notice WHERE kind = 'move-answered'"
        assert one(tmp_path, told) == 1
    assert to.partition("@")[0] not in (tmp_path / "log").read_text()
