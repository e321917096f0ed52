"""A site with the servers of docs/scale.md, each of which is killed while people play."""

import contextlib
import shutil
import signal

import pytest

from tests.faults.servers import PgBouncer, Redis
from tests.faults.test_faults import costs_nobody_a_move, frozen, killed, postgres_restarted

pytestmark = [pytest.mark.postgres, pytest.mark.thorough, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def more_servers():
    """Start a pooler before PostgreSQL, and two Redis servers for the channel layer."""
    if not shutil.which("pgbouncer"):
        pytest.skip("NOT TRIED: pgbouncer is not installed")

    def start(world, stack):
        world.pooler = PgBouncer(world.postgres.data.parent, world.postgres)
        world.pooler.start()
        stack.callback(world.pooler.kill)
        world.channels = [Redis(), Redis()]
        for redis in world.channels:
            redis.start()
            stack.callback(redis.kill)
        return {
            "DATABASE_URL": world.pooler.url(),
            "DATABASE_POOLER": "true",
            "CHANNELS_REDIS_URLS": ",".join(redis.url for redis in world.channels),
        }

    return start


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


FAULTS = [
    pytest.param(pooler_killed, id="pooler killed"),
    pytest.param(one_redis_killed, id="one redis killed"),
    pytest.param(lambda w: frozen(w, w.channels[1]), id="other redis frozen"),
    pytest.param(lambda w: postgres_restarted(w, signal.SIGQUIT), id="postgresql at once"),
    pytest.param(lambda world: killed(world, "web-0"), id="web killed"),
]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_costs_nobody_a_move(calm, fault, request, capsys):
    costs_nobody_a_move(calm, fault, request, capsys)
