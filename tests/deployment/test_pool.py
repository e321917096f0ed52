"""The pool of connections to PostgreSQL that threads take theirs from."""

import pytest
from django.conf import settings
from django.db import connection as own

from config.postgresql.base import DatabaseWrapper

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

MOST = 3
LAST = "SELECT query FROM pg_stat_activity WHERE pid = %s"
ENDED = "SELECT pg_terminate_backend(%s, 10000)"


@pytest.fixture
def pooled():
    """A wrapper with a pool; closing it gives its connection back."""
    described = {**settings.DATABASES["default"], **own.settings_dict}
    described["OPTIONS"] = {**described["OPTIONS"], "pool": {"min_size": 1, "max_size": MOST}}
    found = DatabaseWrapper(described, alias="pooled")
    yield found
    found.close()
    found.close_pool()


def ask(wrapper, sql, *values):
    with wrapper.cursor() as cursor:
        cursor.execute(sql, values)
        return cursor.fetchone()[0]


def test_taking_a_connection_sends_no_query(pooled):
    pooled.pool.resize(1, 1)
    ask(pooled, "SELECT 1 AS mine")
    pid = pooled.connection.info.backend_pid
    pooled.close()
    pooled.connect()
    assert pooled.connection.info.backend_pid == pid
    assert ask(own, LAST, pid) == "SELECT 1 AS mine"


def test_connections_that_the_server_has_ended_are_replaced(pooled):
    pooled.pool.open()
    taken = [pooled.pool.getconn() for _ in range(MOST)]
    pids = {one.info.backend_pid for one in taken}
    for one in taken:
        pooled.pool.putconn(one)
    assert all(ask(own, ENDED, pid) for pid in pids)
    for _ in range(MOST + 1):
        assert ask(pooled, "SELECT pg_backend_pid()") not in pids
        pooled.close()
