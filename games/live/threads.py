"""The threads in which moves are played and their parts rendered, beside those of pages."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from asgiref.sync import sync_to_async
from django.db import connection
from structlog.contextvars import bound_contextvars, get_contextvars

Params = ParamSpec("Params")
Result = TypeVar("Result")

THREADS = 4
"""How many moves a process works on at once: they wait for the database, and share a core."""

KEPT = 60.0
"""Seconds for which a thread keeps its connection: each that is taken from the pool is tried."""

_is_shared = connection.vendor == "sqlite"
"""SQLite has one writer, and in tests one connection: there the thread of all queries serves."""

_threads = None if _is_shared else ThreadPoolExecutor(THREADS, "moves")


def in_thread(call: Callable[Params, Result]) -> Callable[Params, Coroutine[Any, Any, Result]]:
    """Make of a function that uses the database one that the loop can await."""

    @wraps(call)
    def called(*args: Params.args, **kwargs: Params.kwargs) -> Result:
        connection.close_if_unusable_or_obsolete()
        is_new = connection.connection is None
        try:
            return call(*args, **kwargs)
        finally:
            _give_back(is_new=is_new)

    return sync_to_async(called) if _threads is None else _handed_to(_threads, called)


def _handed_to(
    threads: Executor, call: Callable[Params, Result]
) -> Callable[Params, Coroutine[Any, Any, Result]]:
    """Let threads call a function, which knows nothing of who asks but what the log says of them.

    Each thread keeps what Django keeps for it, such as its connection to the cache.
    """

    def told(known: dict[str, Any], args: Any, kwargs: Any) -> Result:
        with bound_contextvars(**known):
            return call(*args, **kwargs)

    @wraps(call)
    async def awaited(*args: Params.args, **kwargs: Params.kwargs) -> Result:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(threads, told, get_contextvars(), args, kwargs)

    return awaited


def _give_back(*, is_new: bool) -> None:
    """Close the connection, or keep it where others are left for pages."""
    pool: Any = connection.settings_dict["OPTIONS"].get("pool")
    if is_new and pool and pool["max_size"] > 2 * THREADS:
        connection.close_at = time.monotonic() + KEPT
    connection.close_if_unusable_or_obsolete()
