"""Connections to Redis that do not wait for its name longer than for anything else."""

import contextlib
import socket
import threading
from typing import Any

from redis.connection import Connection, ConnectionPool, SSLConnection

LOOKUP = 0.3
"""Seconds that looking up the name may take; the C library waits for half a minute, or more."""


class BoundedLookup(Connection):
    """Looks the name up beforehand, in a thread that is left behind where nobody answers."""

    def _connect(self) -> Any:
        """Connect.

        :raises TimeoutError: nobody answers who asks for the name.
        """
        asking = threading.Thread(target=_look_up, args=(self.host, self.port), daemon=True)
        asking.start()
        asking.join(LOOKUP)
        if asking.is_alive():
            raise TimeoutError(self.host)
        return super()._connect()  # type: ignore[no-untyped-call]  # redis-py has no types here


def _look_up(host: str, port: int) -> None:
    """Ask as the connection will; it sees for itself what comes of it."""
    with contextlib.suppress(OSError):
        socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)


class BoundedSSLLookup(BoundedLookup, SSLConnection):
    """The same with TLS."""


BOUNDED = {Connection: BoundedLookup, SSLConnection: BoundedSSLLookup}


class BoundedPool(ConnectionPool):
    """redis-py's pool, of such connections; those that need no name are what they were."""

    def __init__(self, connection_class: type[Any] = Connection, **options: Any) -> None:
        bounded = BOUNDED.get(connection_class, connection_class)
        super().__init__(connection_class=bounded, **options)
