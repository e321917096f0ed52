"""How long a process may keep the database waiting, and what is answered when it is too busy."""

import copy
import threading

import pytest
from django.db import OperationalError, connections
from django.test import Client
from django.urls import path
from psycopg.errors import ProtocolViolation
from psycopg_pool import PoolTimeout

from config.errors import failed, is_busy
from config.process import COMMAND, MAIL, WEB, WORKER, bounds, connection_options
from config.urls import urlpatterns as everywhere


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        (["/opt/turnstone/config/server/__main__.py", "--port", "8000"], WEB),
        (["/opt/venv/bin/daphne", "config.asgi:application"], WEB),
        (["/opt/venv/bin/celery", "--quiet", "-A", "config", "worker"], WORKER),
        (["/opt/venv/lib/celery/__main__.py", "-A", "config", "worker"], WORKER),
        (["/opt/venv/bin/celery", "-A", "config", "beat"], COMMAND),
        (["manage.py", "receive_mail", "--bind", "0.0.0.0"], MAIL),
        (["manage.py", "migrate"], COMMAND),
        (["manage.py", "worker"], COMMAND),
        ([""], COMMAND),
        ([], COMMAND),
    ],
)
def test_each_kind_of_process_has_its_own_bounds(arguments, kind):
    assert bounds(arguments) is kind


def test_nothing_that_serves_waits_without_end():
    for kind in (WEB, MAIL, WORKER):
        assert all(getattr(kind, name) for name in ("statement", "lock", "idle", "patience"))
        assert "timeout=0" not in connection_options(kind)["options"]
    assert WEB.patience <= 1.0
    assert WEB.patience < WEB.lock, "waiting for a connection times out before waiting for a lock"


def test_bounds_are_told_to_the_database_in_milliseconds():
    assert connection_options(WEB)["options"] == (
        "-c statement_timeout=10000 -c lock_timeout=5000"
        " -c idle_in_transaction_session_timeout=15000"
        " -c jit=off -c max_parallel_workers_per_gather=0"
    )


def busy(request):
    raise OperationalError("couldn't get a connection") from PoolTimeout("after 1.00 sec")


def test_a_pooler_without_a_server_is_busy():
    error = OperationalError("server login has been failing, try again later")
    assert not is_busy(error)
    error.__cause__ = ProtocolViolation(str(error))
    assert is_busy(error)


def broken(request):
    raise OperationalError("something else") from ValueError("it")


urlpatterns = [path("busy/", busy), path("broken/", broken), *everywhere]
handler500 = failed


@pytest.mark.urls(__name__)
def test_who_finds_no_connection_is_told_when_to_ask_again():
    client = Client(raise_request_exception=False)
    answer = client.get("/busy/")
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "3"
    assert answer.headers["Cache-Control"] == "no-store"
    assert "too busy" in answer.content.decode()
    assert answer.headers["Refresh"] == "3"
    assert "tries again by itself" in answer.content.decode()


@pytest.mark.urls(__name__)
def test_what_a_form_sent_is_not_sent_again_by_itself():
    answer = Client(raise_request_exception=False).post("/busy/")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "3")
    assert "Refresh" not in answer.headers
    assert "Go back and try again" in answer.content.decode()


@pytest.mark.urls(__name__)
@pytest.mark.django_db
def test_other_errors_of_the_database_are_errors():
    answer = Client(raise_request_exception=False).get("/broken/")
    assert answer.status_code == 500
    assert "Retry-After" not in answer.headers


MOST = 5


@pytest.fixture
def pooled(transactional_db):
    """Makes connections that share a pool, as the threads of a web process do."""
    made = []

    def make():
        connection = connections["default"].copy("pooled")
        connection.settings_dict = copy.deepcopy(connection.settings_dict)
        connection.settings_dict["OPTIONS"]["pool"] = {
            "min_size": 1,
            "max_size": MOST,
            "timeout": WEB.patience,
            "reconnect_timeout": WEB.patience / 2,
        }
        connection.inc_thread_sharing()
        made.append(connection)
        return connection

    yield make
    for connection in made:
        connection.close()
    made[0].close_pool()


def ask(connection):
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return cursor.fetchone()[0]


@pytest.mark.postgres
def test_when_one_connection_is_found_dead_all_are_replaced_in_time(pooled):
    opened = [pooled() for _ in range(MOST)]
    dead = {ask(connection) for connection in opened}
    for connection in opened:
        connection.close()
    with connections["default"].cursor() as cursor:
        # Each call waits until the connection is gone, ten seconds at most.
        ended = "SELECT bool_and(pg_terminate_backend(pid, 10000)) FROM unnest(%s) pid"
        cursor.execute(ended, [[*dead]])
        assert cursor.fetchone() == (True,)
    found = []
    threads = [
        threading.Thread(target=lambda one=one: found.append(ask(one))) for one in opened[1:]
    ]
    found.append(ask(opened[0]))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == MOST, "nobody waited in vain"
    assert not dead & set(found)


@pytest.mark.postgres
def test_who_finds_no_connection_is_refused(pooled):
    opened = [pooled() for _ in range(MOST)]
    for connection in opened:
        ask(connection)
    with pytest.raises(OperationalError) as refused:
        ask(pooled())
    assert is_busy(refused.value)
