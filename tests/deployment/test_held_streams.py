"""Open streams take nothing that pages need: on a whole server, as only that loses connections."""

import contextlib
import json
import re
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from types import SimpleNamespace

import psycopg
import pytest
import requests
from django.conf import settings

from tests.deployment.programs import (
    MAKE_PEOPLE,
    PASSWORD,
    PATIENCE,
    Visitor,
    answers,
    eventually,
    free_port,
    run,
    running,
    start_match,
)

pytestmark = [pytest.mark.postgres, pytest.mark.xdist_group("held streams")]

MOST = settings.OPEN_STREAMS["address"]


@pytest.fixture(scope="module")
def site(production, tmp_path_factory):
    """One web process with a match of ada and bruno."""
    folder, port, metrics = tmp_path_factory.mktemp("held"), free_port(), free_port()
    with production.database() as database:
        variables = {**production.variables, "DATABASE_URL": database}
        done = run("manage.py", "shell", "--command", MAKE_PEOPLE, **variables)
        assert done.returncode == 0, done.stderr
        web = ("python", "-m", "config.server", "--port", port, "--notice", 0, "--metrics", metrics)
        with running(*web, log=folder / "log", **variables):
            address = f"http://127.0.0.1:{port}"
            eventually(lambda: answers(f"{address}/readyz"))
            ada, bruno = (Visitor(address, name, PASSWORD) for name in ("ada", "bruno"))
            match = start_match(ada, bruno, name="bruno")
            yield SimpleNamespace(
                address=address,
                database=database,
                log=folder / "log",
                match=match,
                metrics=f"http://127.0.0.1:{metrics}/metrics",
                stream=f"{address}/api/v1/matches/{match}/stream/",
            )


def opened(address, stack):
    """The status of a stream that stays open until the block ends."""
    stream = stack.enter_context(requests.get(address, stream=True, timeout=PATIENCE))
    if stream.ok:
        lines = stream.iter_lines()
        stack.callback(lines.close)
        assert [json.loads(next(lines))["type"] for _ in range(2)] == ["beat", "match"]
    return stream.status_code


def hold(site, count, stack):
    """Open streams at once; the statuses."""
    with ThreadPoolExecutor(count) as at_once:
        return list(at_once.map(lambda _: opened(site.stream, stack), range(count)))


def hold_once_free(site, count, stack):
    """Open streams at once, each as soon as the server has noticed that earlier ones are closed."""
    with ThreadPoolExecutor(count) as at_once:
        tried = at_once.map(
            lambda _: eventually(lambda: opened(site.stream, stack) == HTTPStatus.OK), range(count)
        )
        return list(tried)


def pages(site, times=3):
    """The statuses of some pages, all asked at once."""
    paths = ["/", "/lobby/", f"/matches/{site.match}/", "/players/ada/"] * times
    with ThreadPoolExecutor(len(paths)) as at_once:
        asked = at_once.map(lambda path: requests.get(site.address + path, timeout=PATIENCE), paths)
        return {answer.status_code for answer in asked}


def idle(site):
    """Whether all open connections to the database are idle again."""
    said = requests.get(site.metrics, timeout=PATIENCE).text
    size, free = (
        float(re.search(rf"^turnstone_database_{name} (\S+)", said, re.MULTILINE)[1])
        for name in ("size", "available")
    )
    return size == free


def test_pages_come_while_streams_are_held_and_many_more_are_tried(site):
    with contextlib.ExitStack() as stack:
        assert hold(site, MOST, stack) == [200] * MOST
        assert pages(site) == {200}
        assert hold(site, 60, stack) == [429] * 60
        assert pages(site) == {200}
    eventually(lambda: idle(site))


def test_no_connection_is_lost_however_often_streams_are_opened_and_left(site):
    for _ in range(5):
        with contextlib.ExitStack() as stack:
            assert all(hold_once_free(site, 12, stack))
        eventually(lambda: idle(site))
    assert pages(site) == {200}
    with psycopg.connect(site.database) as looker:
        assert looker.execute("SELECT count(*) FROM match_outage").fetchone() == (0,)
