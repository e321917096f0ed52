"""The two questions that load balancers ask."""

import json
import threading
from dataclasses import replace
from functools import partial

import pytest
from django.db import OperationalError
from django.test import override_settings

from config.celery import app
from games import health

CLOSED = "redis://:hush@127.0.0.1:1/0"
"""Nobody listens at this port."""

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def closed_broker():
    before = app.conf.broker_url
    app.conf.broker_url = CLOSED
    app.conf.broker_write_url = CLOSED
    yield
    app.conf.broker_url = app.conf.broker_write_url = before


def fail(*args, **kwargs):
    raise ConnectionError("redis://:hush@cache.internal refused")


def test_process_lives_whatever_else_fails(client, monkeypatch, django_assert_num_queries):
    monkeypatch.setattr(health, "cache", fail)
    with django_assert_num_queries(0):
        answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"ok\n")


def test_everything_answers(client):
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {
        "ready": True,
        "parts": {
            "database": {"ok": True},
            "writing": {"ok": True},
            "cache": {"ok": True},
            "channel layer": {"ok": True},
            "broker": {"ok": True},
        },
    }


@pytest.mark.parametrize(
    ("name", "part"),
    [("connection", "database"), ("cache", "cache"), ("get_channel_layer", "channel layer")],
)
def test_one_part_that_fails_is_named_and_the_others_are_well(client, monkeypatch, name, part):
    monkeypatch.setattr(health, name, fail)
    parts = client.get("/readyz").json()["parts"]
    assert [which for which, state in parts.items() if not state["ok"]] == [part]


def test_process_without_its_database_is_not_ready(client, monkeypatch):
    monkeypatch.setattr(health, "connection", fail)
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["ready"] is False


def test_site_without_redis_says_so_and_stays_in_service(client, monkeypatch, closed_broker):
    """It plays without: a proxy that left out all processes would make an outage of it."""
    monkeypatch.setattr(health, "cache", fail)
    monkeypatch.setattr(health, "get_channel_layer", fail)
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json()["ready"] is True
    assert ill(answer) == {"cache", "channel layer", "broker"}


def test_broker_that_is_away(client, closed_broker):
    answer = client.get("/readyz")
    assert answer.json()["parts"]["broker"] == {"ok": False, "error": "OperationalError"}


def test_admins_get_no_mail_with_every_question(client, monkeypatch, caplog):
    monkeypatch.setattr(health, "cache", fail)
    client.get("/readyz")
    assert [record.name for record in caplog.records] == ["games.health"]


def test_errors_tell_no_secrets(client, monkeypatch, closed_broker, caplog):
    monkeypatch.setattr(health, "cache", fail)
    text = json.dumps(client.get("/readyz").json())
    assert "hush" not in text
    assert "internal" not in text


@pytest.fixture
def hanging(monkeypatch):
    """Let some parts hang until the test ends: ``hanging("cache", …)``; says who was asked."""
    let, asked = threading.Event(), []
    monkeypatch.setattr(health, "CHECK_TIMEOUT", 1.5)

    def ask(name):
        asked.append(name)
        let.wait(30)

    def _hang(*names):
        parts = [
            replace(part, check=health.Check(part.check.name, partial(ask, part.check.name)))
            if part.check.name in names
            else part
            for part in health.PARTS
        ]
        monkeypatch.setattr(health, "PARTS", parts)
        return asked

    yield _hang
    let.set()


def ill(answer):
    return {name for name, part in answer.json()["parts"].items() if not part["ok"]}


@pytest.mark.slow
@pytest.mark.parametrize(("part", "status"), [("database", 503), ("cache", 200)])
def test_part_that_hangs_is_not_waited_for(client, hanging, part, status):
    hanging(part)
    answer = client.get("/readyz")
    assert answer.status_code == status
    assert answer.json()["parts"][part] == {"ok": False, "error": "TimeoutError"}
    assert ill(answer) == {part}


@pytest.mark.slow
def test_the_ill_part_is_told_from_the_others_however_often_it_was_asked(client, hanging):
    """Its questions do not pile up, nor take the place of those to other parts."""
    asked = hanging("cache", "channel layer", "broker")
    for _ in range(4):
        assert ill(client.get("/readyz")) == {"cache", "channel layer", "broker"}
    assert sorted(asked) == ["broker", "cache", "channel layer"]


def test_part_that_answers_again_is_well_again(client, monkeypatch):
    monkeypatch.setattr(health, "cache", fail)
    assert ill(client.get("/readyz")) == {"cache"}
    monkeypatch.undo()
    assert ill(client.get("/readyz")) == set()


@pytest.mark.slow
def test_who_waits_for_a_hanging_part_does_not_keep_the_process_from_ending(client, hanging):
    hanging("broker")
    client.get("/readyz")
    (thread,) = (thread for thread in threading.enumerate() if thread.name == "readyz broker")
    assert thread.daemon


def test_site_that_cannot_write_says_so_and_stays_in_service(client, monkeypatch):
    def full(*args, **kwargs):
        raise OperationalError("could not extend file: No space left on device")

    monkeypatch.setattr(health.Sweep.objects, "bulk_create", full)
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert ill(answer) == {"writing"}
    assert answer.json()["parts"]["writing"]["error"] == "OperationalError"


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_asked_by_number_and_without_https(client, path):
    with override_settings(ALLOWED_HOSTS=["games.example.org"], SECURE_SSL_REDIRECT=True):
        assert client.get(path, headers={"host": "10.0.0.7:8000"}).status_code == 200
        assert client.get("/", headers={"host": "10.0.0.7:8000"}).status_code == 400


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_answers_carry_the_headers_of_pages(client, path):
    headers = client.get(path).headers
    assert "default-src 'self'" in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"
    assert "camera=()" in headers["Permissions-Policy"]


def test_no_page_may_change_the_base_of_its_links(client):
    assert "base-uri 'none'" in client.get("/").headers["Content-Security-Policy"]
