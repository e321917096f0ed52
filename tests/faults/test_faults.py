"""Faults under load: what is slow, away or killed costs nobody a move, and nobody's time.

``make faults`` tries all of them and prints a line for each.
"""

import contextlib
import json
import signal
import subprocess
import time
from collections import Counter

import psycopg
import pytest
from websockets.exceptions import WebSocketException

from tests.deployment.programs import eventually, run
from tests.faults.conftest import wait_until_all_move
from tests.faults.players import page

pytestmark = [pytest.mark.postgres, pytest.mark.thorough, pytest.mark.timeout(900)]

MOST_LINES = 60
"""Lines that all processes together may log in a minute of an outage."""

UNANSWERED = 75
"""Seconds without an answer of any web process that make an outage, which is given back."""

HOLD = 8
"""Seconds that a fault lasts where it is not over at once."""


# --- The faults: each begins, and ends when the block does ---------------------------------------


@contextlib.contextmanager
def killed(world, *names):
    for name in names:
        world.site.kill(name)
    yield
    world.site.start(*names)


@contextlib.contextmanager
def nobody_serves(world):
    """Let a clock run out while no web process answers: that time is given back."""
    with killed(world, "web-0", "web-1"):
        run_out(world, world.pairs[0], in_seconds=UNANSWERED / 2)
        time.sleep(UNANSWERED)
        yield


@contextlib.contextmanager
def postgres_restarted(world, number):
    world.mails_cut_off += 1
    world.postgres.restart(number)
    yield


@contextlib.contextmanager
def frozen(world, server):
    server.signal(signal.SIGSTOP)
    try:
        yield
    finally:
        server.signal(signal.SIGCONT)


@contextlib.contextmanager
def redis_killed(world):
    world.redis.kill()
    yield
    world.redis.start()


@contextlib.contextmanager
def redis_flushed(world):
    assert world.redis.ask(b"FLUSHALL") == b"+OK\r\n"
    yield


@contextlib.contextmanager
def mail(world, mode):
    world.mail.change(mode)
    try:
        yield
    finally:
        world.mail.change("takes")


@contextlib.contextmanager
def mailer_killed(world):
    world.mails_cut_off += 1
    with killed(world, "mail"):
        yield


@contextlib.contextmanager
def names_unanswered(world):
    """Break name lookups of Redis and the mail server; the processes must restart too."""
    world.hanging.touch()
    try:
        with redis_killed(world):
            yield
    finally:
        world.hanging.unlink()


@contextlib.contextmanager
def two_of_each(world):
    names = [f"{name}-again" for name in world.site.names if not name.startswith("web")]
    world.site.start(*names)
    yield
    for name in names:
        world.site.kill(name, signal.SIGTERM)


@contextlib.contextmanager
def connections_used_up(world):
    """Take all connections that the site has not, and hold them."""
    with contextlib.ExitStack() as held:
        with contextlib.suppress(psycopg.OperationalError):
            while True:
                held.enter_context(psycopg.connect(world.postgres.url(), connect_timeout=5))
        yield


@contextlib.contextmanager
def rolling_restart(world):
    for name in ("web-0", "web-1"):
        world.site.kill(name, signal.SIGTERM)
        world.site.start(name)
        world.site.wait()
    yield


FAULTS = [
    pytest.param(lambda world: killed(world, "web-0"), id="web killed"),
    pytest.param(lambda w: postgres_restarted(w, signal.SIGQUIT), id="postgresql at once"),
    pytest.param(redis_killed, id="redis killed"),
    pytest.param(nobody_serves, id="all web killed"),
    pytest.param(lambda world: killed(world, "moves"), id="worker killed"),
    pytest.param(lambda world: killed(world, "deadlines"), id="sweeper killed"),
    pytest.param(mailer_killed, id="mailer killed"),
    pytest.param(lambda world: killed(world, "beat"), id="beat killed"),
    pytest.param(lambda w: postgres_restarted(w, signal.SIGINT), id="postgresql fast"),
    pytest.param(lambda w: frozen(w, w.postgres), id="postgresql frozen"),
    pytest.param(redis_flushed, id="redis flushed"),
    pytest.param(lambda w: frozen(w, w.redis), id="redis frozen"),
    *(
        pytest.param(lambda world, mode=mode: mail(world, mode), id=f"mail {mode}")
        for mode in ("hangs", "refuses", "drops", "drips")
    ),
    pytest.param(names_unanswered, id="names unanswered"),
    pytest.param(two_of_each, id="two beats and workers"),
    pytest.param(connections_used_up, id="connections used up"),
    pytest.param(rolling_restart, id="rolling restart"),
]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_costs_nobody_a_move(calm, fault, request, capsys):
    costs_nobody_a_move(calm, fault, request, capsys)


def costs_nobody_a_move(world, fault, request, capsys):
    before, lines, began = answers_of(world), world.site.lines(), time.time()
    with fault(world):
        time.sleep(HOLD)
    seconds = wait_until_all_move(world.pairs, time.time())
    figures = {
        **checked(world),
        "5xx": sum(count for code, count in (answers_of(world) - before).items() if is_error(code)),
        "seconds to normal": round(seconds, 1),
        "push p95 (s)": push_p95(world, began),
        "mails": sum(world.mail.taken.values()),
        "mails doubled": sum(count > 1 for count in world.mail.taken.values()),
        "log lines a minute": lines_a_minute(world.site.lines() - lines, time.time() - began),
    }
    with capsys.disabled():
        print(f"\n{request.node.callspec.id}: {json.dumps(figures)}")
    assert figures["lost"] == figures["doubled"] == 0
    assert figures["mails"] > 0
    assert figures["mails doubled"] <= world.mails_cut_off
    assert figures["log lines a minute"] <= MOST_LINES


def lines_a_minute(count, seconds):
    """The same is said once a minute: what is said in less than one is said in one."""
    return round(count / max(1.0, seconds / 60))


def answers_of(world):
    return sum((pair.answers.copy() for pair in world.pairs), Counter())


def is_error(code):
    return code != "none" and code >= 500


def push_p95(world, began):
    """How long after its answer a move was heard of by a page, in the worst of twenty cases.

    Of moves since a moment; pages that were not connected meanwhile ask for what they have missed.
    """
    late = [
        max(0.0, watcher.heard[move] - moment)
        for watcher, pair in zip(world.watchers, world.pairs, strict=True)
        for move, moment in list(pair.moments.items())
        if moment >= began and move in watcher.heard
    ]
    return round(sorted(late)[int(len(late) * 0.95)], 2) if late else None


def checked(world):
    """Look at all that must hold after a fault; return how many moves were lost and doubled."""
    acknowledged = {}
    for pair in world.pairs:
        acknowledged |= dict(pair.acknowledged)
    found = entries(world)
    done = run("manage.py", "verify_matches", "--jobs", "1", **world.site.variables)
    assert done.returncode == 0, done.stdout + done.stderr
    assert nobody_was_timed_out(world)
    for pair in world.pairs:
        pages_show_the_version(world, pair)
    return {
        "acknowledged": len(acknowledged),
        "lost": sum(found[submission] == 0 for submission in acknowledged),
        "doubled": sum(count > 1 for count in found.values()),
    }


def entries(world):
    """How many moves each submission has made."""
    with psycopg.connect(world.postgres.url()) as connection:
        rows = connection.execute(
            "SELECT submission::text, count(*) FROM match_move"
            " WHERE submission IS NOT NULL GROUP BY submission"
        )
        return Counter(dict(rows.fetchall()))


def nobody_was_timed_out(world):
    query = "SELECT count(*) FROM match_move WHERE kind = 'timeout'"
    return world.postgres.one(query) == (0,)


def pages_show_the_version(world, pair):
    """A page that is opened hears of a version that the database has, at either process."""
    for site in world.site.addresses:
        (least,) = world.postgres.one("SELECT version FROM match_match WHERE id = %s", pair.match)
        eventually(lambda site=site, least=least: hears(site, pair, least))


def hears(site, pair, least):
    """Whether a page hears of a version; one whose socket is closed connects again."""
    with contextlib.suppress(OSError, WebSocketException), page(site, pair) as at:
        versions = (json.loads(at.recv(timeout=20)).get("version") for _ in range(20))
        return any(version is not None and version >= least for version in versions)


def run_out(world, pair, in_seconds):
    """Move the clock of who is to move so far that its time is over in some seconds."""
    with psycopg.connect(world.postgres.url(), autocommit=True) as connection:
        connection.execute(
            "UPDATE match_player SET clock_since = clock_since - (deadline - later),"
            " deadline = later FROM (SELECT now() + %s * interval '1 s' AS later) moment"
            " WHERE match_id = %s AND to_move",
            [in_seconds, pair.match],
        )


def test_who_ran_out_of_time_is_timed_out_after_all(world):
    """Not by a fault, but by the clock: the sweep still does its work."""
    pair = world.pairs[-1]
    pair.over.set()
    pair.join()
    run_out(world, pair, in_seconds=0)
    query = "SELECT status FROM match_match WHERE id = %s"
    eventually(lambda: world.postgres.one(query, pair.match) != ("running",), patience=400)


def test_a_backup_taken_under_load_is_whole(world, capsys):
    """Twice a year somebody does this by hand; how long it takes is how long a bad day is."""
    file = world.folder / "drill.dump"
    at = world.postgres.address
    begun = time.monotonic()
    tool(world, "pg_dump", *at, "--format", "custom", "--file", file, "turnstone")
    tool(world, "createdb", *at, "drill")
    tool(world, "pg_restore", *at, "--no-owner", "--exit-on-error", "--dbname", "drill", file)
    restored = {**world.site.variables, "DATABASE_URL": world.postgres.url("drill")}
    done = run("manage.py", "migrate", "--check", **restored)
    assert done.returncode == 0, done.stdout + done.stderr
    done = run("manage.py", "verify_matches", **restored)
    assert done.returncode == 0, done.stdout + done.stderr
    with capsys.disabled():
        print(f"\nbackup, restore and verify: {time.monotonic() - begun:.1f} s")
    with psycopg.connect(world.postgres.url("drill")) as connection:
        assert connection.execute("SELECT count(*) FROM match_move").fetchone()[0] > 0


def tool(world, program, *arguments):
    subprocess.run([world.postgres.programs / program, *map(str, arguments)], check=True)
