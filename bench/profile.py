"""What a move costs by step: the page's form, and what the other player's page fetches then.

Beside it the same steps of the bare view and the bare page; one request at a time.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from uuid import uuid4

from channels.layers import get_channel_layer
from django.contrib.auth import middleware
from django.core.asgi import get_asgi_application
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper
from django.template.base import Template

from accounts import limits
from accounts.sessions import SessionStore
from bench import http, load, people, scripts
from bench.load import Request
from bench.models import Counter
from bench.people import Person
from bench.rows import Row
from bench.spans import Place, Spans, watching
from games.kernel import svg_writer
from games.matches import selectors, store
from games.matches.notify import push
from games.matches.play import move_input
from games.matches.update import MatchUpdate
from games.matches.view.match_view import MatchView

SECTION = "What a move costs by step, from hand to eyes (core of one web process)"

PARTS: Mapping[str, list[Place]] = {
    "session, user": [(SessionStore, "load"), (middleware, "get_user")],
    "limits": [(limits, "spend")],
    "queries": [(CursorWrapper, "_execute"), (CursorWrapper, "_executemany")],
    "begin, commit": [(BaseDatabaseWrapper, "set_autocommit"), (BaseDatabaseWrapper, "commit")],
    "connection": [(BaseDatabaseWrapper, "connect"), (BaseDatabaseWrapper, "close")],
    "push": [(push, "_send")],
    "rules": [(MatchUpdate, "play"), (MatchUpdate, "finalize"), (selectors.MatchSnapshot, "load")],
    "reading": [(selectors, "snapshot"), (selectors, "pauses")],
    "writing": [(store, "commit")],
    "log": [(selectors, "log"), (MatchView, "lines_of")],
    "board": [(svg_writer, "render"), (MatchView, "drawing_at")],
    "move entry": [(move_input, "enter")],
    "templates": [(Template, "render")],
}
WHOLE = "all the rest"
MOVES = 200
MATCHES = 8
WARM_UP = 50


def rows() -> Iterator[Row]:
    """Measure each part."""
    crowd = [people.sign_in(user) for user in people.make(2, "watched")]
    floor, site = asyncio.run(_profile(_bare(crowd), _moves(crowd)))
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


def _moves(crowd: Sequence[Person]) -> list[Request]:
    """Return the moves of a pair as its pages send them, each with what the other page fetches."""
    found = []
    for seed in range(MATCHES):
        script = scripts.write(people.TITLE, seed)
        match = scripts.start(script, [person.user for person in crowd])
        page = f"/matches/{match.pk}/"
        for version, (seat, text) in enumerate(script.moves):
            hand, eyes = crowd[seat], crowd[1 - seat]
            fields = {"version": version, "submission": uuid4(), "word": text}
            token = {"csrfmiddlewaretoken": hand.token}
            found += [
                load.post(0, f"{page}moves/?part=live", hand.cookies, 200, **fields, **token),
                load.get(0, f"{page}?part=live", eyes.cookies),
            ]
    return found


def _bare(crowd: Sequence[Person]) -> list[Request]:
    """Return what is sent to the bare view, each with a visit of the bare page."""
    sent = [request for lane in http.bare(crowd, (0, 0)) for request in lane]
    page = load.get(0, f"/bench/{Counter.objects.latest('pk').pk}/", crowd[0].cookies)
    return [request for count in sent for request in (count, page)]


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
            for request in requests[WARM_UP : WARM_UP + 2 * MOVES]:
                await _ask(application, request, spans)
        found.append(spans)
    await get_channel_layer().flush()
    return found[0], found[1]


async def _ask(application: Any, request: Request, spans: Spans) -> None:
    """Let the application answer a request as the web server would."""
    head, _, body = request.sent.partition(b"\r\n\r\n")
    first, *lines = head.split(b"\r\n")
    method, address, _ = first.decode().split()
    path, _, query = address.partition("?")
    headers = [tuple(line.split(b": ", 1)) for line in lines]
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": query.encode(),
        "headers": [(name.lower(), value) for name, value in headers],
    }
    bodies = iter([body])

    async def receive() -> dict[str, Any]:
        if (body := next(bodies, None)) is None:
            await asyncio.sleep(3600)
        return {"type": "http.request", "body": body}

    async def send(message: dict[str, Any]) -> None:
        if message.get("status", request.status) != request.status:
            raise RuntimeError(f"{path} was answered with {message['status']}.")

    with spans.span(WHOLE):
        await application(scope, receive, send)
