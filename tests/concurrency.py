"""Calls that are made at the same moment, by real threads with connections of their own."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import connection

PATIENCE = 60
"""Seconds."""


def run_concurrently(*calls: Callable[[], Any]) -> list[Any]:
    """Run calls in threads of their own; return what each returned."""

    def run(call: Callable[[], Any]) -> Any:
        try:
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result(PATIENCE) for future in [pool.submit(run, c) for c in calls]]


def wait_until_blocked() -> None:
    """Wait until a connection waits for a lock that another one holds."""
    end = time.monotonic() + PATIENCE
    with connection.cursor() as cursor:
        while time.monotonic() < end:
            cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
            if cursor.fetchone()[0]:
                return
    raise AssertionError("Nobody waits for a lock.")
