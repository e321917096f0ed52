"""A site with the servers of docs/scale.md, each of which is killed while people play."""

import contextlib
import shutil
import signal
import threading
import time
from collections import Counter

import pytest
import requests

from tests.deployment.programs import eventually, run
from tests.faults.servers import PgBouncer, Redis, Replica
from tests.faults.test_faults import costs_nobody_a_move, frozen, killed, postgres_restarted

PATIENCE = 240
"""Seconds in which a page comes, on a busy machine: it may be late, but not hang."""

pytestmark = [pytest.mark.postgres, pytest.mark.thorough, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def more_servers():
    """Start a replica, a pooler before both databases, and two Redis servers for pushes."""
    if not shutil.which("pgbouncer"):
        pytest.skip("NOT TRIED: pgbouncer is not installed")

    def start(world, stack):
        home = world.postgres.data.parent.parent
        world.replica = Replica(home / "replica", world.postgres)
        world.pooler = PgBouncer(world.postgres, world.replica)
        world.channels = [Redis(), Redis()]
        for server in (world.replica, world.pooler, *world.channels):
            server.start()
            stack.callback(server.stop if server is world.replica else server.kill)
        return {
            "DATABASE_URL": world.pooler.url(),
            "DATABASE_REPLICA_URL": world.pooler.url("_replica"),
            "DATABASE_POOLER": "true",
            "CHANNELS_REDIS_URLS": ",".join(redis.url for redis in world.channels),
        }

    return start


class Reader(threading.Thread):
    """Reads the record of each move as soon as it has been acknowledged, at the next process."""

    def __init__(self, pair):
        super().__init__(daemon=True)
        self.pair, self.answers, self.over = pair, Counter(), threading.Event()

    def run(self):
        read = set(self.pair.moments)
        while not self.over.wait(0.01):
            for move in self.pair.moments.keys() - read:
                read.add(move)
                self.answers[self._read(*move)] += 1

    def _read(self, match, version):
        site = self.pair.sites[version % len(self.pair.sites)]
        headers = {"Cookie": self.pair.people[0]["cookies"]}
        try:
            address = f"{site}/matches/{match}/{version}/"
            return requests.get(address, headers=headers, timeout=PATIENCE).status_code
        except requests.RequestException:
            return "none"


@contextlib.contextmanager
def readers(world):
    """Let everybody read what they have played; a page that lacks it answers 404."""
    found = [Reader(pair) for pair in world.pairs]
    for reader in found:
        reader.start()
    answers = Counter()
    try:
        yield answers
    finally:
        for reader in found:
            reader.over.set()
            reader.join()
            answers.update(reader.answers)


@contextlib.contextmanager
def pooler_killed(world):
    world.mails_cut_off += 1
    world.pooler.kill()
    yield
    world.pooler.start()


@contextlib.contextmanager
def one_redis_killed(world):
    world.channels[0].kill()
    yield
    world.channels[0].start()


@contextlib.contextmanager
def replica_killed(world):
    world.replica.restart(signal.SIGKILL)
    yield


@contextlib.contextmanager
def replica_behind(world):
    world.replica.follow(does_follow=False)
    yield
    world.replica.follow(does_follow=True)


@contextlib.contextmanager
def log_partitioned(world):
    """Begin a partition under play, let everybody play in it, and kill the database then."""
    done = run("manage.py", "partition_logs", "--ahead", "1", **world.site.variables)
    assert done.returncode == 0, done.stderr
    for pair, table in zip(world.pairs, world.site.tables(), strict=True):
        pair.left = table["matches"]
        pair.begins_another.set()
    since = time.time()
    eventually(lambda: all(pair.last_move > since for pair in world.pairs), patience=240)
    rows = "SELECT count(DISTINCT tableoid) FROM match_move"
    assert world.postgres.one(rows) == (2,)
    with postgres_restarted(world, signal.SIGQUIT):
        yield


FAULTS = [
    pytest.param(pooler_killed, id="pooler killed"),
    pytest.param(one_redis_killed, id="one redis killed"),
    pytest.param(lambda w: frozen(w, w.channels[1]), id="other redis frozen"),
    pytest.param(replica_killed, id="replica killed"),
    pytest.param(replica_behind, id="replica behind"),
    pytest.param(lambda w: frozen(w, w.replica), id="replica frozen"),
    pytest.param(lambda w: postgres_restarted(w, signal.SIGQUIT), id="postgresql at once"),
    pytest.param(lambda world: killed(world, "web-0"), id="web killed"),
    pytest.param(log_partitioned, id="log partitioned"),
]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_costs_nobody_a_move(calm, fault, request, capsys):
    with readers(calm) as answers:
        costs_nobody_a_move(calm, fault, request, capsys)
    with capsys.disabled():
        print(f"  read at once: {dict(answers)}")
    assert answers[200] > 0
    assert answers[404] == 0
    if fault in (replica_killed, replica_behind):
        assert answers.keys() == {200}


def test_the_replica_serves_pages(calm):
    scans = "SELECT sum(idx_scan) FROM pg_stat_user_tables WHERE relname LIKE 'match_move%%'"
    (before,) = calm.replica.one(scans)
    with readers(calm):
        eventually(lambda: calm.replica.one(scans)[0] > before, patience=240)
