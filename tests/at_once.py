"""Calls that are made at the same moment, by real threads with connections of their own."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import connection

PATIENCE = 20
"""Seconds."""


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Run calls in threads of their own; return what each returned."""

    def run(call: Callable[[], Any]) -> Any:
        try:
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result(PATIENCE) for future in [pool.submit(run, c) for c in calls]]
