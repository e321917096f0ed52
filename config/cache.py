"""A cache that falls back to the memory of this process while Redis is down.

Neither Django's Redis cache nor django-redis (7.0) can do this. With ``IGNORE_EXCEPTIONS``,
django-redis answers ``None`` for everything: limits on guessing passwords would stop counting,
``add`` would fail, so that nobody gets a lock, and every call would wait for its timeout again.
"""

import json
import logging
import threading
import time
from collections.abc import Iterable
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.exceptions import RedisError

log = logging.getLogger(__name__)

RETRY = 5.0
"""Seconds after a failure in which Redis is not asked."""

MAX_ENTRIES = 20_000
"""Values in memory. It is this many because an evicted count no longer limits anybody."""


class Breaker:
    """A circuit breaker, shared by all threads of a process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._next_try = 0.0

    @property
    def is_open(self) -> bool:
        return bool(self._next_try)

    def may_try(self) -> bool:
        """Whether to ask Redis. While the breaker is open, one caller per ``RETRY`` may."""
        with self._lock:
            now = time.monotonic()
            if self._next_try > now:
                return False
            if self._next_try:
                self._next_try = now + RETRY
            return True

    def worked(self) -> None:
        with self._lock:
            was_away = bool(self._next_try)
            self._next_try = 0.0
        if was_away:
            log.warning("The cache is back.")

    def failed(self, error: Exception) -> None:
        with self._lock:
            was_well = not self._next_try
            self._next_try = time.monotonic() + RETRY
        if was_well:
            log.warning("The cache is away (%s): limits hold per process.", type(error).__name__)


_breaker = Breaker()


class JsonSerializer:
    """Store cached values as JSON. Django's default is pickle, which runs code when read."""

    def dumps(self, value: Any) -> int | bytes:
        """:raises TypeError: JSON cannot express the value."""
        if type(value) is int:
            return value
        return json.dumps(value).encode()

    def loads(self, stored: bytes) -> Any:
        """Decode a value. Earlier releases wrote a second line, which means nothing.

        :raises ValueError: it is not JSON.
        """
        return json.loads(stored.partition(b"\n")[0])


class Client(RedisCacheClient):
    """Django's client, except that values of other releases may be unreadable."""

    def __init__(self, servers: list[str], **options: Any) -> None:
        # The stubs don't know that a serializer may leave an int as it is.
        super().__init__(servers, serializer=JsonSerializer, **options)  # type: ignore[arg-type]
        self._clients: dict[Any, Any] = {}

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        """Cache the client, since making one takes twice as long as asking Redis."""
        pool = self._get_connection_pool(write)  # type: ignore[attr-defined]  # not in the stubs
        if pool not in self._clients:
            self._clients[pool] = super().get_client(key, write=write)
        return self._clients[pool]

    def get(self, key: Any, default: Any) -> Any:
        """Return a cached value. A value that this release cannot read counts as missing."""
        try:
            return super().get(key, default)
        except ValueError:
            return default

    def get_many(self, keys: Iterable[Any]) -> dict[Any, Any]:
        """Return cached values by key, without those that this release cannot read."""
        asked = list(keys)
        try:
            return super().get_many(asked)
        except ValueError:
            values = {key: self.get(key, None) for key in asked}
            return {key: value for key, value in values.items() if value is not None}


class FallbackCache(BaseCache):
    """Django's Redis cache, or one in memory while Redis doesn't answer.

    After a failure nobody asks Redis for some seconds, then one caller does. So a Redis that hangs
    costs only that caller its timeout. Cached values, such as limits and presence, may be lost or
    differ between processes for a while. Don't cache anything that must not, such as sessions.
    """

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        memory = {name: value for name, value in params.items() if name != "OPTIONS"}
        self._redis = RedisCache(server, params)
        self._redis._class = Client  # type: ignore[attr-defined]  # as Django chooses it
        self._memory = LocMemCache("fallback", {**memory, "max_entries": MAX_ENTRIES})
        self._breaker = _breaker

    @property
    def is_away(self) -> bool:
        return self._breaker.is_open

    def _ask(self, method: str, *args: Any, **kwargs: Any) -> Any:
        if self._breaker.may_try():
            try:
                answer = getattr(self._redis, method)(*args, **kwargs)
            except (RedisError, OSError) as error:
                self._breaker.failed(error)
            else:
                self._breaker.worked()
                return answer
        return getattr(self._memory, method)(*args, **kwargs)

    def add(
        self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> bool:
        return bool(self._ask("add", key, value, timeout, version))

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        return self._ask("get", key, default, version)

    def get_many(self, keys: Iterable[Any], version: int | None = None) -> dict[Any, Any]:
        """Redis is asked once for all keys."""
        asked = list(keys)
        return dict(self._ask("get_many", asked, version)) if asked else {}

    def set(
        self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> None:
        self._ask("set", key, value, timeout, version)

    def touch(self, key: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Set a new timeout. ``False`` if the key doesn't exist."""
        return bool(self._ask("touch", key, timeout, version))

    def delete(self, key: Any, version: int | None = None) -> bool:
        return bool(self._ask("delete", key, version))

    def incr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        return int(self._ask("incr", key, delta, version))

    def clear(self) -> None:
        self._ask("clear")
