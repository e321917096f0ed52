"""What Celery does when it loses Redis."""

import os
from functools import partial
from unittest import mock

import kombu
import pytest
from redis import Redis

from config.broker import Transport

pytestmark = pytest.mark.postgres

PREFIX = "test-broker:"


@pytest.fixture
def connection():
    address = os.environ.get("REDIS_URL")
    if not address:
        pytest.skip("REDIS_URL is not set")
    options = {"global_keyprefix": PREFIX}
    with kombu.Connection(address, transport=Transport, transport_options=options) as connection:
        yield connection
    with Redis.from_url(address) as client:
        client.delete(*client.scan_iter(f"{PREFIX}*"))


def hold(connection):
    """Take a message from a queue of its own without saying that it is done."""
    queue = connection.SimpleQueue("held")
    queue.put({"hello": "world"})
    assert queue.get(timeout=5).payload == {"hello": "world"}
    return queue


def test_what_is_held_is_put_back_when_the_connection_is_closed(connection):
    hold(connection)
    connection.close()
    with connection.clone() as another:
        message = another.SimpleQueue("held").get(timeout=5)
        assert message.delivery_info["redelivered"]
        message.ack()


@pytest.mark.parametrize("gone", ["address", "connection"])
def test_a_task_that_outlives_its_connection_does_not_end_the_worker(connection, gone):
    channel = hold(connection).channel
    tag = next(iter(channel.qos._delivered))
    channel._disconnect_pools()
    given_up = {"address": (channel.connection, "client"), "connection": (channel, "connection")}
    with mock.patch.object(*given_up[gone], None):
        for late in (partial(channel.basic_ack, tag), channel.qos.restore_unacked):
            with pytest.raises(connection.connection_errors):
                late()
