"""`make run` stops within five seconds, whatever it is doing."""

import contextlib
import signal
import socket
import sqlite3
import threading
import time

import pytest
import requests
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from config.server.signals import LAST_WORDS, STOP_TIMEOUT
from tests.deployment.programs import (
    LONGEST_STOP,
    RESTART,
    Visitor,
    answers,
    eventually,
    free_port,
    get_in_background,
    heard,
    running,
    stopped,
)
from tests.sampling import rest_thorough

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("one process")]


@pytest.fixture(scope="module")
def var(tmp_path_factory, fill_var):
    return fill_var(tmp_path_factory.mktemp("stop") / "var")


@pytest.fixture
def port():
    return free_port()


@pytest.fixture
def process(var, port):
    variables = {
        "DJANGO_SETTINGS_MODULE": "config.settings.local",
        "VAR": str(var),
        "PORT": str(port),
    }
    log = var.parent / "log"
    with running("manage.py", "serve", log=log, **variables) as process:
        eventually(lambda: answers(f"http://127.0.0.1:{port}/healthz"))
        yield process


@pytest.fixture
def site(process, port):
    return f"http://127.0.0.1:{port}"


@pytest.mark.parametrize("number", rest_thorough([signal.SIGINT, signal.SIGTERM]))
def test_while_pages_load(site, process, var, number):
    asked = [get_in_background(f"{site}/players/sample-ada/") for _ in range(8)]
    time.sleep(0.05)
    code, seconds = stopped(process, number)
    assert code == 0
    assert seconds < LONGEST_STOP
    for thread, _ in asked:
        thread.join()
    said = (var.parent / "log").read_text()
    assert says_that_it_ended(said)
    assert "Traceback" not in said


def test_while_the_database_is_locked(site, process, var):
    visitor = Visitor(site, "sample-ada", "turnstone-sample")
    with contextlib.closing(sqlite3.connect(var / "turnstone.sqlite3")) as database:
        database.execute("BEGIN IMMEDIATE")
        with contextlib.suppress(requests.Timeout):
            visitor.session.post(
                f"{site}/account/login/", data={"login": "x", "password": "y"}, timeout=0.5
            )
        asked = threading.Thread(target=sign_in, args=[site])
        asked.start()
        time.sleep(1)
        code, seconds = stopped(process, signal.SIGINT)
        database.rollback()
    asked.join()
    assert code == 0
    assert seconds < LONGEST_STOP
    assert says_that_it_ended((var.parent / "log").read_text())


def says_that_it_ended(log):
    """Whether somebody who pressed Ctrl-C reads so, even where the machine had no time left."""
    return "Turnstone has stopped." in log or LAST_WORDS.decode() in log


def sign_in(site):
    with contextlib.suppress(AssertionError, requests.RequestException):
        Visitor(site, "sample-bruno", "turnstone-sample")


def test_with_open_pages_which_are_told_to_come_back(site, process):
    with connect(f"{site.replace('http', 'ws')}/ws/", origin=site, proxy=None) as page:
        heard(page, type="beat")
        code, seconds = stopped(process, signal.SIGINT)
        with pytest.raises(ConnectionClosed) as closed:
            page.recv(timeout=5)
    assert closed.value.rcvd.code == RESTART
    assert code == 0
    assert seconds < LONGEST_STOP


def test_while_a_request_trickles_in(site, process, port):
    with socket.create_connection(("127.0.0.1", port)) as slow:
        slow.sendall(b"POST /account/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Le")
        code, seconds = stopped(process, signal.SIGTERM)
    assert code == 0
    assert seconds < LONGEST_STOP


def test_second_signal_ends_it_at_once(site, process, var):
    """It says so by its code, and has not waited for what is under way."""
    with contextlib.closing(sqlite3.connect(var / "turnstone.sqlite3")) as database:
        database.execute("BEGIN IMMEDIATE")
        asked = threading.Thread(target=sign_in, args=[site])
        asked.start()
        time.sleep(1)
        code, seconds = stopped(process, signal.SIGINT, signal.SIGINT)
        database.rollback()
    asked.join()
    assert code == 1
    assert seconds < STOP_TIMEOUT
