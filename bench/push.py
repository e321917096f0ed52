"""How soon the other player's page hears of a move, beside a bare echo through the same layer."""

import asyncio
import contextlib
import json
import time
from collections.abc import Iterator, Sequence

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

from bench import http, load, people, site
from bench.load import Request
from bench.people import Person
from bench.rows import Row, percentile

SECTION = "A push: from the answer to a move until the other player's socket hears"
GOAL = 3.0
MATCHES = 4
ECHOES = 200
PERCENT = 95
AGAIN = 0.5
"""Seconds after which a message that nobody heard is said again."""

PATIENCE = 30.0
"""Seconds after which a message that nobody heard ends the run."""


def rows() -> Iterator[Row]:
    """Measure the echo, then the pushes, between two web processes."""
    pair = [people.sign_in(user) for user in people.make(2, "pusher")]
    with site.serving() as ports:
        echo = asyncio.run(_echoes(pair, ports))
        pushes = [time for seed in range(MATCHES) for time in _pushes(pair, ports, seed)]
    floor, measured = percentile(echo, PERCENT), percentile(pushes, PERCENT)
    goal = f"≤ {GOAL:.0f} ×"
    what = f"the other page hears, p{PERCENT}"
    yield Row(what, measured, "ms", floor, "ms, bare echo", goal, measured <= GOAL * floor)


def _pushes(pair: Sequence[Person], ports: Sequence[int], seed: int) -> list[float]:
    match = people.start([person.user for person in pair], http.SIZE)
    sent = http.moves_of(match.pk, pair, ports, seed)
    return asyncio.run(_match(match.pk, pair, ports, sent))


def _line(person: Person, port: int, path: str) -> connect:
    origin = Origin(f"http://{load.HOST}:{port}")
    address = f"ws://{load.HOST}:{port}{path}"
    return connect(
        address, origin=origin, additional_headers={"Cookie": person.cookies}, proxy=None
    )


async def _echoes(pair: Sequence[Person], ports: Sequence[int]) -> list[float]:
    times = []
    async with (
        _line(pair[0], ports[0], "/bench/echo/") as mouth,
        _line(pair[1], ports[1], "/bench/echo/") as ear,
    ):
        await _both_hear(mouth, ear)
        for number in range(ECHOES):
            async with asyncio.timeout(PATIENCE):
                began = time.perf_counter()
                await mouth.send(str(number))
                await ear.recv()
                times.append(1000 * (time.perf_counter() - began))
                await mouth.recv()
    return times


async def _both_hear(mouth: ClientConnection, ear: ClientConnection) -> None:
    """Say something until both hear it, as Redis may know of a socket a moment after it opened."""
    for line in (mouth, ear):
        while True:
            await mouth.send("-")
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(line.recv(), AGAIN)
                break
    for line in (mouth, ear):
        with contextlib.suppress(TimeoutError):
            while True:
                await asyncio.wait_for(line.recv(), AGAIN)


async def _match(
    match_id: int, pair: Sequence[Person], ports: Sequence[int], sent: Sequence[Request]
) -> list[float]:
    """Play a match; return for each move how long after its answer the other one heard."""
    path, times, connections = f"/ws/?match={match_id}", [], await load.lines(sent)
    async with _line(pair[0], ports[0], path) as red, _line(pair[1], ports[1], path) as blue:
        for version, request in enumerate(sent, start=1):
            heard = asyncio.create_task(_heard((red, blue)[version % 2], version))
            await connections[request.port].ask(request)
            answered = time.perf_counter()
            times.append(1000 * max(await heard - answered, 0.0))
    return times


async def _heard(line: ClientConnection, version: int) -> float:
    """Return when a socket says that the match is at a version."""
    async for message in line:
        if json.loads(message).get("version") == version:
            return time.perf_counter()
    raise RuntimeError("The connection broke.")
