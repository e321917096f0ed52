"""Logs for programs: an object a line, with the request's id wherever it leads, and no secrets."""

import json
import logging
import threading
from io import StringIO

import pytest
import structlog
from celery.signals import before_task_publish
from django.core.cache import cache
from django.core.mail.backends import console
from django.test import Client
from django.urls import path
from django_structlog.celery.steps import DjangoStructLogInitStep

from config.asgi import application
from config.background import Background
from config.celery import app as celery_app
from config.logs import JsonFormatter, RepeatFilter
from config.middleware import FAILED, SocketIds
from config.redaction import SafeAddressFilter
from config.urls import urlpatterns as everywhere
from games.matches.tasks import run_queues, start_runs
from tests.people import PASSWORD as PEOPLES_PASSWORD
from tests.people import path_in, sent
from tests.sockets import Communicator

TOKEN = "Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MGFiY2RlZmdoaWo"
MOVE, PASSWORD, ADDRESS = "c3-build-tower", "hush-redis", "ada@example.org"
log = logging.getLogger("games.of-a-test")


@pytest.fixture
def written():
    """The objects that are written, as production writes them."""
    found = []
    handler = logging.Handler()
    handler.setFormatter(JsonFormatter())
    for one in (SafeAddressFilter(), RepeatFilter()):
        handler.addFilter(one)
    handler.emit = lambda record: found.append(json.loads(handler.format(record)))
    root = logging.getLogger()
    root.addHandler(handler)
    yield found
    root.removeHandler(handler)


def told(written):
    return [line for line in written if line["logger"] == "games.of-a-test"]


def says(request, token):
    log.warning("Looked at %s", request.get_full_path())
    return everywhere[0].callback(request)


def fails(request, token):
    raise LookupError(f"{request.POST['move']} redis://:{PASSWORD}@cache")


urlpatterns = [
    path("says/<str:token>/", says),
    path("fails/<str:token>/", fails),
    *everywhere,
]


@pytest.mark.urls(__name__)
def test_what_a_request_logs_has_its_id_and_no_secrets(written):
    answer = Client().get(f"/says/{TOKEN}/?word={MOVE}")
    (line,) = told(written)
    assert line["request_id"] == answer.headers["X-Request-ID"]
    assert line["event"] == "Looked at /says/…/"
    assert line["level"] == "warning"
    assert line.keys() == {"timestamp", "level", "logger", "event", "request_id"}


@pytest.mark.parametrize(
    "text",
    [
        '<a href="https://games.example.org/account/x/{}/">',
        "<a href='/account/x/{}/?next=/a'>",
        "<a href=https://games.example.org/account/x/{}/>",
        "(https://games.example.org/account/x/{}/)",
        "<https://games.example.org/account/x/{}/>",
        "{{&quot;link&quot;: &quot;https://games.example.org/account/x/{}/&quot;}}",
    ],
)
def test_links_hold_no_token_whatever_stands_before_them(written, text):
    log.warning(text.format(TOKEN))
    (line,) = told(written)
    assert TOKEN not in line["event"]
    assert "/account/x/…" in line["event"]


@pytest.mark.django_db
def test_a_mail_that_is_written_to_the_log_holds_no_token(written, settings):
    """Workers print mails of ``consolemail://`` instead (deployment/test_worker_output.py)."""
    cache.clear()
    form = {"username": "Alice", "email": "alice@example.org", "password1": PEOPLES_PASSWORD}
    Client().post("/account/signup/", form)
    (message,) = sent()
    token = path_in(message, "confirm-email").split("/")[3]
    printed = StringIO()
    console.EmailBackend(stream=printed).send_messages([message])
    assert printed.getvalue().count(token) == 2
    log.warning("%s", printed.getvalue())
    log.warning(printed.getvalue().replace("%", "%%"))
    assert len(told(written)) == 2
    assert not [line for line in told(written) if token in line["event"]]


@pytest.mark.urls(__name__)
@pytest.mark.django_db
def test_an_error_is_one_object_and_tells_nothing_that_was_sent(written):
    client = Client(raise_request_exception=False)
    answer = client.post(f"/fails/{TOKEN}/?word=e4-e5", {"move": MOVE, "mail": ADDRESS})
    (line,) = [line for line in written if line["level"] == "error"]
    assert line["logger"] == "django.request"
    assert line["request_id"] == answer.headers["X-Request-ID"]
    assert "LookupError" in line["exception"]
    for secret in (TOKEN, MOVE, PASSWORD, ADDRESS, "e4-e5"):
        assert secret not in json.dumps(written), secret


def test_ids_of_requests_differ_and_end_with_them(written):
    ids = {Client().get("/healthz").headers["X-Request-ID"] for _ in range(3)}
    assert len(ids) == 3
    log.warning("Afterwards")
    assert "request_id" not in told(written)[0]


def test_nothing_else_that_was_bound_is_told(written):
    with structlog.contextvars.bound_contextvars(request_id="r", hand="c3 d4", mail=ADDRESS):
        log.error("It failed: %s", "x", extra={"password": PASSWORD})
    (line,) = told(written)
    assert line.keys() == {"timestamp", "level", "logger", "event", "request_id"}


def test_a_task_has_the_id_of_the_request_that_sent_it():
    """What django-structlog hands on with a task's headers, and binds where the task runs."""
    headers = {}
    with structlog.contextvars.bound_contextvars(request_id="of-the-request"):
        before_task_publish.send("a-task", headers=headers, body={}, properties={})
    assert headers["__django_structlog__"] == {"request_id": "of-the-request"}
    assert DjangoStructLogInitStep in celery_app.steps["worker"]


def test_a_thread_that_a_request_starts_has_its_id(written):
    done = threading.Event()

    def work(_items):
        log.warning("In the thread")
        done.set()

    background = Background("of-a-test", work, lambda _, newer: newer)
    with structlog.contextvars.bound_contextvars(request_id="of-the-request"):
        background.put({1: None})
    assert done.wait(10)
    assert told(written)[0]["request_id"] == "of-the-request"


def test_runs_of_several_matches_are_sent_under_the_ids_of_their_own_requests(monkeypatch):
    ids = []
    monkeypatch.setattr(
        run_queues,
        "apply_async",
        lambda args, **_: ids.append((args, structlog.contextvars.get_contextvars())),
    )
    with structlog.contextvars.bound_contextvars(request_id="of-the-first"):
        start_runs({1: {"request_id": "of-the-first"}, 2: {"request_id": "of-another"}, 3: None})
    assert ids == [((1,), {"request_id": "of-the-first"}), ((2,), {"request_id": "of-another"})]


async def test_a_socket_has_an_id_of_its_own(written):
    async def page(scope, receive, send):
        log.warning(scope["path"])
        await send({"type": "websocket.accept"})

    for address in ("/one/", "/two/"):
        assert (await Communicator(SocketIds(page), address).connect())[0]
    first, second = told(written)
    assert first["request_id"] != second["request_id"]
    assert isinstance(application.application_mapping["websocket"], SocketIds)


async def test_what_fails_on_a_socket_is_told_under_its_id(written):
    async def page(scope, receive, send):
        log.warning("Before")
        raise LookupError(scope["path"])

    socket = Communicator(SocketIds(page), "/one/")
    assert await socket.connect() == (False, FAILED)
    before, failed = written
    assert failed["level"] == "error"
    assert "LookupError" in failed["exception"]
    assert failed["request_id"] == before["request_id"]


async def test_a_socket_that_fails_is_closed_with_a_code_that_the_server_can_send():
    async def page(scope, receive, send):
        await send({"type": "websocket.accept"})
        raise LookupError(scope["path"])

    socket = Communicator(SocketIds(page), "/one/")
    await socket.connect()
    closed = await socket.receive_output()
    # Daphne raises an error for others, and the page hears of no code (autobahn's sendClose).
    assert closed["code"] == 1000 or 3000 <= closed["code"] <= 4999


async def test_the_server_may_have_given_the_id(written):
    async def page(scope, receive, send):
        log.warning("Here")
        await send({"type": "websocket.accept"})

    socket = Communicator(SocketIds(page), "/one/")
    socket.scope["request_id"] = "of-the-server"
    await socket.connect()
    assert told(written)[0]["request_id"] == "of-the-server"


def test_a_server_that_is_away_is_one_short_object(written):
    error = ConnectionRefusedError(f"redis://:{PASSWORD}@cache")
    log.error("Cannot reach it\nTraceback: at length", exc_info=error)
    (line,) = told(written)
    assert line["event"] == "Cannot reach it (ConnectionRefusedError)"
    assert "exception" not in line


def test_trouble_is_said_once_a_minute_here_too(written):
    for number in range(5):
        log.warning("It is away: %s", number)
    assert len(told(written)) == 1
