"""Connections to Redis with a limit on the DNS lookup.

redis-py's ``socket_connect_timeout`` doesn't cover ``getaddrinfo``, and django-redis uses the same
connections. While the name server hangs, each page would wait for half a minute.
"""

import contextlib
import socket
import threading
from typing import Any

from redis.connection import Connection, ConnectionPool, SSLConnection

LOOKUP = 0.3
"""Seconds for the lookup. The C library waits for half a minute or more."""


class BoundedLookup(Connection):
    """Looks the name up in a thread first, and abandons the thread after ``LOOKUP``."""

    def _connect(self) -> Any:
        """:raises TimeoutError: the lookup takes too long."""
        asking = threading.Thread(target=_look_up, args=(self.host, self.port), daemon=True)
        asking.start()
        asking.join(LOOKUP)
        if asking.is_alive():
            raise TimeoutError(self.host)
        return super()._connect()  # type: ignore[no-untyped-call]  # redis-py has no types here


def _look_up(host: str, port: int) -> None:
    """Look up as the connection will. Errors are left to the connection."""
    with contextlib.suppress(OSError):
        socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)


class BoundedSSLLookup(BoundedLookup, SSLConnection):
    """The same with TLS."""


BOUNDED = {Connection: BoundedLookup, SSLConnection: BoundedSSLLookup}


class BoundedPool(ConnectionPool):
    """redis-py's pool with these connections. Unix sockets need no lookup and stay as they are."""

    def __init__(self, connection_class: type[Any] = Connection, **options: Any) -> None:
        bounded = BOUNDED.get(connection_class, connection_class)
        super().__init__(connection_class=bounded, **options)
