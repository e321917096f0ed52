"""What all tests share: those that need a server or a browser are skipped aloud without it."""

import gc
import os
import random
import re
import time
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.core.cache import cache
from django.core.management.commands import flush
from django.db import OperationalError, connection
from django.db.backends.postgresql.operations import DatabaseOperations
from django.http import HttpResponse
from django.test import Client
from psycopg.errors import DeadlockDetected

from tests.fixtures import people, play, start, toy
from tests.migrated import django_db_modify_db_settings
from tests.moderators import alice, case, chief, clara, moderator
from tests.production import production
from tests.pseudo import pseudo_languages, pseudo_locale
from tests.samples import fill_var
from tests.seen_contexts import _contexts_are_seen
from tests.valid_html import problems

__all__ = [
    "_contexts_are_seen",
    "alice",
    "case",
    "chief",
    "clara",
    "django_db_modify_db_settings",
    "fill_var",
    "moderator",
    "people",
    "play",
    "production",
    "pseudo_languages",
    "pseudo_locale",
    "start",
    "toy",
]


@pytest.fixture(autouse=True)
def _nothing_counted() -> Iterator[None]:
    """Forget how often anybody has done anything: ids of people come again in the next test.

    No window in which django-ratelimit counts ends in the middle of a test.
    """
    cache.clear()
    now = time.time()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("django_ratelimit.core.time", SimpleNamespace(time=lambda: now))
        yield


GROUP = re.compile(r"@[\w -]+$")
"""What pytest-xdist adds to the name of a test in a group; a run without workers does not."""


@pytest.fixture(autouse=True)
def _same_chance_each_time(request: pytest.FixtureRequest) -> Iterator[None]:
    """Draw the dice, seats and tokens of a test from its name."""
    chance = random.Random(GROUP.sub("", request.node.nodeid))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("secrets.token_bytes", lambda size=None: chance.randbytes(size or 32))
        patch.setattr("secrets.randbelow", chance.randrange)
        patch.setattr("secrets.SystemRandom", lambda: chance)
        yield


OF_DJANGO = re.compile(r"/admin/accounts/user/\d+/password/")
"""A page that Django makes alone, and not quite validly: a list in a paragraph."""


@pytest.fixture(scope="session", autouse=True)
def _pages_are_valid() -> Iterator[None]:
    """Demand valid HTML of every page that a test reads."""
    ask = Client.request

    def request(self: Client, **how: Any) -> HttpResponse:
        answer: HttpResponse = ask(self, **how)
        is_page = answer.get("Content-Type", "").startswith("text/html") and not answer.streaming
        if is_page and not OF_DJANGO.fullmatch(how.get("PATH_INFO", "")):
            found = problems(answer.content.decode())
            assert not found, "\n".join([f"invalid HTML of {how.get('PATH_INFO')}:", *found])
        return answer

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Client, "request", request)
        yield


MADE_WITH_TABLES = {
    "django_content_type",
    "auth_permission",
    "auth_group",
    "auth_group_permissions",
}
"""What is made by the end of migrations, and by no test that commits."""


MOST_DEADLOCKS = 5
"""How often emptying the tables may meet a reader before the test fails."""


@pytest.fixture(scope="session", autouse=True)
def _emptied_by_deletes() -> Iterator[None]:
    """Empty PostgreSQL's tables by DELETE after a test that commits: there are few rows in them.

    TRUNCATE makes new files of every table and index, and makes dozens of transactions slow
    afterwards: seconds for each test. All else is the same: it waits for transactions that use
    the tables, and neither fires triggers nor resets sequences.
    """
    truncates, emits = DatabaseOperations.sql_flush, flush.emit_post_migrate_signal
    executes = DatabaseOperations.execute_sql_flush

    def sql_flush(self: Any, style: Any, tables: Sequence[str], **how: Any) -> list[str]:
        if how.get("reset_sequences") or not is_superuser():
            return truncates(self, style, tables, **how)
        names = [self.quote_name(table) for table in tables if table not in MADE_WITH_TABLES]
        return [
            f"LOCK TABLE {', '.join(names)} IN ACCESS EXCLUSIVE MODE;",
            "SET LOCAL session_replication_role = replica;",
            *(f"DELETE FROM {name};" for name in names),
        ]

    def execute_sql_flush(self: Any, statements: Sequence[str]) -> None:
        """Try again where a thread that a test has left behind reads tables in another order."""
        for _ in range(MOST_DEADLOCKS):
            try:
                return executes(self, statements)
            except OperationalError as error:
                if not isinstance(error.__cause__, DeadlockDetected):
                    raise
        return executes(self, statements)

    def emit(*arguments: Any, **how: Any) -> None:
        if connection.vendor != "postgresql" or not Permission.objects.exists():
            emits(*arguments, **how)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DatabaseOperations, "sql_flush", sql_flush)
        patch.setattr(DatabaseOperations, "execute_sql_flush", execute_sql_flush)
        patch.setattr(flush, "emit_post_migrate_signal", emit)
        yield


def is_superuser() -> bool:
    """Whether PostgreSQL lets us pass triggers by."""
    with connection.cursor() as cursor:
        cursor.execute("SHOW is_superuser")
        return cursor.fetchone() == ("on",)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Name tests by what pytest 9.2 leaves out, and pytest-xdist tells them apart by.

    These are the groups that pytest-xdist 3.8 adds, and the requests that Schemathesis 4 tries. Of
    tests with the same name pytest-xdist runs one.
    """
    for item in items:
        grouped = vars(item).get("_nodeid", "")
        if grouped.startswith(f"{item.nodeid}@"):
            item._id = item.id.parse(grouped)
        elif item.nodeid.endswith(f"::{getattr(item, 'originalname', None)}"):
            item._id = item.id.parse(f"{item.nodeid.rpartition('::')[0]}::{item.name}")
    if len({item.nodeid for item in items}) < len(items):
        raise pytest.UsageError("Of tests with the same name pytest-xdist would run one.")


def pytest_collection_finish() -> None:
    """Leave modules and tests, a million objects, out of what is looked at for garbage."""
    gc.collect()
    gc.freeze()
    # Less often than after every 700 new objects: that was a twentieth of a test of pages.
    gc.set_threshold(20_000, 20, 20)


NEEDS = {
    "postgres": ("DATABASE_URL", "REDIS_URL"),
    "browser": ("CHROMIUM",),
}


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what cannot run here; where everything must run (CI=true), fail instead."""
    for marker, variables in NEEDS.items():
        missing = [name for name in variables if not os.environ.get(name)]
        if item.get_closest_marker(marker) is None or not missing:
            continue
        reason = f"needs {' and '.join(missing)} in the environment; `make test` sees to that"
        if os.environ.get("CI") == "true":
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)
