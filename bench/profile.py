"""Where the time of a move goes, beside the same parts of the bare view: one at a time."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from channels.layers import get_channel_layer
from django.core.asgi import get_asgi_application
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper

from bench import http, people
from bench.load import Request
from bench.spans import Place, Spans, watching
from bench.table import Row
from games.matches import push, selectors
from games.matches.update import MatchUpdate

SECTION = "Where the time of a move goes (in one process, one move after the other)"

PARTS: Mapping[str, list[Place]] = {
    "queries": [(CursorWrapper, "_execute"), (CursorWrapper, "_executemany")],
    "begin, commit": [(BaseDatabaseWrapper, "set_autocommit"), (BaseDatabaseWrapper, "commit")],
    "connection": [(BaseDatabaseWrapper, "connect"), (BaseDatabaseWrapper, "close")],
    "push": [(push, "_send")],
    "rules": [(MatchUpdate, "play"), (MatchUpdate, "finalize"), (selectors.MatchSnapshot, "load")],
    "reading": [(selectors, "snapshot"), (selectors, "pauses")],
    "writing": [(MatchUpdate, "compare_and_swap")],
}
WHOLE = "all the rest"
MOVES = 400
WARM_UP = 50


def rows() -> Iterator[Row]:
    """Measure each part."""
    crowd = [people.sign_in(user) for user in people.make(2, "watched")]
    sent = [
        [request for lane in make(crowd, (0, 0)) for request in lane]
        for make in (http.bare, http.moves)
    ]
    floor, site = asyncio.run(_profile(*sent))
    for part in (*PARTS, WHOLE):
        calls = f" ({site.calls[part] / MOVES:g}, bare {floor.calls[part] / MOVES:g})"
        yield Row(
            part + (calls if part != WHOLE else ""),
            1000 * site.seconds[part] / MOVES,
            "ms",
            1000 * floor.seconds[part] / MOVES,
            "ms, bare view",
        )
    whole = [1000 * sum(spans.seconds.values()) / MOVES for spans in (site, floor)]
    yield Row("together", whole[0], "ms", whole[1], "ms, bare view")


async def _profile(bare: Sequence[Request], moves: Sequence[Request]) -> tuple[Spans, Spans]:
    """Send both by turns to the application in this process."""
    application = get_asgi_application()
    with watching(PARTS) as warm_up:
        for each in range(WARM_UP):
            await _ask(application, bare[each], warm_up)
            await _ask(application, moves[each], warm_up)
    found = []
    for requests in (bare, moves):
        with watching(PARTS) as spans:
            for request in requests[WARM_UP : WARM_UP + MOVES]:
                await _ask(application, request, spans)
        found.append(spans)
    await get_channel_layer().close_pools()
    return found[0], found[1]


async def _ask(application: Any, request: Request, spans: Spans) -> None:
    """Let the application answer a request as the web server would."""
    head, _, body = request.sent.partition(b"\r\n\r\n")
    first, *lines = head.split(b"\r\n")
    method, path, _ = first.decode().split()
    headers = [tuple(line.split(b": ", 1)) for line in lines]
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": b"",
        "headers": [(name.lower(), value) for name, value in headers],
    }
    heard = asyncio.Event()

    async def receive() -> dict[str, Any]:
        if heard.is_set():
            await asyncio.sleep(3600)
        heard.set()
        return {"type": "http.request", "body": body}

    async def send(message: dict[str, Any]) -> None:
        if message.get("status", request.status) != request.status:
            raise RuntimeError(f"{path} was answered with {message['status']}.")

    with spans.span(WHOLE):
        await application(scope, receive, send)
