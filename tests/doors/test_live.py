"""The socket of a page: what it hears, what it may say, when the site hangs up."""

import asyncio
import json

import pytest
from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer
from channels.testing import WebsocketCommunicator
from django.contrib.auth.models import AnonymousUser
from django.test import Client

from accounts import presence
from config.asgi import application
from games.live import consumers
from games.live.consumers import MALFORMED, TALKATIVE, UNKNOWN, PageConsumer
from games.match import services
from games.match.models import Match
from tests.duel import begin, duel, fresh_cache

__all__ = ["duel", "fresh_cache"]

pytestmark = pytest.mark.django_db(transaction=True)


class Socket(WebsocketCommunicator):
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
        return await self.receive_json_from(timeout=5)

    async def say(self, word):
        await self.send_json_to({"type": word})

    async def closed(self):
        """The code with which the site hangs up."""
        while True:
            message = await self.receive_output(timeout=5)
            if message["type"] == "websocket.close":
                return message["code"]


def watching(duel, user=None):
    return Socket(user, f"match={duel.id}")


play = sync_to_async(lambda duel, *texts: duel.play(*texts))


async def test_a_page_hears_the_version_at_once_and_after_a_move(duel):
    async with watching(duel) as page:
        assert await page.hear() == {"type": "beat", "version": 0, "epoch": 0}
        await play(duel, "c3")
        assert await page.hear() == {"type": "match", "version": 1}


async def test_nothing_is_pushed_but_that_something_changed(duel):
    """Of two whole messages a move brings, neither tells what was played."""
    async with watching(duel, duel.people[1]) as page:
        await page.hear()
        await play(duel, "c3")
        heard = [await page.hear() for _ in range(2)]
        assert sorted(heard, key=str) == [{"type": "match", "version": 1}, {"type": "me"}]
        assert await page.receive_nothing()


async def test_a_player_hears_of_own_matches_from_any_page(duel):
    async with Socket(duel.people[1]) as mine, Socket(duel.people[2]) as other:
        assert await mine.hear() == {"type": "beat"}
        assert await other.hear() == {"type": "beat"}
        await play(duel, "c3")
        assert await mine.hear() == {"type": "me"}
        assert await other.receive_nothing()


async def test_a_page_of_another_match_hears_nothing(duel):
    elsewhere = await sync_to_async(begin)("die", duel.people, size=3)
    async with watching(elsewhere) as page:
        await page.hear()
        await play(duel, "c3")
        assert await page.receive_nothing()


async def test_the_lobby_is_heard_by_who_looks_at_it(duel):
    async with Socket(query="lobby=1") as lobby, watching(duel) as page:
        await lobby.hear()
        await page.hear()
        await get_channel_layer().group_send("lobby", {"type": "lobby.changed"})
        assert await lobby.hear() == {"type": "lobby"}
        assert await page.receive_nothing()


async def test_a_heartbeat_repeats_the_version_from_the_database(duel, monkeypatch):
    monkeypatch.setattr(consumers, "PERIOD", 0.05)
    async with watching(duel) as page:
        assert (await page.hear())["version"] == 0
        found = Match.objects.filter(pk=duel.id)
        await sync_to_async(found.update)(version=9, clock_epoch=2)
        while (heard := await page.hear())["version"] == 0:
            pass
        assert heard == {"type": "beat", "version": 9, "epoch": 2}


async def test_who_asks_is_answered_at_once(duel):
    async with watching(duel) as page:
        await page.hear()
        await page.say("ask")
        assert await page.hear() == {"type": "beat", "version": 0, "epoch": 0}


async def test_a_page_that_is_seen_makes_its_reader_present(duel):
    ada, place = duel.people[0], f"match:{duel.id}"
    async with watching(duel, ada) as page:
        await page.hear()
        assert not presence.present(ada.pk, place)
        await page.say("here")
        await page.say("ask")
        await page.hear()
        assert presence.present(ada.pk, place)


async def test_a_spectator_who_is_not_signed_in_is_present_nowhere(duel, monkeypatch):
    monkeypatch.setattr(presence, "touch", lambda *args, **kwargs: pytest.fail("touched"))
    async with watching(duel) as page:
        await page.hear()
        await page.say("here")
        await page.say("ask")
        assert (await page.hear())["type"] == "beat"


@pytest.mark.parametrize("query", ["match=0", "match=1000", "match=999999999999999999"])
async def test_a_match_that_is_not_there(query, db):
    async with Socket(query=query) as page:
        assert await page.closed() == UNKNOWN


@pytest.mark.parametrize("number", ["x", "-1", "1&match=2", "%F0", "%C2%B2", "1e1", "9" * 50])
async def test_a_question_that_cannot_be_read(number, db):
    async with Socket(query=f"match={number}") as page:
        assert await page.closed() == MALFORMED


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
async def test_a_page_that_says_anything_else_is_hung_up_on(duel, said):
    async with watching(duel) as page:
        await page.hear()
        await page.send_to(text_data=said)
        assert await page.closed() == MALFORMED


async def test_bytes_are_no_words(duel):
    async with watching(duel) as page:
        await page.hear()
        await page.send_to(bytes_data=b'{"type": "here"}')
        assert await page.closed() == MALFORMED


async def test_a_page_that_talks_without_end_is_hung_up_on(duel):
    async with watching(duel) as page:
        await page.hear()
        for _ in range(consumers.ALLOWANCE + 2):
            await page.say("here")
        assert await page.closed() == TALKATIVE


async def test_nothing_goes_on_after_the_page_has_gone(duel):
    async with watching(duel) as page:
        await page.hear()
    await asyncio.sleep(0)
    names = {task.get_coro().__qualname__ for task in asyncio.all_tasks()}
    assert not any("_beat_on" in name for name in names)
    assert not get_channel_layer().groups.get(f"match.{duel.id}")


# --- The whole way in, through session and origin -----------------------------------------------


def line(duel, client=None, origin="http://testserver"):
    headers = [(b"origin", origin.encode()), (b"host", b"testserver")]
    if client:
        cookies = "; ".join(f"{key}={value.value}" for key, value in client.cookies.items())
        headers.append((b"cookie", cookies.encode()))
    return WebsocketCommunicator(application, f"/ws/?match={duel.id}", headers=headers)


async def test_a_page_of_another_site_gets_no_line(duel):
    for origin in ("http://evil.example", "null"):
        connected, _ = await line(duel, origin=origin).connect()
        assert not connected


async def test_the_session_says_who_listens(duel):
    client = await sync_to_async(duel.client)(1)
    page = line(duel, client)
    assert (await page.connect())[0]
    await page.receive_json_from(timeout=5)
    await play(duel, "c3")
    heard = [await page.receive_json_from(timeout=5) for _ in range(2)]
    assert {"type": "me"} in heard
    await page.disconnect()


async def test_a_line_without_a_session_hears_the_match_alone(duel):
    page = line(duel, Client())
    assert (await page.connect())[0]
    assert json.loads(await page.receive_from(timeout=5))["type"] == "beat"
    await sync_to_async(duel.act)(services.offer_close, 0)
    assert await page.receive_json_from(timeout=5) == {"type": "match", "version": 1}
    assert await page.receive_nothing()
    await page.disconnect()


@pytest.mark.parametrize("address", ["/", "/ws", "/ws/x", "/matches/6/"])
async def test_other_addresses_have_no_line(duel, address):
    headers = [(b"origin", b"http://testserver"), (b"host", b"testserver")]
    connected, _ = await WebsocketCommunicator(application, address, headers=headers).connect()
    assert not connected
