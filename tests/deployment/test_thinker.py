"""The process that thinks: it crashes, hangs and is killed, and is asked again."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from games.bots import thinker as thinker_module
from games.bots.questions import Answer, Question
from games.bots.search import think
from games.bots.thinker import COMMAND, ROOT, Thinker, ThinkerFailed
from games.kernel import registry
from games.kernel.contract import Observation, Seat
from games.kernel.dice import no_dice
from games.kernel.params import complete


@pytest.fixture
def question():
    title = next(t for t in registry.titles().values() if not t.meta.has_chance)
    params = dict(complete(title.meta, {}))
    state = title.setup(2, params, no_dice())
    view = title.view(state, Seat(0)).dump()
    slug, version = title.meta.slug, title.meta.rules_version
    return Question(Observation(slug, version, params, 2, Seat(0), view), 0, "seed")


@pytest.fixture
def started():
    found = []

    def start(*command):
        found.append(Thinker((sys.executable, *command)) if command else Thinker())
        return found[-1]

    yield start
    for thinker in found:
        thinker.stop()


def test_it_answers_as_the_search_does_with_a_low_priority(started, question):
    thinker = started()
    assert thinker.ask(question) == think(question)
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert os.getpriority(os.PRIO_PROCESS, thinker.pid) == min(own + 15, 19)
    first = thinker.pid
    assert thinker.ask(question) == think(question)
    assert thinker.pid == first


def test_a_killed_one_is_started_again(started, question):
    thinker = started()
    thinker.ask(question)
    os.kill(thinker.pid, signal.SIGKILL)
    os.waitid(os.P_PID, thinker.pid, os.WEXITED | os.WNOWAIT)
    assert thinker.ask(question) == think(question)


@pytest.mark.parametrize("program", ["raise SystemExit", "print('no JSON'); input()"])
def test_one_that_crashes_or_talks_nonsense_has_failed(started, question, program):
    with pytest.raises(ThinkerFailed):
        started("-c", program).ask(question)


def test_one_that_cannot_think_says_what_kind_of_error_it_met(started, question, capfd):
    unknown = msgspec.structs.replace(question.seen, title="no-such-game")
    with pytest.raises(ThinkerFailed, match=r"^A bot cannot think: UnknownTitle$"):
        started().ask(msgspec.structs.replace(question, seen=unknown))
    assert capfd.readouterr().err == ""


def test_one_whose_worker_is_gone_ends_without_a_word(question):
    """Its output would be between the lines of the log."""
    with subprocess.Popen(
        COMMAND, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdout.close()
        process.stdin.write(question.dump() + b"\n")
        process.stdin.flush()
        assert process.stderr.read() == b""


def test_one_that_hangs_is_ended(started, question):
    thinker = started("-c", "import time; time.sleep(60)")
    with pytest.raises(ThinkerFailed, match="not answered"):
        thinker.ask(question, patience=0.2)
    assert thinker.pid is None


def test_one_that_works_for_long_gives_signs_of_life(started, question, monkeypatch, tmp_path):
    """It answers once it has given one."""
    monkeypatch.setattr(thinker_module, "BEAT", 0.01)
    sign, waits = tmp_path / "sign", []
    program = (
        "import pathlib, time\n"
        "input()\n"
        f"while not pathlib.Path({str(sign)!r}).exists(): time.sleep(0.01)\n"
        """print('{"move": "x", "value": 0.5}')"""
    )

    def beat(waited):
        waits.append(waited)
        sign.touch()

    assert started("-c", program).ask(question, beat=beat) == Answer("x", 0.5)
    assert all(waited > 0 for waited in waits)


def test_one_whose_caller_gives_up_answers_nobody_else(started, question, monkeypatch):
    monkeypatch.setattr(thinker_module, "BEAT", 0.01)

    def beat(waited):
        raise SystemExit

    thinker = started("-c", "import time; time.sleep(60)")
    with pytest.raises(SystemExit):
        thinker.ask(question, beat=beat)
    assert thinker.pid is None


def test_it_is_told_no_secret_of_the_site(started, question, monkeypatch):
    monkeypatch.setenv("SECRET_KEY", "not for bots")
    thinker = started()
    thinker.ask(question)
    assert b"not for bots" not in Path(f"/proc/{thinker.pid}/environ").read_bytes()
