"""A site with servers of its own, under load: what the tests of faults break and look at."""

import contextlib
import shutil
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.deployment.programs import answered_names
from tests.faults.players import Pair, Watcher
from tests.faults.servers import MailServer, Postgres, Redis
from tests.faults.site import Site
from tools import services


@pytest.fixture(scope="module")
def more_servers():
    """Start what a site has beside the usual servers, and return variables that name it."""
    return lambda world, stack: {}


@pytest.fixture(scope="module")
def world(tmp_path_factory, more_servers):
    """PostgreSQL, Redis, a mail server and the site, with pairs who play and pages that watch."""
    if not shutil.which("redis-server") or not services._postgres_programs():
        pytest.skip("redis-server or PostgreSQL's server is not installed")
    folder = tmp_path_factory.mktemp("faults")
    with contextlib.ExitStack() as stack:
        # Whom PostgreSQL runs as may not look into the folders of pytest.
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="turnstone-")))
        home.chmod(0o755)
        redis, mail, postgres = Redis(), MailServer(), Postgres(home / "postgres")
        for server, end in ((redis, redis.kill), (postgres, postgres.stop)):
            server.start()
            stack.callback(end)
        stack.callback(mail.shutdown)
        postgres._run("createdb", *postgres.address, "turnstone")
        found = SimpleNamespace(folder=folder, redis=redis, mail=mail, postgres=postgres)
        variables = _variables(folder, postgres, redis, mail) | more_servers(found, stack)
        found.site = Site(folder, variables)
        stack.callback(found.site.stop)
        found.site.start(*found.site.names)
        found.site.wait()
        found.hanging = Path(variables["HANGING"])
        # How often a mail may have been sent whose sender could not write that down.
        found.mails_cut_off = 0
        yield from _under_load(found)


def _under_load(world):
    """Let pairs play at the site and pages watch them while the tests break it."""
    world.pairs = [Pair(table, world.site.addresses) for table in world.site.tables()]
    world.watchers = [Watcher(pair, world.site.addresses[0]) for pair in world.pairs]
    threads = (*world.pairs, *world.watchers)
    for thread in threads:
        thread.start()
    yield world
    for thread in threads:
        thread.over.set()
    world.mail.change("takes")


def _variables(folder, postgres, redis, mail):
    return {
        "DJANGO_SETTINGS_MODULE": "config.settings.production",
        "SECRET_KEY": "correct-horse-battery-staple-0123456789-abcdefghijklmnop",
        "SITE_URL": "http://127.0.0.1",
        "ANY_HOST_PORT": "true",
        "DATABASE_URL": postgres.url(),
        "REDIS_URL": f"redis://redis.test:{redis.port}/0",
        "EMAIL_URL": f"smtp://mail.test:{mail.port}",
        **answered_names(folder),
        "DEFAULT_FROM_EMAIL": "games@example.org",
        "ADMINS": "ada@example.org",
        "STATIC_ROOT": str(folder / "static"),
    }


@pytest.fixture
def calm(world):
    """The site, when every pair has just moved."""
    since = time.time()
    wait_until_all_move(world.pairs, since)
    return world


def wait_until_all_move(pairs, since, patience=240):
    """Wait until every pair has had a move acknowledged since a moment; return the seconds."""
    end = time.time() + patience
    while any(pair.last_move < since and not pair.over.is_set() for pair in pairs):
        assert time.time() < end, "the site does not play again"
        time.sleep(0.1)
    return time.time() - since
