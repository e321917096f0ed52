"""Statements that an event loop runs: on SQLite by a thread, on PostgreSQL by its own pool."""

import asyncio
import contextlib
import time

import psycopg
import pytest
from asgiref.sync import async_to_sync
from channels.db import database_sync_to_async
from django.conf import settings
from django.db import IntegrityError, OperationalError, connection
from django.utils import timezone
from psycopg_pool import PoolTimeout

from config.errors import is_busy
from config.postgresql import loop_pool
from games.matches import store
from games.matches.models import LogEntry
from games.matches.store import Statement, run, run_in_loop
from games.matches.update import MatchUpdate
from tests.match_driver import begin

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def match(people):
    found = begin("die", people, size=3, seats=2)
    found.play_on(2)
    return found


def moved(match):
    """A move that is worked out and not written yet."""
    update = MatchUpdate.load(match.id, timezone.now())
    snapshot = update.snapshot
    seat = snapshot.actors[0]
    update.play(seat, str(next(iter(snapshot.title.moves(snapshot.state, seat)))))
    update.finalize()
    return update.change()


def asking(sql, *values, is_read=True):
    """A statement of tests, whose result are its rows."""
    return Statement(sql, values, list, is_read)


def sleep(seconds):
    return asking("SELECT pg_sleep(%s)", seconds)


WHO = asking("SELECT pg_backend_pid()")


def pool():
    return loop_pool._pools[asyncio.get_running_loop()]


@pytest.fixture(params=["thread", pytest.param("pool", marks=pytest.mark.postgres)])
def _both_ways(request, settings):
    if request.param == "thread":
        settings.LOOP_CONNECTIONS = 0


@pytest.mark.usefixtures("_both_ways")
async def test_a_loop_reads_what_a_thread_reads(match):
    statement = store.match_with_players(match.id)
    found, players = await run_in_loop(statement)
    expected, others = await database_sync_to_async(run)(statement)
    assert (found, players) == (expected, others)
    assert found.position == expected.position
    assert [player.user.username for player in players] == [one.user.username for one in others]
    _, entries = await run_in_loop(store.match_with_log(match.id, 0, 10))
    assert [entry.number for entry in entries] == [1, 2]
    assert entries[0].at.tzinfo == timezone.now().tzinfo


@pytest.mark.usefixtures("_both_ways")
async def test_a_loop_writes_a_change_once(match):
    change = await database_sync_to_async(moved)(match)
    assert await run_in_loop(store.write(change)) == [False, False]
    assert await run_in_loop(store.write(change)) is None
    assert await LogEntry.objects.acount() == 3


@pytest.mark.usefixtures("_both_ways")
async def test_a_row_that_is_refused_is_not_quoted(match):
    change = await database_sync_to_async(moved)(match)
    change.players[0].rank = 0
    change.players[0].dropped = "secret-word"[:10]
    with pytest.raises(IntegrityError) as refused:
        await run_in_loop(store.write(change))
    assert "secret" not in str(refused.value)
    assert await LogEntry.objects.acount() == 2
    _, entries = await run_in_loop(store.match_with_log(change.match.pk, 2, 10))
    assert entries == []


@pytest.mark.postgres
async def test_many_tasks_share_a_few_connections():
    found = await asyncio.gather(*(run_in_loop(WHO) for _ in range(200)))
    assert len({rows[0][0] for rows in found}) <= settings.LOOP_CONNECTIONS
    assert pool().opened == pool().available <= settings.LOOP_CONNECTIONS


@pytest.mark.postgres
async def test_who_waits_too_long_is_told(monkeypatch):
    await run_in_loop(WHO)
    async with contextlib.AsyncExitStack() as held:
        for _ in range(settings.LOOP_CONNECTIONS):
            await held.enter_async_context(pool()._connection())
        monkeypatch.setattr(pool(), "_patience", 0.05)
        with pytest.raises(OperationalError, match="all are in use") as late:
            await run_in_loop(WHO)
    assert is_busy(late.value)
    assert not pool().waiting
    monkeypatch.undo()
    assert await run_in_loop(WHO)


@pytest.mark.postgres
async def test_who_waits_is_served_in_turn():
    await run_in_loop(WHO)
    async with contextlib.AsyncExitStack() as held:
        for _ in range(settings.LOOP_CONNECTIONS):
            await held.enter_async_context(pool()._connection())
        served = []
        tasks = [asyncio.ensure_future(told(served, number)) for number in range(3)]
        await asyncio.sleep(0)
        assert pool().waiting == len(tasks)
    await asyncio.gather(*tasks)
    assert sorted(served) == [0, 1, 2]


async def told(served, number):
    served.extend(row[0] for row in await run_in_loop(asking("SELECT %s::int", number)))


@pytest.mark.postgres
async def test_a_task_that_is_cancelled_gives_its_connection_back():
    for _ in range(3 * settings.LOOP_CONNECTIONS):
        task = asyncio.ensure_future(run_in_loop(sleep(60)))
        await asyncio.sleep(0.02)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert pool().opened == pool().available
    assert await run_in_loop(WHO)


@pytest.mark.postgres
async def test_a_statement_that_fails_leaves_a_connection_that_works():
    divided = "SELECT 1 / %s::int"
    for _ in range(3):
        with pytest.raises(Exception, match="division by zero"):
            await run_in_loop(asking(divided, 0))
    assert await run_in_loop(asking(divided, 1)) == [(1,)]
    assert pool().opened == 1


def ask_others(query, *values):
    """Ask by a connection of its own."""
    how = connection.get_connection_params()
    with psycopg.connect(dbname=how["dbname"], autocommit=True, **server(how)) as other:
        return other.execute(query, values).fetchall()


def server(how):
    return {name: how[name] for name in ("host", "port", "user", "password") if name in how}


def kill(pid):
    """End a connection, and wait until it is gone."""
    ask_others("SELECT pg_terminate_backend(%s, 10000)", pid)


async def pids():
    """Open all connections of the pool; return their processes at the server."""
    await asyncio.gather(*(run_in_loop(sleep(0.05)) for _ in range(settings.LOOP_CONNECTIONS)))
    return {idle.info.backend_pid for idle in pool()._idle}


@pytest.mark.postgres
async def test_reads_and_changes_survive_a_restart_of_the_server(match):
    """The server ends all connections while they are idle, as it does when it is restarted."""
    change = await database_sync_to_async(moved)(match)
    lost = await pids()
    assert len(lost) == settings.LOOP_CONNECTIONS
    for pid in lost:
        await database_sync_to_async(kill)(pid)
    assert await run_in_loop(store.write(change)) == [False, False]
    found = await asyncio.gather(*(run_in_loop(WHO) for _ in range(10)))
    assert not lost & {rows[0][0] for rows in found}
    assert pool().opened <= settings.LOOP_CONNECTIONS


async def cut_off(*, is_read):
    """Run a statement that ends its own connection, the first time it is sent."""
    (pid,) = (await run_in_loop(WHO))[0]
    end = "SELECT pg_terminate_backend(pg_backend_pid()), pg_sleep(60) WHERE pg_backend_pid() = %s"
    return await run_in_loop(asking(end, pid, is_read=is_read))


@pytest.mark.postgres
async def test_a_read_that_is_cut_off_is_repeated_and_a_change_is_not():
    assert await cut_off(is_read=True) == []
    with pytest.raises(OperationalError):
        await cut_off(is_read=False)
    assert await run_in_loop(WHO)


@pytest.mark.postgres
async def test_a_server_that_is_away_is_waited_for(monkeypatch):
    connect, attempts = psycopg.AsyncConnection.connect, []

    async def refused(**how):
        attempts.append(how)
        if len(attempts) < 3:
            raise psycopg.OperationalError("connection refused")
        return await connect(**how)

    monkeypatch.setattr(loop_pool.AsyncConnection, "connect", refused)
    assert await run_in_loop(WHO)
    assert len(attempts) == 3


@pytest.mark.postgres
async def test_a_server_that_stays_away_is_given_up(monkeypatch):
    async def refused(**how):
        raise psycopg.OperationalError("connection refused")

    monkeypatch.setattr(loop_pool, "DEFAULT_TIMEOUT", 0.3)
    monkeypatch.setattr(loop_pool.AsyncConnection, "connect", refused)
    with pytest.raises(OperationalError, match="connection refused") as away:
        await run_in_loop(WHO)
    assert isinstance(away.value.__cause__, PoolTimeout)


def wait_until_gone(pids):
    """Wait until the server has noticed that connections were closed."""
    end = time.monotonic() + 60
    while ask_others("SELECT FROM pg_stat_activity WHERE pid = ANY(%s)", list(pids)):
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.postgres
def test_a_loop_that_ends_closes_its_connections():
    async def ask():
        return (await run_in_loop(WHO))[0][0]

    found = {async_to_sync(ask)() for _ in range(3)} | {asyncio.run(ask()) for _ in range(3)}
    assert len(found) == 6, "each loop has its own"
    wait_until_gone(found)
    assert loop_pool.stats()["pool_size"] == 0


@pytest.mark.postgres
async def test_a_pool_is_closed_at_shutdown_and_opened_again_by_who_asks():
    closing = await run_in_loop(WHO) and pool()
    async with closing._connection() as used:
        await store.close_pool()
        assert await (await used.execute("SELECT 1")).fetchone() == (1,), "its statement may end"
    assert closing.opened == 0
    assert used.closed
    assert await run_in_loop(WHO)


@pytest.mark.postgres
async def test_its_connections_are_set_up_as_those_of_threads():
    names = ["TimeZone", "statement_timeout", "lock_timeout", "client_encoding", "jit"]
    shown = asking(f"SELECT {', '.join(f'current_setting({name!r})' for name in names)}")
    ask = database_sync_to_async(run)
    assert await run_in_loop(shown) == await ask(shown)
