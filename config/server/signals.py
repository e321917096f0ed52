"""Ending the process on a signal, whatever its threads and its loop are doing.

Daphne and Twisted handle signals in the loop, which may hang.
"""

import contextlib
import os
import select
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

STOP_TIMEOUT = 3.6
"""Seconds from the first signal to the end of the process."""

LAST_WORDS = b"Ended with work under way.\n"
"""Written to stderr when the stop takes too long."""


class StopSignals:
    """Starts the stop with the first SIGTERM or SIGINT; ends the process with the second.

    :param begin: called with the time of the first signal, by ``time.monotonic``.

    A handler only writes to a pipe, and a thread reads from it. So neither a loop that hangs nor a
    lock held where the signal arrives can keep the process from ending.
    """

    def __init__(self, begin: Callable[[float], None]) -> None:
        self._begin = begin
        self._reader, self._writer = os.pipe()
        os.set_blocking(self._writer, False)

    def install(self) -> None:
        """Install the handlers. Call it in the main thread."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._note)
        threading.Thread(target=self._watch, name="stop", daemon=True).start()

    def _note(self, number: int, frame: Any) -> None:
        with contextlib.suppress(BlockingIOError):
            os.write(self._writer, b"!")

    def _watch(self) -> None:
        os.read(self._reader, 1)
        self._begin(time.monotonic())
        again, _, _ = select.select([self._reader], [], [], STOP_TIMEOUT)
        os.write(2, LAST_WORDS)  # a thread that hangs may hold the lock of a logger
        os._exit(1 if again else 0)
