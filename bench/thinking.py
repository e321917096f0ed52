"""Pages while bots think: the whole site in one process, and in processes of their own.

Eight matches in which two bots of the highest level play each other keep the thinkers busy; the
page of another match is asked for before that and meanwhile, over HTTP.
"""

import contextlib
import os
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import requests
from django.contrib.auth import get_user_model

from bench import people, site
from bench.rows import Row, percentile
from games.bots.levels import LEVELS
from games.bots.users import user_of
from games.matches.models import Match
from tests.deployment import programs

SECTION = "The page of a match while eight bots think (p95)"
BOTS, SIZE, PAGES = 8, 5, 120
WARM_UP = 10
"""Pages that do not count."""

PAUSE = 0.05
"""Seconds between two pages."""

UNDER_WAY = 20.0
"""Seconds after which the sweep has found all bots that nobody asks."""

MOST = 1.5

Variables = Mapping[str, str]


def rows() -> Iterator[Row]:
    """Measure both ways to run the site."""
    with tempfile.TemporaryDirectory(prefix="turnstone-bench-") as name:
        folder, port = Path(name), str(programs.free_port())
        local = {"DJANGO_SETTINGS_MODULE": "config.settings.local", "VAR": name, "PORT": port}
        serve = ("manage.py", "serve", "--port", port)
        yield _measured("one process, SQLite", folder, local, port, serve)
        web = ("python", "-m", "config.server", "--port", port, "--notice", "0")
        many = dict(os.environ)
        commands = (web, *site.workers(folder / "schedule"))
        yield _measured("processes of their own, PostgreSQL", folder, many, port, *commands)


def _measured(
    what: str, folder: Path, variables: Variables, port: str, *commands: tuple[str, ...]
) -> Row:
    """Return the row of a site that consists of some programs."""
    with contextlib.ExitStack() as stack:
        for number, command in enumerate(commands):
            log = folder / f"{commands[0][0]}-{number}"
            stack.enter_context(programs.running(*command, log=log, **variables))
        address = f"http://127.0.0.1:{port}"
        programs.eventually(lambda: programs.answers(f"{address}/readyz"), patience=240)
        page = f"{address}/matches/{_shell('begin(1)', variables)}/"
        idle = p95(page)
        _shell(f"begin({BOTS}, bots=True)", variables)
        time.sleep(UNDER_WAY)
        busy, moves = p95(page), int(_shell("moves_of_bots()", variables))
    name = f"{what}; {moves} moves of bots meanwhile"
    return Row(name, busy, "ms", idle, "ms, nobody thinks", f"≤ {MOST} ×", busy <= MOST * idle)


def _shell(call: str, variables: Variables) -> str:
    """Return what a function of this module prints in a process that has set up Django."""
    done = programs.run(
        "manage.py", "shell", "-c", f"from bench import thinking as t; t.{call}", **variables
    )
    if done.returncode:
        raise RuntimeError(done.stderr)
    return str(done.stdout).split()[-1]


def begin(count: int, *, bots: bool = False) -> None:
    """Begin matches of two people or of two bots of the highest level, and print the last's id."""
    users = get_user_model().objects.filter(is_bot=False, is_superuser=False)
    pair = [user_of(LEVELS[-1], number) for number in (1, 2)] if bots else []
    pair = pair or list(users[:2]) or people.make(2, "reader")
    print([people.start(pair, SIZE, clock=None).pk for _ in range(count)][-1])


def moves_of_bots() -> None:
    """Print how many moves have been made in matches of bots."""
    found = Match.objects.filter(players__is_bot=True).values_list("pk", "version").distinct()
    print(sum(version for _, version in found))


def p95(page: str) -> float:
    """Return the time of a page in milliseconds, which all but one of twenty stay below."""
    with requests.Session() as session:
        session.trust_env = False
        times = [_timed(session, page) for _ in range(WARM_UP + PAGES)]
    return percentile(times[WARM_UP:], 95)


def _timed(session: requests.Session, page: str) -> float:
    time.sleep(PAUSE)
    began = time.perf_counter()
    session.get(page, timeout=30).raise_for_status()
    return 1000 * (time.perf_counter() - began)
