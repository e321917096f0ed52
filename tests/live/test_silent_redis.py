"""Sockets while Redis is away: they open, and hear of changes from the database."""

import asyncio
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
def layer(request):
    """A layer whose Redis servers, by default one, refuse every connection."""
    found = RedisChannelLayer(hosts=["redis://127.0.0.1:1/0"] * getattr(request, "param", 1))
    before = channel_layers.set("default", found)
    yield found
    channel_layers.set("default", before)
    push.pushes.wait(PATIENCE)  # messages of this test that Redis has not taken


@pytest.fixture
def watch(layer):
    found = Watch(layer)
    found._heard = [NOW]
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
    layer.silent = {0}
    async with Page(match_driver, 1) as page:
        assert not subscribed.groups
        await play(match_driver, "c3")
        watch._heard = [NOW + SILENCE]
        await watch.check(NOW + SILENCE)
        assert await page.hear_two() == [{"type": "match", "version": 1}, {"type": "me"}]
        assert f"asgi__group__match.{match_driver.id}" in subscribed.groups
    assert not layer.silent


@pytest.mark.parametrize("failure", [TimeoutError(), ConnectionError()])
async def test_a_subscription_that_failed_is_made_up_for(watch, layer, subscribed, failure):
    subscribed.failures.append(failure)
    await layer.group_add("group", await layer.new_channel())
    await watch.check(NOW)
    assert layer.behind
    subscribed.failures.clear()
    await watch.check(NOW)
    assert subscribed.groups == ["asgi__group__group"]
    assert not layer.behind


@pytest.mark.parametrize("silent", [set(), {0}])
async def test_who_leaves_hears_nothing_more(layer, silent):
    layer.silent = silent
    assert get_channel_layer() is layer
    channel = await layer.new_channel()
    await layer.group_add("group", channel)
    await layer.group_discard("group", channel)
    layer.deliver("group", {"type": "match.changed"})
    assert layer.channels[channel].empty()


async def test_each_server_has_a_group_of_its_own(layer):
    assert layer.a_group_at_each("pulse") == ["pulse.0"]


@pytest.mark.parametrize("layer", [2], indirect=True)
async def test_of_two_servers_only_the_silent_one_is_made_up_for(layer, watch, subscribed):
    groups = watch.begin(NOW)
    assert [layer.server_of(group) for group in groups] == [0, 1]
    watch._heard[1] = NOW + SILENCE
    await watch.check(NOW + SILENCE + 0.1)
    assert layer.silent == {0}
    channel = await layer.new_channel()
    for group in groups:
        await layer.group_add(group, channel)
    assert subscribed.groups == [f"asgi__group__{groups[1]}"]
    assert layer.behind == {0}


@pytest.mark.parametrize("layer", [2], indirect=True)
@pytest.mark.parametrize("silent", [0, 1])
async def test_changes_at_the_other_server_are_left_to_it(
    match_driver, layer, watch, subscribed, silent
):
    """A page hears of the match by one group, and of its player's matches by another."""
    groups = [push.match_group(match_driver.id), push.user_group(match_driver.people[1].pk)]
    servers = [layer.server_of(group) for group in groups]
    async with Page(match_driver, 1) as page:
        watch._heard = [NOW + SILENCE, NOW + SILENCE]
        watch._heard[silent] = NOW
        await play(match_driver, "c3")
        await watch.check(NOW + SILENCE + 0.1)
        for server, message in zip(servers, ({"type": "match"}, {"type": "me"}), strict=True):
            if server == silent:
                assert message.items() <= (await page.hear()).items()
        assert await page.socket.receive_nothing()
        watch._heard[1 - silent] = NOW
        await watch.check(NOW + SILENCE + 0.2)
        for server, message in zip(servers, ({"type": "match"}, {"type": "me"}), strict=True):
            if server != silent:
                assert message.items() <= (await page.hear()).items()
        assert await page.socket.receive_nothing()


@pytest.mark.parametrize("layer", [2], indirect=True)
@pytest.mark.parametrize("fails", ["refuses", "hangs"])
async def test_a_server_that_fails_holds_up_no_message_to_the_other(layer, monkeypatch, fails):
    lost, kept = layer.a_group_at_each("group")
    published = []

    async def publish(shard, name, message):
        if layer._get_layer()._shards.index(shard) == 1:
            published.append(name)
        elif fails == "hangs":
            await asyncio.Event().wait()
        else:
            raise ConnectionError

    monkeypatch.setattr(RedisSingleShardConnection, "publish", publish)
    with pytest.raises((ConnectionError, TimeoutError)):
        await push._send_all({lost: {"type": "pulse"}, kept: {"type": "pulse"}}, 0.05)
    assert published == [f"asgi__group__{kept}"]
