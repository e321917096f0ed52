"""Streams: one JSON object per line, until the caller disconnects."""

import asyncio
import contextlib
import json
import logging
import time
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from channels.layers import get_channel_layer
from django.http import StreamingHttpResponse
from django.utils.http import content_disposition_header
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from accounts import limits
from accounts.models import User
from games.api import events, open_streams
from games.api.base import ApiView, caller, query_of
from games.api.lists import named
from games.api.news import MatchNews, News, OwnNews, SignIn
from games.api.open_streams import Turn
from games.api.openapi import RECORD
from games.api.views import SeedQuery
from games.matches import selectors
from games.matches.errors import Unreadable
from games.matches.models import Match
from games.matches.store import in_thread
from games.records import record

log = logging.getLogger(__name__)

KEEPALIVE_PERIOD = 15.0
"""Seconds without an event after which a beat is sent."""

BEAT = {"type": "beat"}
"""The line that keeps the connection alive."""

MEDIA_TYPE = "application/x-ndjson"

_workers = ThreadPoolExecutor(max_workers=2, thread_name_prefix="streams")
"""The threads of all streams. They limit the database connections that streams use, and aren't
those of pages. Each produces one line at a time, so that streams take turns.
"""

RECORD_LINES = OpenApiResponse(RECORD, description="One record a line.")


def _event_lines(event: Any, examples: Sequence[Mapping[str, Any]]) -> OpenApiResponse:
    openapi_examples = [
        OpenApiExample(str(one["type"]), one, response_only=True) for one in examples
    ]
    return OpenApiResponse(event, "Events, one JSON object a line.", openapi_examples)


class LinesRenderer(JSONRenderer):
    """The media type of streams, for content negotiation."""

    media_type = MEDIA_TYPE


class Stream(ApiView):
    http_method_names = ["get"]
    renderer_classes = (LinesRenderer, JSONRenderer)

    def stream(self, request: Request, news: News) -> StreamingHttpResponse:
        """:raises Throttled: the caller has too many streams open."""
        headers = {"Cache-Control": "private, no-store", "X-Accel-Buffering": "no"}
        place = open_streams.take(request)
        content = contained(lines(news, place.turn), place)
        return StreamingHttpResponse(content, content_type=MEDIA_TYPE, headers=headers)

    def sign_in(self, request: Request) -> SignIn:
        return SignIn(request.user, request.auth, request.session.session_key)


class OwnStream(Stream):
    @extend_schema(
        parameters=[SeedQuery],
        responses={(200, MEDIA_TYPE): _event_lines(events.OWN_EVENT, events.OWN_EXAMPLES)},
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        """Follow all challenges and matches of the caller: their state first, then every change."""
        seed = query_of(request, SeedQuery).get("seed")
        return self.stream(request, OwnNews(self.sign_in(request), caller(request), seed))


class OwnRecords(Stream):
    """The records of all matches of the caller."""

    @extend_schema(responses={(200, MEDIA_TYPE): RECORD_LINES})
    def get(self, request: Request) -> StreamingHttpResponse:
        """Export all matches of the caller, the oldest first."""
        return export(request, caller(request), "turnstone-matches")


class PlayerRecords(Stream):
    """The records of all matches of a player, as spectators may see them."""

    is_public = True

    @extend_schema(responses={(200, MEDIA_TYPE): RECORD_LINES})
    def get(self, request: Request, name: str) -> StreamingHttpResponse:
        """Export all matches of a player, the oldest first."""
        user = named(name)
        return export(request, user, f"turnstone-{user.username}")


def export(request: Request, user: User, name: str) -> StreamingHttpResponse:
    """Return the records of a user's matches as a file to download."""
    limits.spend(request, "records")
    place = open_streams.take(request)
    matches = Match.objects.filter(players__user=user).order_by("pk")
    lines = map(_record, list(matches.values_list("pk", flat=True)))
    disposition = content_disposition_header(as_attachment=True, filename=f"{name}.ndjson")
    headers = {"Content-Disposition": disposition}
    content = contained(worked_out(lines, place.turn), place)
    return StreamingHttpResponse(content, content_type=MEDIA_TYPE, headers=headers)


class SinceQuery(SeedQuery):
    """The version after which a stream continues, and a seed."""

    version = serializers.IntegerField(
        min_value=0, default=0, help_text="The last one you have; the log begins after it."
    )


class MatchStream(Stream):
    """The stream of a match."""

    is_public = True

    @extend_schema(
        parameters=[SinceQuery],
        responses={(200, MEDIA_TYPE): _event_lines(events.MATCH_EVENT, events.MATCH_EXAMPLES)},
    )
    def get(self, request: Request, match_id: int) -> StreamingHttpResponse:
        """Follow a match: its state first, then every change, until it ends."""
        query = query_of(request, SinceQuery)
        selectors.snapshot(match_id)
        news = MatchNews(self.sign_in(request), match_id, query["version"], query.get("seed"))
        return self.stream(request, news)


async def contained(
    lines: AsyncGenerator[bytes, None], place: open_streams.OpenStream
) -> AsyncIterator[bytes]:
    """Yield the lines of a stream, and free its place; an error is logged and ends it."""
    try:
        async with contextlib.aclosing(lines):
            async for line in lines:
                yield line
    except Exception:
        log.exception("A stream failed.")
    finally:
        place.free()


async def worked_out(found: Iterator[bytes], turn: Turn) -> AsyncGenerator[bytes, None]:
    """Yield lines, each computed in a thread once it is wanted and its turn has come."""
    step = partial(in_thread(_next, _workers), found)
    while line := await turn.work(step):
        yield line


def _next(found: Iterator[bytes]) -> tuple[bytes | None, float]:
    """Return the next line, or ``None`` at the end, and the seconds of a core that it took."""
    began = time.thread_time()
    return next(found, None), time.thread_time() - began


def _record(match_id: int) -> bytes:
    try:
        snapshot = selectors.snapshot(match_id)
        return _line(record.export(snapshot, selectors.log(snapshot.match)))
    except Exception as error:  # an export that ended here would look complete
        if not isinstance(error, Unreadable):
            log.exception("The record of match %d failed.", match_id)
        return _line({"match": match_id, "unreadable": True})


async def lines(news: News, turn: Turn) -> AsyncGenerator[bytes, None]:
    """Yield a beat, the events, and a beat after each ``KEEPALIVE_PERIOD`` without an event.

    The first beat sends the headers at once, as some clients time out waiting for them. Later beats
    also pick up changes whose push was lost.
    """
    yield _line(BEAT)
    layer = get_channel_layer()
    channel = await layer.new_channel()
    waiting: asyncio.Task[Any] | None = None
    try:
        while True:
            # each time, as memberships end after a day or when Redis restarts
            for group in news.groups:
                await layer.group_add(group, channel)
            async for line in worked_out(map(_line, news.take()), turn):
                yield line
            if news.is_over:
                return
            waiting = waiting or asyncio.create_task(layer.receive(channel))
            # not cancelled at each beat, as the layer would then drop the channel
            await asyncio.wait({waiting}, timeout=KEEPALIVE_PERIOD)
            if waiting.done():
                waiting = None
            else:
                yield _line(BEAT)
    finally:
        for group in news.groups:
            await layer.group_discard(group, channel)
        await _forget(waiting or asyncio.create_task(layer.receive(channel)))


async def _forget(waiting: asyncio.Task[Any]) -> None:
    """Cancel the receiver of a channel, so that the layer drops the channel."""
    await asyncio.sleep(0)
    waiting.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await waiting


def _line(event: Any) -> bytes:
    return json.dumps(event, ensure_ascii=False, default=str).encode() + b"\n"
