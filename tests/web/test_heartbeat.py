"""A web process notes that it answers: only when it does."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from types import SimpleNamespace
from unittest.mock import AsyncMock

import pytest
from asgiref.sync import sync_to_async
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, connections
from django.test import Client
from django.utils import timezone

from config.asgi import application
from games import health
from games.live import heartbeat
from games.live.heartbeat import Heartbeat, status_of_home
from games.matches import selectors
from games.matches.clocks import outages
from games.matches.models import Outage, Sweep

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def fresh_process(monkeypatch):
    """What an earlier test noted of this process doesn't count."""
    monkeypatch.setattr(health, "_busy_since", None)


def answering(status):
    async def app(scope, receive, send):
        await receive()
        await send({"type": "http.response.start", "status": status, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    return app


async def broken(scope, receive, send):
    raise DatabaseError


async def noted():
    return await Sweep.objects.filter(name=selectors.WEB).aexists()


async def test_the_site_answers_itself_with_its_home_page():
    assert await status_of_home(application) == 200


async def test_the_site_answers_itself_where_https_is_wanted(settings):
    settings.SECURE_SSL_REDIRECT = True
    settings.SITE_URL = "https://testserver"
    assert await status_of_home(application) == 200


async def test_who_answers_notes_it():
    assert await Heartbeat(answering(200)).beat()
    assert await noted()


async def test_a_process_that_is_busy_with_visitors_notes_that_it_answers():
    """Otherwise they could stop all clocks."""
    assert await Heartbeat(answering(503)).beat()
    assert await noted()


async def test_a_busy_process_whose_database_is_away_notes_nothing(monkeypatch):
    def away(name, *, now):
        raise DatabaseError("connection refused")

    monkeypatch.setattr(outages, "beat", away)
    assert not await Heartbeat(answering(503)).beat()


@pytest.mark.postgres
def test_a_heartbeat_needs_no_connection_of_the_pool(monkeypatch):
    pool = {"min_size": 1, "max_size": 1, "timeout": 0.1}
    monkeypatch.setitem(connection.settings_dict["OPTIONS"], "pool", pool)
    page = connections.create_connection(DEFAULT_DB_ALIAS)
    page.ensure_connection()
    try:
        with ThreadPoolExecutor(1, initializer=heartbeat._leave_the_pool) as writer:
            writer.submit(heartbeat._write).result()
            writer.submit(connections.close_all).result()
    finally:
        page.close()
        page.close_pool()
    assert Sweep.objects.filter(name=selectors.WEB).exists()


def health_of_process():
    return Client().get("/healthz").status_code


async def test_a_process_that_is_busy_for_minutes_counts_as_broken(monkeypatch):
    """It may have lost its connections, which only a new process gets back."""
    now = 1000.0
    monkeypatch.setattr(health, "time", SimpleNamespace(monotonic=lambda: now))
    asked = sync_to_async(health_of_process)
    busy = Heartbeat(answering(503))
    await busy.beat()
    assert await asked() == 200
    now += health.BUSY_TIMEOUT
    await busy.beat()
    assert await asked() == 503
    await Heartbeat(answering(200)).beat()
    assert await asked() == 200


async def test_a_process_whose_database_is_away_counts_as_well(monkeypatch):
    """A new process would find it away, too."""
    now = 1000.0
    monkeypatch.setattr(health, "time", SimpleNamespace(monotonic=lambda: now))
    await Heartbeat(answering(503)).beat()
    now += health.BUSY_TIMEOUT
    await Heartbeat(broken).beat()
    assert await sync_to_async(health_of_process)() == 200


async def test_it_is_noted_though_all_threads_of_the_loop_wait_for_something_else():
    loop, over = asyncio.get_running_loop(), threading.Event()
    waiting = [loop.run_in_executor(None, over.wait) for _ in range(40)]
    try:
        assert await asyncio.wait_for(Heartbeat(answering(200)).beat(), 30)
    finally:
        over.set()
        await asyncio.gather(*waiting)


@pytest.mark.parametrize("app", [*map(answering, (302, 404, 429, 500)), broken])
async def test_who_does_not_answer_notes_nothing(app, caplog):
    beating = Heartbeat(app)
    assert not await beating.beat()
    assert not await beating.beat()
    assert not await noted()
    assert len(caplog.records) == 1, "it is logged once"


async def test_who_cannot_write_does_not_serve_players(monkeypatch):
    def full(name, *, now):
        raise DatabaseError("disk full")

    monkeypatch.setattr(outages, "beat", full)
    assert not await Heartbeat(answering(200)).beat()


async def test_an_application_that_hangs_is_asked_once(monkeypatch):
    monkeypatch.setattr(heartbeat, "REQUEST_PERIOD", 0.01)
    asked, let, written = [], asyncio.Event(), asyncio.Event()
    monkeypatch.setattr(heartbeat, "_note", AsyncMock(side_effect=written.set))

    async def hanging(scope, receive, send):
        asked.append(scope["path"])
        await let.wait()
        await answering(200)(scope, receive, send)

    beating = Heartbeat(hanging)
    beating.start()
    await asyncio.sleep(0.2)
    assert asked == ["/"]
    assert not written.is_set()
    let.set()
    await asyncio.wait_for(written.wait(), 30)
    await beating.stop()


async def test_an_answer_that_never_comes_is_given_up_and_the_next_one_counts(monkeypatch):
    monkeypatch.setattr(heartbeat, "REQUEST_TIMEOUT", 0.05)
    monkeypatch.setattr(heartbeat, "REQUEST_PERIOD", 0.01)
    asked, written = [], asyncio.Event()
    monkeypatch.setattr(heartbeat, "_note", AsyncMock(side_effect=written.set))

    async def lost_at_first(scope, receive, send):
        asked.append(scope["path"])
        if len(asked) == 1:
            await asyncio.Event().wait()
        await answering(200)(scope, receive, send)

    beating = Heartbeat(lost_at_first)
    beating.start()
    await asyncio.wait_for(written.wait(), 30)
    await beating.stop()


async def test_a_lost_answer_makes_no_outage():
    assert (
        selectors.UNANSWERED.total_seconds() > heartbeat.REQUEST_TIMEOUT + heartbeat.REQUEST_PERIOD
    )


async def test_an_answer_under_way_is_waited_for_when_the_process_stops(monkeypatch):
    asked, let, written = asyncio.Event(), asyncio.Event(), asyncio.Event()
    monkeypatch.setattr(heartbeat, "_note", AsyncMock(side_effect=written.set))
    monkeypatch.setattr(heartbeat, "STOP_TIMEOUT", 10)

    async def slow(scope, receive, send):
        asked.set()
        await let.wait()
        await answering(200)(scope, receive, send)

    beating = Heartbeat(slow)
    beating.start()
    await asked.wait()
    stopping = asyncio.create_task(beating.stop())
    await asyncio.sleep(0.05)
    assert not stopping.done()
    let.set()
    await stopping
    assert written.is_set()


async def test_an_answer_that_hangs_is_not_waited_for_when_the_process_stops(monkeypatch):
    monkeypatch.setattr(heartbeat, "STOP_TIMEOUT", 0.05)
    asked = asyncio.Event()

    async def hanging(scope, receive, send):
        asked.set()
        await asyncio.Event().wait()

    beating = Heartbeat(hanging)
    beating.start()
    await asked.wait()
    await asyncio.wait_for(beating.stop(), 30)


async def test_the_first_answer_after_an_outage_notes_it():
    gone = timezone.now() - timedelta(hours=1)
    await Sweep.objects.acreate(name=selectors.WEB, ran=gone)
    assert await Heartbeat(answering(200)).beat()
    outage = await Outage.objects.aget()
    assert (outage.cause, outage.began) == ("web", gone)
