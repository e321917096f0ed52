"""The site while Redis or the mail server is away or hangs; both are started by these tests."""

import contextlib
import shutil
import signal
import socket
import time
from datetime import timedelta
from itertools import cycle
from pathlib import Path
from types import SimpleNamespace

import psycopg
import pytest

from accounts import outbox
from config.settings.base import CELERY_BEAT_SCHEDULE, WORK_QUEUES
from games.matches.selectors import DEADLINES, UNANSWERED, WEB
from tests.deployment.programs import (
    MAKE_PEOPLE,
    PASSWORD,
    Visitor,
    answered_names,
    answers,
    eventually,
    free_port,
    heard,
    play,
    run,
    running,
    start_match,
)
from tests.faults.servers import Redis

pytestmark = [pytest.mark.postgres, pytest.mark.thorough, pytest.mark.xdist_group("outages")]

LONGEST = 5.0
"""Seconds that a page may take on a slow machine while Redis is away; it waited for far longer."""

MOST_LINES = 60
"""Lines that all processes together may log in an outage of less than a minute."""

SWEEP = timedelta(seconds=60)
"""How old the last sweep may be, whatever mail does."""


@pytest.fixture(scope="module")
def database(production):
    with production.database() as address:
        yield address


@pytest.fixture(scope="module")
def silent_port():
    """The port of a mail server that takes connections and never says anything."""
    with socket.create_server(("127.0.0.1", 0), backlog=200) as listener:
        yield listener.getsockname()[1]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("outages")


@pytest.fixture(scope="module")
def redis():
    if not shutil.which("redis-server"):
        pytest.skip("redis-server is not installed")
    server = Redis()
    server.start()
    yield server
    server.kill()


@pytest.fixture(scope="module")
def variables(folder, database, redis, silent_port, production):
    found = {
        **production.variables,
        "DATABASE_URL": database,
        "DATABASE_POOL": "6",
        "REDIS_URL": f"redis://redis.test:{redis.port}/0",
        "EMAIL_URL": f"smtp://mail.test:{silent_port}",
        **answered_names(folder),
        "ADMINS": "ada@example.org",
    }
    done = run("manage.py", "shell", "--command", MAKE_PEOPLE, **found)
    assert done.returncode == 0, done.stderr
    return found


@pytest.fixture(scope="module")
def site(folder, variables):
    """Two web processes, a worker for each queue that has tasks, a beat."""
    ports = [free_port(), free_port()]
    celery = ("celery", "--quiet", "-A", "config")
    commands = {
        f"web-{port}": ("python", "-m", "config.server", "--port", port, "--notice", "0")
        for port in ports
    }
    for queue, tasks in WORK_QUEUES.items():
        if tasks:
            worker = (*celery, "worker", "--queues", queue, "--concurrency", "2")
            commands[queue] = (*worker, "--without-gossip", "--without-mingle")
    commands["beat"] = (*celery, "beat", "--schedule", folder / "schedule", "--pidfile=")
    with contextlib.ExitStack() as stack:
        processes = {
            name: stack.enter_context(running(*command, log=folder / name, **variables))
            for name, command in commands.items()
        }
        addresses = [f"http://127.0.0.1:{port}" for port in ports]
        hanging = Path(variables["HANGING"])
        for address in addresses:
            eventually(lambda address=address: answers(f"{address}/readyz"), patience=240)
        yield SimpleNamespace(
            addresses=addresses, processes=processes, folder=folder, hanging=hanging
        )


@pytest.fixture
def table(site):
    """Two players at different processes, and a match of the two."""
    ada, bruno = (
        Visitor(address, name, PASSWORD)
        for address, name in zip(site.addresses, ("ada", "bruno"), strict=True)
    )
    return SimpleNamespace(ada=ada, bruno=bruno, match=start_match(ada, bruno, name="bruno"))


def lines(site):
    """How many lines all processes have logged, requests apart."""
    logs = "".join((site.folder / name).read_text() for name in site.processes)
    return sum(" - - [" not in line for line in logs.splitlines())


def took(step, *arguments):
    begin = time.monotonic()
    step(*arguments)
    return time.monotonic() - begin


def is_told(page, mover, match):
    """Whether a page hears of a move, and not only of the version with its next heartbeat."""
    return heard(page, version=play(mover, match))["type"] == "match"


@pytest.mark.parametrize("how", ["killed", "frozen"])
def test_without_redis_the_site_reads_and_plays_and_then_tells_again(site, table, redis, how):
    version = play(table.ada, table.match)
    before = lines(site)
    redis.kill() if how == "killed" else redis.signal(signal.SIGSTOP)
    try:
        times = [took(table.ada.get, "/home/") for _ in range(20)]
        times.append(took(Visitor, site.addresses[0], "bruno", PASSWORD))
        times.append(took(play, table.bruno, table.match) / 3)  # three requests
        times += [took(table.bruno.get, f"/matches/{table.match}/") for _ in range(20)]
        time.sleep(20)
    finally:
        redis.start() if how == "killed" else redis.signal(signal.SIGCONT)
    assert lines(site) - before <= MOST_LINES
    assert max(times) < LONGEST
    with table.bruno.watch(table.match) as at_bruno:
        assert heard(at_bruno, type="beat")["version"] == version + 1
        movers = cycle((table.ada, table.bruno))
        eventually(lambda: is_told(at_bruno, next(movers), table.match))
    assert all(process.poll() is None for process in site.processes.values())


def forget_password(site):
    visitor = Visitor(site.addresses[0])
    visitor.post("/account/password/reset/", email="ada@example.org")


def mails(database, condition, what="count(*)"):
    with psycopg.connect(database) as connection:
        query = f"SELECT {what} FROM accounts_outgoingmail WHERE {condition}"
        return connection.execute(query).fetchone()[0]


def test_worker_that_holds_a_task_lives_on_without_redis(site, database, redis):
    forget_password(site)
    eventually(lambda: mails(database, "mail_state = 'sending'"))
    redis.kill()
    try:
        eventually(lambda: mails(database, "error <> ''"))
    finally:
        time.sleep(3)
        redis.start()
    last = mails(database, "true", "max(id)")
    forget_password(site)
    eventually(lambda: mails(database, f"id > {last} AND error <> ''"))
    assert site.processes["mail"].poll() is None


def age(database, name):
    """How long ago a heartbeat was written."""
    with psycopg.connect(database) as connection:
        query = "SELECT clock_timestamp() - ran FROM match_sweep WHERE name = %s"
        found = connection.execute(query, [name]).fetchone()
    return found[0] if found else timedelta.max


def sweep_age(database):
    return age(database, DEADLINES)


def test_a_tick_may_be_lost_and_the_sweep_is_not_late():
    assert 3 * timedelta(seconds=CELERY_BEAT_SCHEDULE["sweep-clocks"]["schedule"]) <= SWEEP


def wait_for_a_sweep(database):
    """Wait for one that was given and made when all that other tests have broken was well again."""
    last = sweep_age(database)
    eventually(lambda: sweep_age(database) < last, patience=2 * SWEEP.seconds)


def test_sweeps_go_on_while_the_mail_server_hangs(site, database):
    wait_for_a_sweep(database)
    with psycopg.connect(database) as connection:
        connection.execute(
            "INSERT INTO accounts_outgoingmail"
            ' ("to", subject, text, created, expires, mail_state, attempts, next_try, error)'
            " SELECT 'a@b.org', 's', 't', now(), now() + interval '1 day', 'due', 0, now(), ''"
            " FROM generate_series(1, 200)"
        )
    end = time.monotonic() + 75
    while time.monotonic() < end:
        assert sweep_age(database) < SWEEP
        time.sleep(1)
    assert mails(database, "attempts > 0") >= 5


@contextlib.contextmanager
def nobody_answers_names(site):
    site.hanging.touch()
    try:
        yield
    finally:
        site.hanging.unlink()


def test_pages_and_sweeps_go_on_while_nobody_answers_who_asks_for_a_name(site, table, database):
    """Mail waits: a look at its server's name has no end but that of the task."""
    wait_for_a_sweep(database)
    with table.bruno.watch(table.match) as at_bruno:
        heard(at_bruno, type="beat")
        with nobody_answers_names(site):
            forget_password(site)
            end = time.monotonic() + outbox.TASK_LIMIT + 30
            while time.monotonic() < end:
                assert sweep_age(database) < SWEEP
                assert took(table.ada.get, "/home/") < LONGEST
                time.sleep(1)
            heard(at_bruno, version=play(table.ada, table.match))


def test_pages_come_while_redis_is_away_and_nobody_answers_who_asks_for_it(
    site, table, redis, database
):
    redis.kill()
    try:
        with nobody_answers_names(site):
            end = time.monotonic() + UNANSWERED.seconds + 10
            while time.monotonic() < end:
                assert took(table.ada.get, "/home/") < LONGEST
                assert took(table.bruno.get, f"/matches/{table.match}/") < LONGEST
                time.sleep(1)
            assert age(database, WEB) < UNANSWERED
            play(table.ada, table.match)
    finally:
        redis.start()
