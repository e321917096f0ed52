"""Sockets while Redis is away: they open, and hear of changes from the database."""

from types import SimpleNamespace
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async
from channels.layers import channel_layers, get_channel_layer
from channels_redis.pubsub import RedisSingleShardConnection
from django.utils import timezone

from games.live.consumers import PageConsumer
from games.live.redis_layer import RedisChannelLayer
from games.live.watch import SILENCE, Watch
from games.matches.notify import push
from games.talk.models import Line, Room
from tests.match_driver import fresh_cache, match_driver
from tests.sockets import PATIENCE, Communicator

__all__ = ["fresh_cache", "match_driver"]

pytestmark = pytest.mark.django_db(transaction=True)

NOW = 1000.0


@pytest.fixture
def layer():
    """A layer whose Redis refuses every connection."""
    found = RedisChannelLayer(hosts=["redis://127.0.0.1:1/0"])
    before = channel_layers.set("default", found)
    yield found
    channel_layers.set("default", before)
    push.pushes.wait(PATIENCE)  # messages of this test that Redis has not taken


@pytest.fixture
def watch(layer):
    found = Watch(layer)
    found._heard = NOW
    return found


class Page:
    """The socket of a page of a match, as a player has it."""

    def __init__(self, match_driver, seat):
        self.socket = Communicator(PageConsumer.as_asgi(), f"/ws/?match={match_driver.id}")
        self.socket.scope["user"] = match_driver.people[seat]

    async def __aenter__(self):
        assert (await self.socket.connect())[0]
        assert (await self.hear())["type"] == "beat"
        return self

    async def __aexit__(self, *_):
        await self.socket.disconnect()

    async def hear(self):
        return await self.socket.receive_json_from()

    async def hear_two(self):
        return sorted([await self.hear(), await self.hear()], key=str)


play = sync_to_async(lambda match_driver, *texts: match_driver.play(*texts))


async def test_a_page_hears_of_moves_without_redis(match_driver, watch):
    async with Page(match_driver, 1) as page:
        for version, cell in ((1, "c3"), (2, "d3")):
            await play(match_driver, cell)
            await watch.check(NOW + SILENCE + 0.1)
            assert await page.hear_two() == [{"type": "match", "version": version}, {"type": "me"}]
        await watch.check(NOW + SILENCE + 0.2)
        assert await page.socket.receive_nothing()


async def test_a_page_hears_of_its_chat_without_redis(match_driver, watch):
    async with Page(match_driver, 1) as page:
        await Line.objects.acreate(
            match_id=match_driver.id,
            room=Room.PLAYERS,
            author=match_driver.people[0],
            version=0,
            text="hello",
            created=timezone.now(),
            submission=uuid4(),
        )
        await watch.check(NOW + SILENCE + 0.1)
        assert await page.hear() == {"type": "chat"}


async def test_the_database_is_not_asked_while_redis_works(match_driver, watch, subscribed):
    async with Page(match_driver, 1) as page:
        await play(match_driver, "c3")
        await watch.check(NOW + SILENCE)
        assert await page.socket.receive_nothing()


@pytest.fixture
def subscribed(monkeypatch):
    """The groups that Redis took; while there is a failure in ``failures``, it fails so."""
    found, failures = [], []

    async def subscribe(shard, name):
        if failures:
            raise failures[0]
        if name not in found:
            found.append(name)

    monkeypatch.setattr(RedisSingleShardConnection, "subscribe", subscribe)
    return SimpleNamespace(groups=found, failures=failures)


async def test_the_gap_is_filled_when_redis_is_back(match_driver, watch, layer, subscribed):
    layer.is_silent = True
    async with Page(match_driver, 1) as page:
        assert not subscribed.groups
        await play(match_driver, "c3")
        watch._heard = NOW + SILENCE
        await watch.check(NOW + SILENCE)
        assert await page.hear_two() == [{"type": "match", "version": 1}, {"type": "me"}]
        assert f"asgi__group__match.{match_driver.id}" in subscribed.groups
    assert not layer.is_silent


@pytest.mark.parametrize("failure", [TimeoutError(), ConnectionError()])
async def test_a_subscription_that_failed_is_made_up_for(watch, layer, subscribed, failure):
    subscribed.failures.append(failure)
    await layer.group_add("group", await layer.new_channel())
    await watch.check(NOW)
    assert layer.is_behind
    subscribed.failures.clear()
    await watch.check(NOW)
    assert subscribed.groups == ["asgi__group__group"]
    assert not layer.is_behind


@pytest.mark.parametrize("is_silent", [False, True])
async def test_who_leaves_hears_nothing_more(layer, is_silent):
    layer.is_silent = is_silent
    assert get_channel_layer() is layer
    channel = await layer.new_channel()
    await layer.group_add("group", channel)
    await layer.group_discard("group", channel)
    layer.deliver("group", {"type": "match.changed"})
    assert layer.channels[channel].empty()
