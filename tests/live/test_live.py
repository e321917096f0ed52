"""The socket of a page: what it hears, what it may say, when the site hangs up."""

import asyncio
import contextlib
import json
import os
from datetime import timedelta
from types import SimpleNamespace

import pytest
import redis
from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.models import Session
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from accounts import presence
from accounts.models import User
from config.asgi import application
from games.events import services as events
from games.live import allowance, consumers, lookups
from games.live.consumers import (
    MALFORMED,
    OUTDATED,
    PROTOCOL,
    RATE_LIMITED,
    SESSION_ENDED,
    UNKNOWN,
    PageConsumer,
)
from games.live.origin import is_own_origin
from games.matches import services
from games.matches.models import Match
from games.matches.notify import push
from tests.events.test_tournaments import announce
from tests.match_driver import begin, fresh_cache, match_driver
from tests.sockets import Communicator

__all__ = ["fresh_cache", "match_driver"]

pytestmark = pytest.mark.django_db(transaction=True)


class Socket(Communicator):
    """The socket of one page."""

    def __init__(self, user=None, query=""):
        super().__init__(PageConsumer.as_asgi(), f"/ws/?{query}")
        self.scope["user"] = user or AnonymousUser()

    async def __aenter__(self):
        connected, _ = await self.connect()
        assert connected
        return self

    async def __aexit__(self, *_):
        await self.disconnect()

    async def hear(self):
        return await self.receive_json_from(timeout=30)

    async def say(self, word):
        await self.send_json_to({"type": word})


def watching(match_driver, user=None):
    return Socket(user, f"match={match_driver.id}")


play = sync_to_async(lambda match_driver, *texts: match_driver.play(*texts))


async def test_a_page_hears_the_version_at_once_and_after_a_move(match_driver):
    async with watching(match_driver) as page:
        assert await page.hear() == {"type": "beat", "version": 0, "epoch": 0}
        await play(match_driver, "c3")
        assert await page.hear() == {"type": "match", "version": 1}


async def test_nothing_is_pushed_but_that_something_changed(match_driver):
    """Of two whole messages a move brings, neither tells what was played."""
    async with watching(match_driver, match_driver.people[1]) as page:
        await page.hear()
        await play(match_driver, "c3")
        heard = [await page.hear() for _ in range(2)]
        assert sorted(heard, key=str) == [{"type": "match", "version": 1}, {"type": "me"}]
        assert await page.receive_nothing()


async def test_a_player_hears_of_own_matches_from_any_page(match_driver):
    async with Socket(match_driver.people[1]) as mine, Socket(match_driver.people[2]) as other:
        assert await mine.hear() == {"type": "beat"}
        assert await other.hear() == {"type": "beat"}
        await play(match_driver, "c3")
        assert await mine.hear() == {"type": "me"}
        assert await other.receive_nothing()


async def test_a_page_of_another_match_hears_nothing(match_driver):
    elsewhere = await sync_to_async(begin)("die", match_driver.people, size=3)
    async with watching(elsewhere) as page:
        await page.hear()
        await play(match_driver, "c3")
        assert await page.receive_nothing()


async def test_the_lobby_is_heard_by_who_looks_at_it(match_driver):
    async with Socket(query="lobby=1") as lobby, watching(match_driver) as page:
        await lobby.hear()
        await page.hear()
        await get_channel_layer().group_send("lobby", {"type": "lobby.changed"})
        assert await lobby.hear() == {"type": "lobby"}
        assert await page.receive_nothing()


async def test_a_tournament_is_heard_by_who_looks_at_it():
    async with Socket(query="event=7") as page, Socket(query="event=8") as other:
        await page.hear()
        await other.hear()
        await sync_to_async(push.event_changed)(7, [])
        assert await page.hear() == {"type": "event"}
        assert await other.receive_nothing()


async def test_a_page_that_is_older_than_its_connection_hears_that_its_tournament_changed(
    toy, people
):
    shown = await sync_to_async(announce)(people[0])
    await sync_to_async(events.join)(tournament_id=shown.pk, user=people[1], now=timezone.now())
    async with Socket(query=f"event={shown.pk}") as page:
        assert await page.hear() == {"type": "beat", "changes": shown.changes + 1}


async def test_a_heartbeat_repeats_the_version_from_the_database(match_driver, monkeypatch):
    monkeypatch.setattr(consumers, "BEAT_PERIOD", 0.05)
    async with watching(match_driver) as page:
        assert (await page.hear())["version"] == 0
        found = Match.objects.filter(pk=match_driver.id)
        await sync_to_async(found.update)(version=9, clock_epoch=2)
        while (heard := await page.hear())["version"] == 0:
            pass
        assert heard == {"type": "beat", "version": 9, "epoch": 2}


async def test_who_asks_is_answered_at_once(match_driver):
    async with watching(match_driver) as page:
        await page.hear()
        await page.say("ask")
        assert await page.hear() == {"type": "beat", "version": 0, "epoch": 0}


async def test_a_page_that_is_seen_makes_its_reader_present(match_driver):
    ada, place = match_driver.people[0], f"match:{match_driver.id}"
    async with watching(match_driver, ada) as page:
        await page.hear()
        assert presence.last(ada.pk, place) is None
        await page.say("here")
        await page.say("ask")
        await page.hear()
        assert presence.last(ada.pk, place) is not None


async def test_a_spectator_who_is_not_signed_in_is_present_nowhere(match_driver, monkeypatch):
    monkeypatch.setattr(presence, "touch", lambda *args, **kwargs: pytest.fail("touched"))
    async with watching(match_driver) as page:
        await page.hear()
        await page.say("here")
        await page.say("ask")
        assert (await page.hear())["type"] == "beat"


@pytest.mark.parametrize("query", ["match=0", "match=1000", "match=999999999999999999"])
async def test_a_match_that_is_not_there(query, db):
    async with Socket(query=query) as page:
        assert await page.closed() == UNKNOWN


@pytest.mark.parametrize("key", ["match", "event"])
@pytest.mark.parametrize(
    "number", ["x", "-1", "1&match=2&event=2", "%F0", "%C2%B2", "1e1", "9" * 50]
)
async def test_a_question_that_cannot_be_read(key, number, db):
    async with Socket(query=f"{key}={number}") as page:
        assert await page.closed() == MALFORMED


OLDER, NEWER = str(int(PROTOCOL) - 1), str(int(PROTOCOL) + 1)


@pytest.mark.parametrize("protocol", ["0", OLDER, NEWER, "x", f"{PROTOCOL}&parts={NEWER}"])
async def test_a_page_of_another_release_is_told_to_load_again(protocol, match_driver):
    async with Socket(query=f"match={match_driver.id}&parts={protocol}") as page:
        assert await page.closed() == OUTDATED


def test_the_match_page_asks_for_the_format_that_the_site_knows(match_driver):
    page = Client().get(f"/matches/{match_driver.id}/").content.decode()
    assert f'data-live="match={match_driver.id}&amp;parts={PROTOCOL}&amp;lang=en-gb"' in page


async def test_a_page_may_watch_nothing(db):
    async with Socket(query="match=") as page:
        assert await page.hear() == {"type": "beat"}


@pytest.mark.parametrize(
    "said",
    [
        " ",
        "x",
        "{}",
        "[]",
        "1",
        '{"type": 1}',
        '{"type": "match.changed"}',
        "[" * 90,
        '{"type": "here", "more": "%s"}' % ("x" * 200),
    ],
)
async def test_a_page_that_says_anything_else_is_hung_up_on(match_driver, said):
    async with watching(match_driver) as page:
        await page.hear()
        await page.send_to(text_data=said)
        assert await page.closed() == MALFORMED


async def test_bytes_are_no_words(match_driver):
    async with watching(match_driver) as page:
        await page.hear()
        await page.send_to(bytes_data=b'{"type": "here"}')
        assert await page.closed() == MALFORMED


async def test_a_page_that_talks_without_end_is_hung_up_on(match_driver, monkeypatch):
    monkeypatch.setattr(consumers, "REFILL_PER_SECOND", 0)
    async with watching(match_driver) as page:
        await page.hear()
        for _ in range(consumers.BURST + 2):
            await page.say("here")
        assert await page.closed() == RATE_LIMITED


@pytest.mark.parametrize("word", ["ask", "here"])
async def test_beats_are_asked_for_and_answered_a_few_times_only(match_driver, monkeypatch, word):
    """The rest is ignored, and the socket stays open: who changes tabs fast does nothing wrong."""
    standing, queries = lookups.standing, []

    async def noted(match_id):
        queries.append(match_id)
        return await standing(match_id)

    async def mark_seen(*_):
        queries.append(word)

    monkeypatch.setattr(allowance, "time", SimpleNamespace(monotonic=lambda: 1000.0))
    user = match_driver.people[0]
    async with watching(match_driver, user) as page:
        await page.hear()
        monkeypatch.setattr(lookups, "standing", noted)
        monkeypatch.setattr(lookups, "mark_seen", mark_seen)
        for _ in range(consumers.MAX_BEATS + 5):
            await page.say(word)
        await page.send_to(text_data='{"type": "enter", "step": 1, "version": 0, "query": ""}')
        while (await page.hear())["type"] != "entered":
            pass
    assert queries.count(word) == consumers.MAX_BEATS
    assert queries.count(match_driver.id) == (consumers.MAX_BEATS if word == "ask" else 0)


async def test_nothing_goes_on_after_the_page_has_gone(match_driver):
    async with watching(match_driver) as page:
        await page.hear()
    await asyncio.sleep(0)
    names = {task.get_coro().__qualname__ for task in asyncio.all_tasks()}
    assert not any("_beat_on" in name for name in names)
    assert not get_channel_layer().groups.get(f"match.{match_driver.id}")


# --- The whole way in, through session and origin -----------------------------------------------


def line(match_driver, client=None, origin="http://testserver"):
    headers = [(b"origin", origin.encode()), (b"host", b"testserver")]
    if client:
        cookies = "; ".join(f"{key}={value.value}" for key, value in client.cookies.items())
        headers.append((b"cookie", cookies.encode()))
    return Communicator(application, f"/ws/?match={match_driver.id}", headers=headers)


async def test_a_page_of_another_site_gets_no_line(match_driver):
    for origin in ("http://evil.example", "null"):
        connected, _ = await line(match_driver, origin=origin).connect()
        assert not connected


async def test_the_session_says_who_listens(match_driver):
    client = await sync_to_async(match_driver.client)(1)
    page = line(match_driver, client)
    assert (await page.connect())[0]
    await page.receive_json_from(timeout=30)
    await play(match_driver, "c3")
    heard = [await page.receive_json_from(timeout=30) for _ in range(2)]
    assert {"type": "me"} in heard
    await page.disconnect()


async def test_a_line_without_a_session_hears_the_match_alone(match_driver):
    page = line(match_driver, Client())
    assert (await page.connect())[0]
    assert json.loads(await page.receive_from(timeout=30))["type"] == "beat"
    await sync_to_async(match_driver.act)(services.offer_close, 0)
    assert await page.receive_json_from(timeout=30) == {"type": "match", "version": 1}
    assert await page.receive_nothing()
    await page.disconnect()


@pytest.mark.parametrize(
    "origin",
    [
        "https://testserver",
        "http://testserver:8080",
        "http://testserver:x",
        "ws://testserver",
        "//testserver",
        "testserver",
        "http://testserver.evil.example",
        "",
    ],
)
async def test_another_scheme_or_port_of_the_own_host_is_another_site(match_driver, origin):
    assert not (await line(match_driver, origin=origin).connect())[0]


@pytest.mark.parametrize(
    ("origin", "host", "own"),
    [
        ("https://games.example.org", "games.example.org", True),
        ("https://games.example.org:443", "games.example.org", True),
        ("https://alias.example.org", "alias.example.org", True),
        ("https://alias.example.org", "alias.example.org:443", True),
        ("https://alias.example.org", "games.example.org", False),
        ("http://games.example.org", "games.example.org", False),
        ("https://games.example.org:8443", "games.example.org:443", False),
        ("https://evil.example", "evil.example", False),
    ],
)
def test_an_origin_is_compared_whole(settings, origin, host, own):
    settings.SITE_URL = "https://games.example.org"
    settings.ALLOWED_HOSTS = ["games.example.org", "alias.example.org"]
    assert is_own_origin(origin, host) is own


@contextlib.asynccontextmanager
async def signed_in(match_driver, seat=1):
    """The client of a player, and a page of that session that has heard its first heartbeat."""
    client = await sync_to_async(match_driver.client)(seat)
    page = line(match_driver, client)
    assert (await page.connect())[0]
    await page.receive_json_from(timeout=30)
    yield client, page
    await page.disconnect()


async def hung_up(page):
    """The code with which the site hangs up."""
    for _ in range(100):
        if (message := await page.receive_output(timeout=30))["type"] == "websocket.close":
            return message["code"]
    return pytest.fail("the site goes on")


async def test_a_socket_ends_when_its_reader_signs_out_and_no_other_does(match_driver):
    async with signed_in(match_driver) as (client, page), signed_in(match_driver) as (_, elsewhere):
        await sync_to_async(client.logout)()
        assert await hung_up(page) == SESSION_ENDED
        assert await elsewhere.receive_nothing()


async def test_a_socket_ends_when_the_account_is_closed(match_driver):
    user = match_driver.people[1]
    async with signed_in(match_driver) as (_, page):
        user.is_active = False
        await sync_to_async(user.save)()
        assert await hung_up(page) == SESSION_ENDED


@pytest.mark.parametrize(
    "end",
    [
        lambda user: Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1)),
        lambda user: User.objects.filter(pk=user.pk).update(is_active=False),
        lambda user: User.objects.filter(pk=user.pk).update(password="other"),
        lambda user: Session.objects.all()._raw_delete("default"),
    ],
    ids=["expired", "account closed", "password changed", "deleted"],
)
async def test_a_socket_ends_with_the_next_heartbeat_whatever_ended_its_session(
    match_driver, monkeypatch, end
):
    monkeypatch.setattr(consumers, "BEAT_PERIOD", 0.05)
    async with signed_in(match_driver) as (_, page):
        await sync_to_async(end)(match_driver.people[1])
        assert await hung_up(page) == SESSION_ENDED


async def test_groups_are_joined_again_with_each_heartbeat(match_driver, monkeypatch):
    """Memberships expire after a day, and are gone when the channel layer lost them."""
    monkeypatch.setattr(consumers, "BEAT_PERIOD", 0.2)
    async with watching(match_driver) as page:
        await page.hear()
        get_channel_layer().groups.clear()
        while not get_channel_layer().groups:
            await page.hear()
        await play(match_driver, "c3")
        while (heard := await page.hear())["type"] == "beat":
            pass
        assert heard == {"type": "match", "version": 1}


def listeners(server, name):
    """The ids of connections of a name that are subscribed to something."""
    return {
        found["id"] for found in server.client_list() if found["name"] == name and int(found["sub"])
    }


@pytest.mark.postgres
async def test_changes_are_heard_again_after_redis_hung_up(match_driver, settings):
    name = f"turnstone-test-{os.getpid()}"
    address = {"address": os.environ["REDIS_URL"], "client_name": name}
    backend = "channels_redis.pubsub.RedisPubSubChannelLayer"
    config = {"hosts": [address], "prefix": name}
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": backend, "CONFIG": config}}
    async with watching(match_driver) as page:
        await page.hear()
        with redis.Redis.from_url(os.environ["REDIS_URL"]) as server:
            listening = listeners(server, name)
            for number in listening:
                server.client_kill_filter(_id=number)
            while not listeners(server, name) - listening:  # noqa: ASYNC110 - Redis tells no one
                await asyncio.sleep(0.05)
        await play(match_driver, "c3")
        assert await page.hear() == {"type": "match", "version": 1}
        assert listening


async def test_a_heartbeat_that_fails_is_followed_by_others(match_driver, monkeypatch):
    monkeypatch.setattr(consumers, "BEAT_PERIOD", 0.05)
    standing, failing = lookups.standing, [True, True]

    async def sometimes(match_id):
        if failing:
            failing.pop()
            raise OperationalError
        return await standing(match_id)

    async with watching(match_driver) as page:
        await page.hear()
        monkeypatch.setattr(lookups, "standing", sometimes)
        assert (await page.hear())["type"] == "beat"
        assert (await page.hear())["type"] == "beat"
        assert not failing


@pytest.mark.parametrize("address", ["/", "/ws", "/ws/x", "/matches/6/"])
async def test_other_addresses_have_no_line(match_driver, address):
    headers = [(b"origin", b"http://testserver"), (b"host", b"testserver")]
    connected, _ = await Communicator(application, address, headers=headers).connect()
    assert not connected
