"""Pages from a streaming replica: current, or from the primary."""

import contextlib
import json
import tempfile
from pathlib import Path

import pytest
from django.db import DEFAULT_DB_ALIAS

from config.postgresql import replica
from tests.deployment.programs import run
from tests.faults.servers import Postgres, Replica
from tests.production import Production
from tools import services

SCRIPT = """
import json, os, signal, time
from django.conf import settings
from django.db import OperationalError, connections
from django.test import Client
from bench import people

pausing, resuming = (f"SELECT pg_wal_replay_{word}()" for word in WORDS)
players, script = people.make(2, "pair"), people.script()
match = script.play(players, 4)
client, found = Client(), {}

def look(path):
    asked = {"default": [], "replica": []}

    def note(execute, sql, params, many, context):
        asked[context["connection"].alias].append(sql.split(" FROM ")[0])
        return execute(sql, params, many, context)

    with connections["default"].execute_wrapper(note), connections["replica"].execute_wrapper(note):
        status = client.get(path, SERVER_NAME="127.0.0.1").status_code
    return {"status": status, "primary": asked["default"], "replica": len(asked["replica"])}

def tell(query):
    with connections["replica"].cursor() as cursor:
        cursor.execute(query)

def tell_server(number):
    children = open(f"/proc/{SERVER}/task/{SERVER}/children").read().split()
    for process in (SERVER, *map(int, children)):
        os.kill(process, number)

def wait():
    time.sleep(settings.REPLICA_PAUSE)

look("/archive/")
found["usual"] = {path: look(path.format(match=match.pk, version=match.version)) for path in PATHS}

tell(pausing)
match = script.play(players, 4)
last = f"/matches/{match.pk}/{match.version}/"
found["behind"] = look(last)
tell(resuming)
found["left alone"] = look(last)
wait()
found["caught up"] = look(last)

def refuse(execute, *given):
    raise OperationalError("terminating connection")
with connections["replica"].execute_wrapper(refuse):
    found["fails"] = look(last)
wait()

tell_server(signal.SIGSTOP)
found["hangs"] = look(last)
wait()
found["still hangs"] = look(last)
tell_server(signal.SIGCONT)
wait()
found["goes on"] = look(last)
print("FOUND " + json.dumps(found))
"""
"""Visits pages while the replica is well, behind, and failing."""

PATHS = [
    "/archive/",
    "/players/pair-0/",
    "/players/pair-0/statistics/",
    "/players/pair-0/ratings/",
    "/players/pair-0/against/pair-1/",
    "/games/die/statistics/",
    "/games/die/ratings/",
    "/matches/{match}/{version}/",
    "/matches/{match}/export.json",
    "/matches/{match}/export.txt",
    "/api/v1/matches/",
    "/api/v1/matches/{match}/record/",
    "/api/v1/players/pair-0/",
    "/api/v1/players/pair-0/statistics/",
    "/api/v1/players/pair-0/ratings/",
    "/api/v1/games/die/statistics/",
    "/api/v1/games/die/ratings/",
]
"""Pages that a replica can serve."""

POSITION = "SELECT pg_current_wal_flush_lsn()"


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """What a process of the site saw of each page, with a replica of its own."""
    if not services._postgres_programs():
        pytest.skip("PostgreSQL's server is not installed")
    folder = tmp_path_factory.mktemp("replica")
    with contextlib.ExitStack() as stack:
        # The user who runs PostgreSQL may not look into the folders of pytest.
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="turnstone-")))
        home.chmod(0o755)
        primary = Postgres(home / "primary")
        primary.start()
        stack.callback(primary.stop)
        primary._run("createdb", *primary.address, "turnstone")
        variables = Production(folder).variables | {"DATABASE_URL": primary.url()}
        for command in (("migrate", "--no-input"), ("collectstatic", "--no-input")):
            done = run("manage.py", *command, **variables)
            assert done.returncode == 0, done.stderr
        copy = Replica(home / "copy", primary)
        copy.start()
        stack.callback(copy.stop)
        given = {"SERVER": copy.process.pid, "WORDS": ("pause", "resume"), "PATHS": PATHS}
        script = "\n".join(f"{name} = {value!r}" for name, value in given.items()) + SCRIPT
        variables["DATABASE_REPLICA_URL"] = copy.url()
        done = run("manage.py", "shell", "--command", script, **variables)
        assert done.returncode == 0, done.stderr
        yield json.loads(done.stdout.partition("FOUND ")[2])


@pytest.mark.postgres
@pytest.mark.slow
@pytest.mark.parametrize("path", PATHS)
def test_a_page_is_read_from_the_replica_alone(found, path):
    page = found["usual"][path]
    assert page["status"] == 200
    assert page["primary"] == [POSITION]
    assert page["replica"] > 0


@pytest.mark.postgres
@pytest.mark.slow
def test_a_replica_that_is_behind_is_not_read(found):
    """The match is not there yet: reading it there would answer 404."""
    assert found["behind"]["status"] == 200
    assert found["behind"]["replica"] == 0
    assert found["behind"]["primary"][0] == POSITION
    assert POSITION not in found["left alone"]["primary"]
    assert found["caught up"]["primary"] == [POSITION]


@pytest.mark.postgres
@pytest.mark.slow
@pytest.mark.parametrize("how", ["fails", "hangs", "still hangs"])
def test_a_replica_that_fails_costs_nobody_a_page(found, how):
    assert found[how]["status"] == 200
    assert len(found[how]["primary"]) > 1
    assert found["goes on"]["primary"] == [POSITION]


def test_after_a_write_the_primary_is_read():
    router, token = replica.Router(), replica._is_reading.set(True)
    try:
        assert router.db_for_read(None) == replica.alias() == replica.ALIAS
        assert router.db_for_write(None) == DEFAULT_DB_ALIAS
        assert router.db_for_read(None) == replica.alias() == DEFAULT_DB_ALIAS
    finally:
        replica._is_reading.reset(token)


def test_without_a_replica_no_database_is_asked():
    """This test may use none."""
    assert replica.from_replica(replica.alias)() == DEFAULT_DB_ALIAS


def test_only_the_primary_is_migrated():
    router = replica.Router()
    assert router.allow_migrate(DEFAULT_DB_ALIAS, "match")
    assert not router.allow_migrate(replica.ALIAS, "match")
