"""The channel layer of one process: a send from anywhere wakes a consumer in the serving loop."""

import asyncio

import pytest
from asgiref.sync import async_to_sync, sync_to_async

from games.live.layers import OneLoopChannelLayer

PATIENCE = 5


@pytest.fixture
def layer():
    return OneLoopChannelLayer()


@pytest.fixture(autouse=True)
async def strict_loop():
    """In debug mode a loop refuses what touches it from another thread, which else only delays."""
    asyncio.get_running_loop().set_debug(True)


async def hear(layer, send):
    """Wait for a message in this loop while `send(channel)` runs in another thread."""
    channel = await layer.new_channel()
    await layer.group_add("match", channel)
    listening = asyncio.create_task(layer.receive(channel))
    await asyncio.sleep(0)
    await asyncio.to_thread(send, channel)
    return await asyncio.wait_for(listening, PATIENCE)


async def test_send_from_a_thread_without_a_loop(layer):
    def send(channel):
        async_to_sync(layer.send)(channel, {"type": "moved", "version": 18})

    assert await hear(layer, send) == {"type": "moved", "version": 18}


async def test_group_send_from_a_thread_without_a_loop(layer):
    def send(channel):
        async_to_sync(layer.group_send)("match", {"type": "moved"})

    assert await hear(layer, send) == {"type": "moved"}


async def test_send_from_another_loop(layer):
    def send(channel):
        asyncio.run(layer.group_send("match", {"type": "moved"}))

    assert await hear(layer, send) == {"type": "moved"}


async def test_send_from_the_thread_of_a_view(layer):
    channel = await layer.new_channel()
    await layer.group_add("match", channel)
    await sync_to_async(async_to_sync(layer.group_send))("match", {"type": "moved"})
    assert await asyncio.wait_for(layer.receive(channel), PATIENCE) == {"type": "moved"}


async def test_groups_joined_and_left_from_a_thread(layer):
    heard = await layer.new_channel()
    left = await layer.new_channel()
    await layer.group_add("match", left)

    def change():
        async_to_sync(layer.group_add)("match", heard)
        async_to_sync(layer.group_discard)("match", left)

    await asyncio.to_thread(change)
    await layer.group_send("match", {"type": "moved"})
    assert layer.channels.keys() == {heard}


async def test_many_senders_lose_nothing(layer):
    senders, each = 8, 10
    channel = await layer.new_channel()

    def send(number):
        for count in range(each):
            async_to_sync(layer.send)(channel, {"from": number, "count": count})

    async def listen():
        return [await layer.receive(channel) for _ in range(senders * each)]

    listening = asyncio.create_task(listen())
    await asyncio.gather(*(asyncio.to_thread(send, number) for number in range(senders)))
    heard = await asyncio.wait_for(listening, PATIENCE)
    expected = {(number, count) for number in range(senders) for count in range(each)}
    assert {(message["from"], message["count"]) for message in heard} == expected


def test_loop_that_has_ended_holds_nobody_up(layer):
    channel = asyncio.run(layer.new_channel())
    asyncio.run(layer.send(channel, {"type": "moved"}))
    assert asyncio.run(layer.receive(channel)) == {"type": "moved"}
