"""A cache that does without Redis while Redis is away."""

import json
import logging
import secrets
import threading
import time
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis import Redis
from redis.exceptions import RedisError

log = logging.getLogger(__name__)

RETRY = 5.0
"""Seconds after a failure in which Redis is not asked."""

MOST = 20_000
"""Values that are kept here meanwhile: a count of a limit that is dropped limits nobody."""


class Breaker:
    """Says whether Redis is worth asking; one for all threads of a process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._next_try = 0.0

    @property
    def is_open(self) -> bool:
        """Whether Redis did not answer the last time."""
        return bool(self._next_try)

    def may_try(self) -> bool:
        """Whether Redis is well, or the caller is the one that finds out."""
        with self._lock:
            now = time.monotonic()
            if self._next_try > now:
                return False
            if self._next_try:
                self._next_try = now + RETRY
            return True

    def worked(self) -> None:
        """Note that Redis has answered."""
        with self._lock:
            was_away, self._next_try = bool(self._next_try), 0.0
        if was_away:
            log.warning("The cache is back.")

    def failed(self, error: Exception) -> None:
        """Note that Redis has not answered."""
        with self._lock:
            was_well, self._next_try = not self._next_try, time.monotonic() + RETRY
        if was_well:
            log.warning("The cache is away (%s): limits hold per process.", type(error).__name__)


_breaker = Breaker()


class JsonSerializer:
    """Store cached values as JSON. Django's default is pickle, which runs code when read."""

    def dumps(self, value: Any) -> int | bytes:
        """Encode a value. An int stays as it is, so that Redis can increment it.

        :raises TypeError: JSON cannot express the value.
        """
        if type(value) is int:
            return value
        return json.dumps(value).encode()

    def loads(self, stored: bytes) -> Any:
        """Decode the first line; ``RetryingClient.add`` writes a second one.

        :raises ValueError: it is not JSON.
        """
        return json.loads(stored.partition(b"\n")[0])


class RetryingClient(RedisCacheClient):
    """Django's client, for connections that resend a command after a lost connection."""

    def __init__(self, servers: list[str], **options: Any) -> None:
        # Its stubs don't know that a serializer may leave an int as it is.
        super().__init__(servers, serializer=JsonSerializer, **options)  # type: ignore[arg-type]
        self._clients: dict[Any, Redis] = {}

    def get(self, key: Any, default: Any) -> Any:
        """Return a cached value. A value that this release cannot read counts as missing."""
        try:
            return super().get(key, default)
        except ValueError:
            return default

    def get_client(self, key: Any = None, *, write: bool = False) -> Redis:
        """Return a client, for the same connections the same: to make one costs as much as to ask.

        One may be used by several threads.
        """
        pool = self._get_connection_pool(write)  # type: ignore[attr-defined]  # not in its stubs
        if pool not in self._clients:
            self._clients[pool] = super().get_client(key, write=write)
        return self._clients[pool]

    def add(self, key: Any, value: Any, timeout: Any) -> bool:
        """Keep a value unless there is one; return whether it was kept.

        The connection resends the command if Redis's answer was lost. The second SET then finds
        the value of the first, and a lock would lock its owner out. So each call recognises its
        own value by a random second line. Ints have none, as Redis must be able to increment them.
        """
        client = self.get_client(key, write=True)
        kept = self._serializer.dumps(value)  # type: ignore[attr-defined]  # not in its stubs
        if isinstance(kept, bytes):
            kept += b"\n" + secrets.token_hex(8).encode()
        if client.set(key, kept, ex=timeout, nx=True):
            return True
        return isinstance(kept, bytes) and client.get(key) == kept


class FallbackCache(BaseCache):
    """Django's cache in Redis; while that does not answer, one in the memory of this process.

    After a failure nobody asks Redis for some seconds, then one caller does: a Redis that hangs
    costs that caller its timeouts and everybody else nothing. What is kept here (limits, who has
    which page open) may be forgotten, and may differ from process to process for a while; nothing
    may stand here that must not, such as sessions.
    """

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        memory = {name: value for name, value in params.items() if name != "OPTIONS"}
        self._redis = RedisCache(server, params)
        self._redis._class = RetryingClient  # type: ignore[attr-defined]  # as Django chooses it
        self._memory = LocMemCache("fallback", {**memory, "max_entries": MOST})
        self._breaker = _breaker

    @property
    def is_away(self) -> bool:
        """Whether Redis did not answer the last time."""
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
        """Keep a value unless there is one; return whether it was kept."""
        return bool(self._ask("add", key, value, timeout, version))

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        """Return a value, or the default."""
        return self._ask("get", key, default, version)

    def set(
        self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> None:
        """Keep a value."""
        self._ask("set", key, value, timeout, version)

    def touch(self, key: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Keep a value for longer; return whether there is one."""
        return bool(self._ask("touch", key, timeout, version))

    def delete(self, key: Any, version: int | None = None) -> bool:
        """Forget a value; return whether there was one."""
        return bool(self._ask("delete", key, version))

    def incr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        """Add to a number.

        :raises ValueError: there is none.
        """
        return int(self._ask("incr", key, delta, version))

    def clear(self) -> None:
        """Forget everything."""
        self._ask("clear")
