"""Python loads this at its start where its folder is on PYTHONPATH: names that a test answers.

Names that end with ``.test`` are this machine. While the file that HANGING names exists, every
lookup waits, as with a silent name server.
"""

import os
import socket
import time

_lookup = socket.getaddrinfo


def _answer(host, *more, **options):
    name = host.decode() if isinstance(host, bytes) else host
    if name and name.endswith(".test"):
        while os.path.exists(os.environ["HANGING"]):  # noqa: PTH110 - programs pay for imports here
            time.sleep(0.2)
        host = "127.0.0.1"
    return _lookup(host, *more, **options)


socket.getaddrinfo = _answer
