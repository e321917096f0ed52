"""Traffic of an attacker, sent from a process of its own at an address of its own."""

import asyncio
import contextlib
import itertools
import json
import random
import smtplib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from websockets.asyncio.client import ClientConnection

from bench.connections import FAILURES, HOST, Browser, ask, get, open_socket

PAUSE = 0.05
"""Seconds after an answer, so that instant refusals don't keep this process busy."""


@dataclass(frozen=True)
class Raid:
    """Repeated traffic.

    Each of ``lanes`` sends its requests one after the other. With ``hold`` it reads each answer
    only for that many seconds. ``sockets`` each send the ``messages`` in turn, ``pace`` of them a
    second. ``mails`` are senders, recipients and texts.
    """

    lanes: Sequence[Sequence[bytes]] = ()
    hold: float | None = None
    sockets: Sequence[tuple[str, Browser]] = ()
    messages: Sequence[Mapping[str, Any]] = ({"type": "here"},)
    pace: float = 10.0
    mails: Sequence[tuple[str, str, bytes]] = ()


def lanes(count: int, *requests: bytes, hold: float | None = None) -> Raid:
    """Return a raid of lanes that send the same requests, each beginning with another one."""
    turned = [[*requests[at:], *requests[:at]] for at in range(len(requests))]
    return Raid([turned[lane % len(turned)] for lane in range(count)], hold)


def visits(paths: Iterable[str], *requests: bytes, count: int = 10) -> Raid:
    """Return a raid of lanes that read pages as a visitor, and send some other requests."""
    return lanes(count, *map(get, paths), *requests)


def run(raid: Raid, address: str, ports: Sequence[int], mail_port: int, seconds: float) -> int:
    """Send for some seconds, and return the number of answers.

    :param address: the network address to send from.
    :param ports: those of the web processes.
    """
    return asyncio.run(_run(raid, address, ports, mail_port, seconds))


async def _run(
    raid: Raid, address: str, ports: Sequence[int], mail_port: int, seconds: float
) -> int:
    answered = itertools.count()

    async def along(lane: Sequence[bytes]) -> None:
        for request, port in zip(itertools.cycle(lane), itertools.cycle(ports)):
            with contextlib.suppress(*FAILURES):
                async with asyncio.timeout(raid.hold):
                    await ask(request, port, address)
                    next(answered)
            await asyncio.sleep(PAUSE)

    async def stay(path: str, browser: Browser, port: int) -> None:
        """Keep a socket open, and reopen it when the site closes it."""
        while True:
            with contextlib.suppress(*FAILURES):
                async with await open_socket(path, browser, port, address) as socket:
                    await asyncio.gather(listen(socket), talk(socket))
            await asyncio.sleep(1)

    async def talk(socket: ClientConnection) -> None:
        for number, message in enumerate(itertools.cycle(raid.messages)):
            await asyncio.sleep(random.uniform(0.5, 1.5) / raid.pace)
            await socket.send(json.dumps({"step": number, **message}))

    async def listen(socket: ClientConnection) -> None:
        async for _ in socket:
            next(answered)

    work = [
        *map(along, raid.lanes),
        *(stay(*socket, port) for socket, port in zip(raid.sockets, itertools.cycle(ports))),
        *(_write(*mail, mail_port, answered) for mail in raid.mails),
    ]
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(asyncio.gather(*work), seconds)
    return next(answered)


async def _write(
    sender: str, recipient: str, text: bytes, port: int, answered: Iterator[int]
) -> None:
    """Send a mail repeatedly, ignoring whether it is refused."""

    def send() -> None:
        refused = smtplib.SMTPException
        with smtplib.SMTP(HOST, port, timeout=30) as relay, contextlib.suppress(refused):
            relay.sendmail(sender, [recipient], text)

    while True:
        with contextlib.suppress(OSError):
            await asyncio.to_thread(send)
            next(answered)
        await asyncio.sleep(PAUSE)
