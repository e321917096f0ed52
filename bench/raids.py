"""Traffic of an attacker, sent from a process of its own at an address of its own."""

import asyncio
import contextlib
import itertools
import json
import random
import smtplib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from bench import websocket
from bench.load import END_OF_HEAD, HOST

if TYPE_CHECKING:
    from bench.people import Person

PAUSE = 0.05
"""Seconds after an answer, so that instant refusals don't keep this process busy."""

TOKEN = "t" * 32
"""A visitor's token of forms."""

FORM = "application/x-www-form-urlencoded"


@dataclass(frozen=True)
class Raid:
    """Repeated traffic.

    Each of ``lanes`` sends its requests one after the other. With ``hold`` it reads each answer
    only for that many seconds. ``sockets`` are paths and cookies. Each sends the ``messages`` in
    turn, ``pace`` of them a second. ``mails`` are recipients and texts.
    """

    lanes: Sequence[Sequence[bytes]] = ()
    hold: float | None = None
    sockets: Sequence[tuple[str, str]] = ()
    messages: Sequence[Mapping[str, Any]] = ({"type": "here"},)
    pace: float = 10.0
    mails: Sequence[tuple[str, str, bytes]] = ()


def lanes(count: int, *requests: bytes, hold: float | None = None) -> Raid:
    """Return a raid of lanes that send the same requests, each beginning with another one."""
    turned = [[*requests[at:], *requests[:at]] for at in range(len(requests))]
    return Raid([turned[lane % len(turned)] for lane in range(count)], hold)


def get(path: str, cookies: str = "") -> bytes:
    """Return the request of a page."""
    return _request("GET", path, cookies)


def post(path: str, person: "Person | None" = None, **fields: Any) -> bytes:
    """Return the request of a form. A value may be a list."""
    token, cookies = _signed(person)
    body = urlencode({"csrfmiddlewaretoken": token, **fields}, doseq=True)
    return _request("POST", path, cookies, f"Content-Type: {FORM}", body=body)


def program(path: str, person: "Person", content: Any) -> bytes:
    """Return a program's request that changes something."""
    token, cookies = _signed(person)
    headers = (f"X-CSRFToken: {token}", "Content-Type: application/json")
    return _request("POST", path, cookies, *headers, body=json.dumps(content))


def _signed(person: "Person | None") -> tuple[str, str]:
    """Return the form token of a person or a visitor, and the matching cookies."""
    return (person.token, person.cookies) if person else (TOKEN, f"csrftoken={TOKEN}")


def _request(method: str, path: str, cookies: str, *headers: str, body: str = "") -> bytes:
    lines = (
        f"{method} {path} HTTP/1.1",
        f"Host: {HOST}",
        f"Origin: http://{HOST}",
        f"Cookie: {cookies}",
        f"Content-Length: {len(body.encode())}",
        "Connection: close",
        *headers,
    )
    return "\r\n".join(lines).encode() + END_OF_HEAD + body.encode()


@dataclass(frozen=True)
class Raider:
    """The sender of a raid: from a network address, to the ports of web processes and of mail."""

    raid: Raid
    address: str
    ports: Sequence[int]
    mail_port: int
    answered: list[int] = field(default_factory=lambda: [0])

    def run(self, seconds: float) -> int:
        """Send for some seconds, and return the number of answers."""
        asyncio.run(self._run(seconds))
        return sum(self.answered)

    async def _run(self, seconds: float) -> None:
        ports = itertools.cycle(self.ports)
        work = [
            *map(self._along, self.raid.lanes),
            *(self._stay(next(ports), *socket) for socket in self.raid.sockets),
            *itertools.starmap(self._write, self.raid.mails),
        ]
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.gather(*work), seconds)

    async def _along(self, lane: Sequence[bytes]) -> None:
        for request, port in zip(itertools.cycle(lane), itertools.cycle(self.ports)):
            with contextlib.suppress(OSError, TimeoutError):
                async with asyncio.timeout(self.raid.hold):
                    await ask(request, self.address, port)
                    self.answered.append(1)
            await asyncio.sleep(PAUSE)

    async def _stay(self, port: int, path: str, cookies: str) -> None:
        """Keep a socket open, and reopen it when the site closes it."""
        while True:
            with contextlib.suppress(OSError):
                socket = await websocket.open_socket(port, path, cookies, self.address)
                listening = asyncio.create_task(self._listen(socket))
                await self._talk(socket)
                listening.cancel()
            await asyncio.sleep(1)

    async def _talk(self, socket: websocket.Socket) -> None:
        for number, message in enumerate(itertools.cycle(self.raid.messages)):
            await asyncio.sleep(random.uniform(0.5, 1.5) / self.raid.pace)
            if socket.closed.done():
                return
            socket.say(**{"step": number, **message})

    async def _listen(self, socket: websocket.Socket) -> None:
        while True:
            await socket.heard.get()
            self.answered.append(1)

    async def _write(self, sender: str, recipient: str, text: bytes) -> None:
        """Send a mail repeatedly."""
        while True:
            with contextlib.suppress(OSError):
                await asyncio.to_thread(_send, sender, recipient, text, self.mail_port)
                self.answered.append(1)
            await asyncio.sleep(PAUSE)


async def ask(request: bytes, address: str, port: int) -> tuple[int, bytes]:
    """Send a request from a network address; return the status and all of the answer.

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
    return int(answer[9:12]), answer


def _send(sender: str, recipient: str, text: bytes, port: int) -> None:
    """Send a mail, ignoring the answer."""
    with smtplib.SMTP(HOST, port, timeout=30) as relay, contextlib.suppress(smtplib.SMTPException):
        relay.sendmail(sender, [recipient], text)
