"""The cache while Redis is away, hangs and comes back."""

import logging
import pickle
import socket
import threading
from datetime import timedelta

import pytest
import redis.exceptions
from redis.connection import UnixDomainSocketConnection

from config import cache as module
from config.cache import Breaker, Client, FallbackCache
from config.redis_pool import BoundedPool

AWAY = redis.exceptions.ConnectionError("refused")


class Server:
    """Stands in for Django's cache in Redis."""

    def __init__(self):
        self.asked, self.trouble, self.kept = 0, None, {}

    def set(self, key, value, *_):
        self._ask()
        self.kept[key] = value

    def get(self, key, default, *_):
        self._ask()
        return self.kept.get(key, default)

    def get_many(self, keys, *_):
        self._ask()
        return {key: self.kept[key] for key in keys if key in self.kept}

    def add(self, *_):
        self._ask()

    def incr(self, key, delta, *_):
        self._ask()
        raise ValueError(key)

    def _ask(self):
        self.asked += 1
        if self.trouble:
            raise self.trouble


@pytest.fixture
def now(monkeypatch):
    moment = [1000.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: moment[0])
    return moment


@pytest.fixture
def server():
    return Server()


@pytest.fixture
def cache(server, now):
    found = FallbackCache("redis://127.0.0.1:1/0", {})
    found._redis, found._breaker = server, Breaker()
    found._memory.clear()
    return found


@pytest.mark.parametrize("trouble", [AWAY, redis.exceptions.TimeoutError(), OSError()])
def test_without_redis_values_are_kept_here(cache, server, trouble):
    server.trouble = trouble
    cache.set("a", 1)
    assert cache.get("a") == 1
    assert cache.is_away


def test_many_values_are_asked_for_at_once(cache, server):
    for number in range(3):
        cache.set(f"k{number}", number)
    server.asked = 0
    assert cache.get_many(f"k{number}" for number in range(5)) == {"k0": 0, "k1": 1, "k2": 2}
    assert cache.get_many([]) == {}
    assert server.asked == 1
    server.trouble = AWAY
    assert cache.get_many(["k0"]) == {}


def test_a_server_that_is_away_is_asked_once_in_a_while(cache, server, now):
    server.trouble = AWAY
    for _ in range(100):
        cache.get("a")
    assert server.asked == 1
    now[0] += module.RETRY
    for _ in range(100):
        cache.get("a")
    assert server.asked == 2


def test_a_server_that_is_back_is_used(cache, server, now, caplog):
    caplog.set_level(logging.WARNING)
    server.trouble = AWAY
    cache.set("a", 1)
    server.trouble = None
    now[0] += module.RETRY
    assert cache.get("a") is None
    assert not cache.is_away
    cache.set("a", 2)
    assert server.kept == {"a": 2}
    assert [record.msg.split("(")[0] for record in caplog.records] == [
        "The cache is away ",
        "The cache is back.",
    ]


def test_a_number_that_is_not_there_is_no_trouble(cache):
    with pytest.raises(ValueError, match="n"):
        cache.incr("n")
    assert not cache.is_away


def test_a_lock_binds_within_a_process_without_redis(cache, server):
    server.trouble = AWAY
    assert cache.add("lock", 1, 30)
    assert not cache.add("lock", 1, 30)
    assert cache.delete("lock")


def test_many_visitors_do_not_crowd_out_what_is_counted_of_one(cache, server):
    server.trouble = AWAY
    cache.set("tries", 5)
    for visitor in range(2000):
        cache.set(f"tries-of-{visitor}", 1)
    assert cache.get("tries") == 5


class Connection:
    """Stands in for a client of redis-py."""

    def __init__(self):
        self.kept = {}

    def set(self, key, value, *, ex, nx):
        return key not in self.kept and bool(self.kept.setdefault(key, value))

    def get(self, key):
        return self.kept.get(key)

    def mget(self, keys):
        return [self.kept.get(key) for key in keys]


@pytest.fixture
def connection(monkeypatch):
    found = Connection()
    monkeypatch.setattr(Client, "get_client", lambda *_, **__: found)
    return found


def test_a_lock_is_taken_once(connection):
    client = Client(["redis://127.0.0.1:1/0"])
    assert client.add("lock", True, 30)
    assert not client.add("lock", True, 30)
    assert client.get("lock", None) is True


def test_values_of_the_last_release_are_read(connection):
    client = Client(["redis://127.0.0.1:1/0"])
    connection.kept["lock"] = b"true\n0123456789abcdef"
    assert client.get("lock", None) is True


def test_numbers_are_kept_as_they_can_be_added_to(connection):
    client = Client(["redis://127.0.0.1:1/0"])
    assert client.add("count", 1, 30)
    assert connection.kept == {"count": 1}


class Attack:
    """Runs code when it is unpickled."""

    ran = False

    def __reduce__(self):
        return setattr, (Attack, "ran", True)


@pytest.mark.parametrize("stored", [pickle.dumps(Attack()), b"", b"\xff", b"[", b"\n1"])
def test_what_others_wrote_into_redis_is_not_run_but_missing(connection, stored):
    client = Client(["redis://127.0.0.1:1/0"])
    connection.kept["a"] = stored
    assert client.get("a", "nothing") == "nothing"
    connection.kept["b"] = b"2"
    assert client.get_many(["a", "b", "c"]) == {"b": 2}
    assert not Attack.ran


@pytest.mark.parametrize("value", ["word\nword", 1.5, True, None, [1.25, "é"], {"a": [None]}])
def test_cached_values_come_back_as_they_were(connection, value):
    client = Client(["redis://127.0.0.1:1/0"])
    assert client.add("a", value, 30)
    assert client.get("a", "nothing") == value


def test_values_that_json_cannot_hold_are_refused(connection):
    client = Client(["redis://127.0.0.1:1/0"])
    with pytest.raises(TypeError):
        client.add("a", timedelta(1), 30)


@pytest.fixture
def silence(monkeypatch):
    """Nobody answers who asks for a name, until this is set."""
    over = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: over.wait())
    yield over
    over.set()


@pytest.mark.parametrize("scheme", ["redis", "rediss"])
def test_a_name_that_nobody_answers_for_is_not_waited_for(silence, scheme):
    pool = {"pool_class": "config.redis_pool.BoundedPool"}
    found = FallbackCache(f"{scheme}://redis.test:6379/0", {"OPTIONS": pool})
    found._breaker = Breaker()
    found.set("a", 1)
    assert found.get("a") == 1
    assert found.is_away
    assert not silence.is_set()


def test_a_path_needs_no_name():
    pool = BoundedPool.from_url("unix:///run/redis.sock")
    assert pool.connection_class is UnixDomainSocketConnection
