"""`python -m config.server` drains, and stops within five seconds, whatever it is doing."""

import contextlib
import random
import re
import signal
import socket
import threading
import time
from urllib.parse import urlsplit

import psycopg
import pytest
import requests
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.deployment.programs import (
    LONGEST_STOP,
    PATIENCE,
    RESTART,
    answers,
    eventually,
    free_port,
    get_in_background,
    heard,
    running,
    stopped,
)

pytestmark = pytest.mark.postgres


@pytest.fixture(scope="module")
def database(production):
    with production.database() as address:
        yield address


@pytest.fixture(scope="module")
def variables(database, production):
    return {**production.variables, "DATABASE_URL": database, "PROXIES": "1"}


@pytest.fixture
def log(tmp_path):
    return tmp_path / "log"


@pytest.fixture
def port():
    return free_port()


@pytest.fixture
def notice():
    """Seconds that a server which stops goes on taking requests."""
    return 1


@pytest.fixture
def program():
    """How Python starts a server."""
    return ("-m", "config.server")


PATIENT = """
import sys
from config.server import __main__, server, signals
server.DRAIN = signals.STOP_TIMEOUT = 120.0
__main__.main(sys.argv[1:])
"""
"""A server that stops as others do, but gives requests under way the time of a slow machine."""


@pytest.fixture
def process(variables, log, port, notice, program):
    web = ("python", *program, "--port", port, "--notice", notice)
    with running(*web, log=log, **variables) as process:
        eventually(lambda: answers(f"http://127.0.0.1:{port}/readyz"))
        yield process


@pytest.fixture
def site(process, port):
    return f"http://127.0.0.1:{port}"


class Relay:
    """A way to a server that can be frozen: it stays open, and nothing passes any more."""

    def __init__(self, host, port):
        self.target = (host, port)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.open = threading.Event()
        self.open.set()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                near, _ = self.listener.accept()
                far = socket.create_connection(self.target)
                for pair in ((near, far), (far, near)):
                    threading.Thread(target=self.pass_on, args=pair, daemon=True).start()

    def pass_on(self, source, target):
        with contextlib.suppress(OSError):
            while piece := source.recv(65536):
                self.open.wait()
                target.sendall(piece)
            target.shutdown(socket.SHUT_WR)


@contextlib.contextmanager
def relay(url, port):
    """A relay to the server of an address; the address that leads through it."""
    parts = urlsplit(url)
    between = Relay(parts.hostname, parts.port or port)
    login = f"{parts.netloc.rpartition('@')[0]}@" if "@" in parts.netloc else ""
    try:
        yield between, parts._replace(netloc=f"{login}127.0.0.1:{between.port}").geturl()
    finally:
        between.open.set()
        between.listener.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_while_database_and_redis_are_frozen(variables, log, port, number):
    site = f"http://127.0.0.1:{port}"
    web = ("python", "-m", "config.server", "--port", port)
    with (
        relay(variables["DATABASE_URL"], 5432) as (database, database_url),
        relay(variables["REDIS_URL"], 6379) as (redis, redis_url),
        running(
            *web, log=log, **{**variables, "DATABASE_URL": database_url, "REDIS_URL": redis_url}
        ) as process,
    ):
        eventually(lambda: answers(f"{site}/readyz"))
        with connect(f"{site.replace('http', 'ws')}/ws/", origin=site, proxy=None) as page:
            heard(page, type="beat")
            database.open.clear()
            redis.open.clear()
            paths = ("/players/ada/", "/readyz", "/account/login/", "/lobby/") * 3
            asked = [get_in_background(f"{site}{path}") for path in paths]
            time.sleep(0.5)
            code, seconds = stopped(process, number)
        assert code == 0
        assert seconds < LONGEST_STOP
    for thread, _ in asked:
        thread.join()


def waits(database):
    """Whether somebody waits for a lock in the database."""
    with psycopg.connect(database) as looker:
        query = (
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE wait_event_type = 'Lock' AND datname = current_database()"
        )
        return looker.execute(query).fetchone()[0] > 0


def test_while_the_database_stands_still(site, process, database, log):
    with psycopg.connect(database) as holder:
        holder.execute("LOCK TABLE accounts_user IN ACCESS EXCLUSIVE MODE")
        asked = [get_in_background(f"{site}/players/ada/") for _ in range(8)]
        eventually(lambda: waits(database))
        code, seconds = stopped(process, signal.SIGTERM)
    assert code == 0
    assert seconds < LONGEST_STOP
    for thread, _ in asked:
        thread.join()
    assert "connections under way" in log.read_text()
    assert "Traceback" not in log.read_text()


def readiness(site):
    """The status with which a server says whether it is ready, and the word."""
    answer = requests.get(f"{site}/readyz", timeout=PATIENCE)
    return answer.status_code, answer.json()["ready"]


def refuses(site):
    """Whether a server takes no connections any more."""
    try:
        requests.get(f"{site}/healthz", timeout=PATIENCE)
    except requests.ConnectionError:
        return True
    return False


@pytest.mark.parametrize(("notice", "program"), [(5, ("-c", PATIENT))])
def test_not_ready_first_then_requests_under_way_end(site, process, database):
    with (
        psycopg.connect(database) as holder,
        connect(f"{site.replace('http', 'ws')}/ws/", origin=site, proxy=None) as page,
    ):
        heard(page, type="beat")
        holder.execute("LOCK TABLE accounts_user IN ACCESS EXCLUSIVE MODE")
        thread, found = get_in_background(f"{site}/players/ada/")
        eventually(lambda: waits(database))
        process.send_signal(signal.SIGTERM)
        eventually(lambda: readiness(site) == (503, False))
        assert requests.get(f"{site}/healthz", timeout=PATIENCE).headers["Connection"] == "close"
        eventually(lambda: refuses(site))
        with pytest.raises(ConnectionClosed) as closed:
            page.recv(timeout=PATIENCE)
        assert closed.value.rcvd.code == RESTART
        holder.rollback()
        thread.join()
        assert found == [404]
        assert process.wait(PATIENCE) == 0


def test_access_log_tells_who_asked_but_no_tokens(site, process, log):
    token = "Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MGFiY2RlZmdoaWo"
    client = {"X-Forwarded-For": "203.0.113.9, 198.51.100.7"}
    answer = requests.get(f"{site}/challenges/7/{token}/?word=c3", headers=client, timeout=30)
    with connect(
        f"{site.replace('http', 'ws')}/ws/?match=",
        origin=site,
        additional_headers=client,
        proxy=None,
    ) as page:
        heard(page, type="beat")
    said = eventually(lambda: (text := log.read_text()) and "WSDISCONNECT" in text and text)
    (line,) = re.findall(r".*GET /challenges.*", said)
    assert line.startswith("198.51.100.7 ")
    assert '"GET /challenges/7/…/" 404 ' in line
    assert line.endswith(answer.headers["X-Request-ID"])
    assert re.search(r'^198\.51\.100\.7 .*"WSCONNECT /ws/"', said, re.MULTILINE)
    for secret in (token, "word=", "match=", "203.0.113.9"):
        assert secret not in said


FRESH = 0.75
"""Seconds for which a proxy goes by an answer: half of the notice that the servers are told."""


class Proxy:
    """Sends requests to those of the processes that are ready, over connections that it keeps.

    ``ready`` has the moment at which each was asked and said that it is. On a machine so busy that
    an answer is older than a proxy may rely on, nothing is sent.
    """

    def __init__(self, sites):
        self.sites, self.ready = sites, {}
        self.sent, self.failed = 0, []
        self.over = threading.Event()
        self.threads = [threading.Thread(target=self.ask_who_is_ready)]
        self.threads += [threading.Thread(target=self.send_requests) for _ in range(2)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        for thread in self.threads:
            thread.join()

    def ask_who_is_ready(self):
        while not self.over.wait(0.2):
            for site in self.sites:
                asked = time.monotonic()
                if answers(f"{site}/readyz"):
                    self.ready[site] = asked
                else:
                    self.ready.pop(site, None)

    def send_requests(self):
        with requests.Session() as session:
            session.trust_env = False
            while not self.over.wait(0.1):
                oldest = time.monotonic() - FRESH
                fresh = [site for site, asked in list(self.ready.items()) if asked > oldest]
                if not fresh:
                    continue
                self.sent += 1
                site = random.choice(fresh)
                try:
                    status = session.get(f"{site}/account/login/", timeout=20).status_code
                except requests.RequestException as error:
                    status = repr(error)
                if status != 200:
                    self.failed.append((site, status))


def test_a_rolling_restart_refuses_and_cuts_no_request(variables, tmp_path):
    ports = [free_port(), free_port()]
    sites = [f"http://127.0.0.1:{port}" for port in ports]

    def web(port, log):
        command = ("python", "-m", "config.server", "--port", port, "--notice", "1.5")
        return running(*command, log=tmp_path / log, **variables)

    with contextlib.ExitStack() as stack:
        processes = [stack.enter_context(web(port, f"{port}")) for port in ports]
        for site in sites:
            eventually(lambda site=site: answers(f"{site}/readyz"))
        with Proxy(sites) as proxy:
            for process, port, site in zip(processes, ports, sites, strict=True):
                time.sleep(1)
                code, seconds = stopped(process, signal.SIGTERM)
                assert code == 0
                assert seconds < LONGEST_STOP
                stack.enter_context(web(port, f"{port}-again"))
                eventually(lambda site=site: site in proxy.ready)
            eventually(lambda: proxy.sent > 20)
        assert proxy.failed == []
