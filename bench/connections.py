"""Requests and sockets of browsers, each from a network address of this machine.

The sending process shares the machine with those that answer, so requests are prepared bytes.
"""

import asyncio
import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException
from websockets.typing import Origin

HOST = "127.0.0.1"
END_OF_HEAD = b"\r\n\r\n"
OK = 200
FAILURES = (OSError, WebSocketException)
"""What happens to a request or socket that the site doesn't answer."""


@dataclass(frozen=True)
class Browser:
    """A browser: the port of its web process, its cookies, and the token of its forms."""

    port: int = 0
    cookies: str = "csrftoken=" + "t" * 32
    token: str = "t" * 32

    @property
    def is_of_floor(self) -> bool:
        """Whether it shows a bare consumer, which knows nobody."""
        return not self.cookies


VISITOR = Browser()


def get(path: str, browser: Browser = VISITOR) -> bytes:
    """Return the request of a page."""
    return _request("GET", path, browser)


def post(path: str, browser: Browser = VISITOR, **fields: Any) -> bytes:
    """Return the request of a form. A value may be a list."""
    body = urlencode({"csrfmiddlewaretoken": browser.token, **fields}, doseq=True)
    return _request("POST", path, browser, body, "application/x-www-form-urlencoded")


def post_json(path: str, browser: Browser, content: Any) -> bytes:
    """Return a program's request that changes something."""
    return _request("POST", path, browser, json.dumps(content), "application/json")


def _request(method: str, path: str, browser: Browser, body: str = "", kind: str = "") -> bytes:
    lines = (
        f"{method} {path} HTTP/1.1",
        f"Host: {HOST}",
        f"Origin: http://{HOST}",
        f"Cookie: {browser.cookies}",
        f"X-CSRFToken: {browser.token}",
        f"Content-Type: {kind}",
        f"Content-Length: {len(body.encode())}",
        "Connection: close",
    )
    return "\r\n".join(lines).encode() + END_OF_HEAD + body.encode()


async def ask(request: bytes, port: int, address: str = HOST) -> tuple[int, bytes]:
    """Send a request from a network address, and return status and body of the answer.

    :raises OSError: there was no answer.
    """
    reader, writer = await asyncio.open_connection(HOST, port, local_addr=(address, 0))
    try:
        writer.write(request)
        answer = await reader.read()
    finally:
        writer.close()
    if not answer:
        raise ConnectionError("The site hung up.")
    return int(answer[9:12]), answer.partition(END_OF_HEAD)[2]


async def open_socket(
    path: str, browser: Browser, port: int = 0, address: str = HOST
) -> ClientConnection:
    """Open a WebSocket as a page does, by default at the browser's own port."""
    port = port or browser.port
    return await connect(
        f"ws://{HOST}:{port}{path}",
        origin=Origin(f"http://{HOST}:{port}"),
        additional_headers={"Cookie": browser.cookies},
        compression=None,
        max_size=None,
        ping_interval=None,
        proxy=None,
        local_addr=(address, 0),
    )
