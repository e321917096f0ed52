"""Prepared requests, sent over open connections with little work per request.

The sending process shares the machine with those that answer, so it does as little as possible.
"""

import asyncio
from dataclasses import dataclass
from urllib.parse import urlencode

HOST = "127.0.0.1"
END_OF_HEAD = b"\r\n\r\n"
LENGTH = b"\r\ncontent-length:"


@dataclass(frozen=True)
class Request:
    """A request to a port, and the expected status."""

    port: int
    sent: bytes
    status: int


class WrongStatus(RuntimeError):
    """A request got an unexpected status."""


def get(port: int, path: str, cookies: str = "", accept: str = "text/html") -> Request:
    """Return the request of a page."""
    return Request(port, _head("GET", port, path, cookies, accept=accept), 200)


def post(port: int, path: str, cookies: str, status: int, **fields: object) -> Request:
    """Return the request of a form, as a browser without scripts sends it."""
    body = urlencode(fields).encode()
    more = (
        f"Origin: http://{HOST}:{port}",
        "Content-Type: application/x-www-form-urlencoded",
        f"Content-Length: {len(body)}",
    )
    return Request(port, _head("POST", port, path, cookies, *more) + body, status)


def _head(
    method: str, port: int, path: str, cookies: str, *more: str, accept: str = "text/html"
) -> bytes:
    lines = (
        f"{method} {path} HTTP/1.1",
        f"Host: {HOST}:{port}",
        f"Cookie: {cookies}",
        f"Accept: {accept}",
        *more,
    )
    return "\r\n".join(lines).encode() + END_OF_HEAD


class Line(asyncio.Protocol):
    """A connection on which one request at a time is answered."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._answer: asyncio.Future[int] | None = None
        self._heard = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self._transport = transport  # type: ignore[assignment]

    def connection_lost(self, exc: Exception | None) -> None:
        """Notify the waiting caller."""
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(exc or ConnectionError("The site hung up."))

    def data_received(self, data: bytes) -> None:
        """Collect the whole answer."""
        self._heard += data
        head = self._heard.find(END_OF_HEAD)
        if head < 0 or self._answer is None:
            return
        lines = self._heard[:head].lower() + b"\r\n"
        length = int(lines.split(LENGTH, 1)[1].split(b"\r\n", 1)[0])
        if len(self._heard) >= head + len(END_OF_HEAD) + length:
            status, self._heard = int(self._heard[9:12]), b""
            self._answer.set_result(status)

    async def ask(self, request: Request) -> None:
        """Send a request and wait for its answer.

        :raises WrongStatus: it has an unexpected status.
        """
        self._answer = asyncio.get_running_loop().create_future()
        self._transport.write(request.sent)  # type: ignore[union-attr]
        status = await self._answer
        if status != request.status:
            asked = request.sent.split(b"\r\n", 1)[0].decode()
            raise WrongStatus(f"{asked} was answered with {status}, not {request.status}.")
