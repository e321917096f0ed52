"""A page's connections in the bench: a light WebSocket client, and persistent HTTP.

The playing process shares the machine with those that answer, so it does as little as possible.
"""

import asyncio
import base64
import json
import os
from typing import Any

from bench import load
from bench.load import END_OF_HEAD, HOST

HEAD = 2
"""Bytes before the body of a short frame."""

SHORT, MIDDLE = 126, 127
"""Marks for a length that follows in two bytes, or in eight."""

MASK = bytes(4)
"""A mask without effect, which costs no time."""

TEXT, CLOSE = 0x81, 0x88


class Socket(asyncio.Protocol):
    """A WebSocket that puts each message, decoded from JSON, in a queue.

    ``closed`` is done once the site, or this end, has disconnected.
    """

    def __init__(self, request: bytes) -> None:
        self.heard: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        loop = asyncio.get_running_loop()
        self.opened: asyncio.Future[None] = loop.create_future()
        self.closed: asyncio.Future[None] = loop.create_future()
        self._request, self._buffer = request, b""
        self._transport: Any = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        self._transport.write(self._request)

    def connection_lost(self, exc: Exception | None) -> None:
        """Notify the waiting caller."""
        if not self.opened.done():
            self.opened.set_exception(exc or ConnectionError("The site hung up."))
        self.closed.set_result(None)

    def data_received(self, data: bytes) -> None:
        """Handle the handshake, then messages."""
        self._buffer += data
        if not self.opened.done():
            head, end, rest = self._buffer.partition(END_OF_HEAD)
            if not end:
                return
            if not head.startswith(b"HTTP/1.1 101"):
                self.opened.set_exception(ConnectionError(head.decode()))
                return
            self._buffer = rest
            self.opened.set_result(None)
        while self._take():
            pass

    def _take(self) -> bool:
        """Take one frame out of the buffer. ``False`` if there is no whole one."""
        found = self._buffer
        if len(found) < HEAD:
            return False
        length, start = found[1], HEAD
        if length == SHORT:
            length, start = int.from_bytes(found[2:4]), 4
        elif length == MIDDLE:
            length, start = int.from_bytes(found[2:10]), 10
        if len(found) < start + length:
            return False
        self._buffer = found[start + length :]
        if found[0] == TEXT:
            self.heard.put_nowait(json.loads(found[start : start + length]))
        elif found[0] == CLOSE:
            self.close()
        return True

    def say(self, **message: Any) -> None:
        """Send a message as JSON."""
        body = json.dumps(message).encode()
        size = len(body)
        length = bytes([0x80 | size]) if size < SHORT else b"\xfe" + size.to_bytes(2)
        self._transport.write(bytes([TEXT]) + length + MASK + body)

    def close(self) -> None:
        self._transport.close()


async def open_socket(port: int, path: str, cookies: str = "", address: str = "") -> Socket:
    """Open a WebSocket as a page does, from a network address of this machine."""
    lines = (
        f"GET {path} HTTP/1.1",
        f"Host: {HOST}:{port}",
        f"Origin: http://{HOST}:{port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
        "Sec-WebSocket-Version: 13",
        f"Cookie: {cookies}",
    )
    request = "\r\n".join(lines).encode() + END_OF_HEAD
    loop = asyncio.get_running_loop()
    local = (address, 0) if address else None
    _, socket = await loop.create_connection(lambda: Socket(request), HOST, port, local_addr=local)
    await socket.opened
    return socket


async def open_line(port: int) -> load.Line:
    loop = asyncio.get_running_loop()
    return (await loop.create_connection(load.Line, HOST, port))[1]
