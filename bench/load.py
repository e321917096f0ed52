"""Requests that were written beforehand, sent over open connections: a light hand on the site.

The process that sends shares the machine with those that answer, so it does no more than it must.
"""

import asyncio
import gc
import time
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

HOST = "127.0.0.1"
END_OF_HEAD = b"\r\n\r\n"
LENGTH = b"\r\ncontent-length:"


@dataclass(frozen=True)
class Request:
    """What is sent to which port, and the status that the answer must have."""

    port: int
    sent: bytes
    status: int


@dataclass(frozen=True)
class Run:
    """What came of some seconds of requests: when each answered one began and ended, in seconds."""

    seconds: float
    spans: list[tuple[float, float]]
    used: list[int]
    """How many requests of each lane were sent."""

    @property
    def rate(self) -> float:
        """Answers in a second."""
        return sum(end <= self.seconds for _, end in self.spans) / self.seconds

    @property
    def times(self) -> list[float]:
        """How long each answer took, in milliseconds."""
        return [1000 * (end - begin) for begin, end in self.spans]


class WrongStatus(RuntimeError):
    """A request was answered with another status than it must be."""


def get(port: int, path: str, cookies: str = "", accept: str = "text/html") -> Request:
    """Write the request of a page."""
    return Request(port, _head("GET", port, path, cookies, accept=accept), 200)


def post(port: int, path: str, cookies: str, status: int, **fields: object) -> Request:
    """Write the request of a form, as a browser without scripts sends it."""
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
        """Keep the way to the site."""
        self._transport = transport  # type: ignore[assignment]

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell who waits."""
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(exc or ConnectionError("The site hung up."))

    def data_received(self, data: bytes) -> None:
        """Wait for the whole answer."""
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

        :raises WrongStatus: it has another status than it must.
        """
        self._answer = asyncio.get_running_loop().create_future()
        self._transport.write(request.sent)  # type: ignore[union-attr]
        status = await self._answer
        if status != request.status:
            asked = request.sent.split(b"\r\n", 1)[0].decode()
            raise WrongStatus(f"{asked} was answered with {status}, not {request.status}.")


def drive(lanes: Sequence[Sequence[Request]], seconds: float) -> Run:
    """Send the requests of all lanes at once, of each lane one after the other, for some time."""
    gc.disable()
    return asyncio.run(_drive(lanes, seconds))


async def _drive(lanes: Sequence[Sequence[Request]], seconds: float) -> Run:
    opened = [await lines(lane) for lane in lanes]
    spans: list[tuple[float, float]] = []
    start = time.perf_counter()

    async def along(lane: Sequence[Request], at: dict[int, Line]) -> int:
        for number, request in enumerate(lane):
            if (began := time.perf_counter() - start) >= seconds:
                return number
            await at[request.port].ask(request)
            spans.append((began, time.perf_counter() - start))
        return len(lane)

    used = await asyncio.gather(*map(along, lanes, opened))
    return Run(min(seconds, time.perf_counter() - start), spans, used)


async def lines(lane: Sequence[Request]) -> dict[int, Line]:
    """Open a connection to each port that requests go to."""
    loop = asyncio.get_running_loop()
    ports = {request.port for request in lane}
    return {port: (await loop.create_connection(Line, HOST, port))[1] for port in ports}
