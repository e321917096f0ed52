"""Ending the process when it is told to, whatever its threads and its loop are doing."""

import contextlib
import os
import select
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

PATIENCE = 3.6
"""Seconds from the first signal to the end of the process."""

LAST_WORDS = b"Ended with work under way.\n"
"""What the process says when it is ended instead of ending."""


class StopSignals:
    """Starts the stop with the first SIGTERM or SIGINT; ends the process with the second.

    :param begin: told when the first came, in seconds of ``time.monotonic``.

    A handler only writes to a pipe. A thread reads there, so that neither a loop that stands
    still nor a lock that is held where the signal arrives keeps the process from ending.
    """

    def __init__(self, begin: Callable[[float], None]) -> None:
        self._begin = begin
        self._reader, self._writer = os.pipe()
        os.set_blocking(self._writer, False)

    def install(self) -> None:
        """Take the signals; to be called in the main thread."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._note)
        threading.Thread(target=self._watch, name="stop", daemon=True).start()

    def _note(self, number: int, frame: Any) -> None:
        with contextlib.suppress(BlockingIOError):
            os.write(self._writer, b"!")

    def _watch(self) -> None:
        os.read(self._reader, 1)
        self._begin(time.monotonic())
        again, _, _ = select.select([self._reader], [], [], PATIENCE)
        os.write(2, LAST_WORDS)  # a logger might be locked by what stands still
        os._exit(1 if again else 0)
