"""An ASGI application around the site: ids, addresses, limits per client and the access log."""

import json
import logging
import uuid
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Self, TextIO

from config.redaction import safe_path
from config.server.clients import Slots, client_address, plain_address
from config.server.turns import InTurn

log = logging.getLogger(__name__)

Application = Callable[..., Awaitable[None]]
Message = dict[str, Any]

STREAM = (b"content-type", b"application/x-ndjson")
"""The header of responses that last until somebody ends them."""

SHARE = 100
"""At a time, one in this many of the requests that a client may have in progress is worked on."""

READINESS = "/readyz"
DRAINING = {"ready": False, "parts": {"server": {"ok": False, "error": "Draining"}}}
NOT_READY = 503
TOO_MANY = 429
FAILED = 500
RETRY_AFTER = 3
"""Seconds after which a client with too many requests in progress may ask again."""

PROGRAMS = "/api/v1/"
"""Prefix of the API, whose errors are problems (RFC 9457)."""

PROBLEMS = {
    TOO_MANY: ("throttled", "Too Many Requests", "Too many requests are in progress."),
    FAILED: ("failed", "Internal Server Error", "The site failed."),
}
"""Code, title and detail of the errors that come from here."""

ABORT = "turnstone.http.abort"
"""The type of a message to the server: close the connection, as the response stays incomplete."""


class ServedApplication:
    """Serves an ASGI application to clients behind ``proxies`` proxies.

    :param most: maximum of requests, and of sockets, that one client may have in progress.
    :param access_log: gets a line for each response, and for each socket that opens or closes.
    """

    def __init__(
        self, application: Application, *, proxies: int, most: int, access_log: TextIO | None
    ) -> None:
        self._application = InTurn(application, max(1, most // SHARE))
        self._proxies = proxies
        self._request_slots = Slots(most)
        self._socket_slots = Slots(most)
        self._access_log = access_log
        self.draining = False
        self.in_progress = 0
        """Requests in progress, without streams."""

    async def __call__(self, scope: Message, receive: Any, send: Any) -> None:
        scope["request_id"] = str(uuid.uuid4())
        # Daphne takes it from a header that anybody can send, and puts it before all links.
        scope["root_path"] = ""
        host, port = scope["client"] or ("", 0)
        client = client_address(scope["headers"], host, self._proxies)
        if client:
            scope["client"] = [client, port if client == plain_address(host) else 0]
        if scope["type"] == "websocket":
            with _slot(self._socket_slots, client) as is_free:
                await self._serve_socket(scope, receive, send, may_open=is_free)
        else:
            with _slot(self._request_slots, client) as is_free, _Request(self, scope, send) as to:
                await self._serve_request(scope, receive, to, is_free=is_free)

    async def _serve_request(
        self, scope: Message, receive: Any, request: "_Request", *, is_free: bool
    ) -> None:
        if self.draining and scope["path"] == READINESS:
            headers = [(b"content-type", b"application/json"), (b"cache-control", b"no-store")]
            await request.answer(NOT_READY, headers, json.dumps(DRAINING).encode())
        elif is_free:
            await self._answer(scope, receive, request)
        else:
            await request.refuse(TOO_MANY, [(b"retry-after", str(RETRY_AFTER).encode())])

    async def _answer(self, scope: Message, receive: Any, request: "_Request") -> None:
        try:
            await self._application(scope, receive, request.send)
        except Exception:
            # Daphne can't answer a failure after the headers, and would watch no request any more.
            log.exception("A request failed.")
            await request.fail()

    async def _serve_socket(
        self, scope: Message, receive: Any, send: Any, *, may_open: bool
    ) -> None:
        is_open = False

        async def logged_send(message: Message) -> None:
            nonlocal is_open
            if message["type"] == "websocket.accept":
                is_open = True
                self.log(scope, "WSCONNECT")
            elif message["type"] == "websocket.close" and not is_open:
                self.log(scope, "WSREJECT")
            await send(message)

        self.log(scope, "WSCONNECTING")
        if self.draining or not may_open:
            await logged_send({"type": "websocket.close"})
            return
        try:
            await self._application(scope, receive, logged_send)
        finally:
            if is_open:
                self.log(scope, "WSDISCONNECT")

    def log(self, scope: Message, action: str, status: int = 0, length: int = 0) -> None:
        """Write a line in the common log format, with the id at the end and without tokens."""
        if self._access_log is None:
            return
        client = scope["client"][0] if scope["client"] else "-"
        at = datetime.now()  # noqa: DTZ005 - local time, as in other access logs
        print(
            f'{client} - - [{at:%d/%b/%Y:%H:%M:%S}] "{action} {safe_path(scope["path"])}"',
            f"{status or '-'} {length or '-'} {scope['request_id']}",
            file=self._access_log,
            flush=True,
        )


@contextmanager
def _slot(slots: Slots, client: str) -> Iterator[bool]:
    """Take a slot for the block; yield whether one was free. Without an address, one always is."""
    is_free = not client or slots.take(client)
    try:
        yield is_free
    finally:
        if client and is_free:
            slots.give_back(client)


class _Request:
    """A request, counted as in progress until it is answered or turns out to be a stream."""

    def __init__(self, served: ServedApplication, scope: Message, send: Any) -> None:
        self._served = served
        self._scope = scope
        self._send = send
        self._status = self._length = 0
        self._is_counted = self._is_complete = False

    def __enter__(self) -> Self:
        self._served.in_progress += 1
        self._is_counted = True
        return self

    def __exit__(self, *_: object) -> None:
        self._stop_counting()

    def _stop_counting(self) -> None:
        if self._is_counted:
            self._served.in_progress -= 1
        self._is_counted = False

    async def send(self, message: Message) -> None:
        """Send a part of the response. While draining, it asks the client to hang up."""
        if message["type"] == "http.response.start":
            headers = list(message.get("headers", ()))
            self._status = message["status"]
            if any((name.lower(), value) == STREAM for name, value in headers):
                self._stop_counting()
            if self._served.draining:
                message = {**message, "headers": [*headers, (b"connection", b"close")]}
        elif message["type"] == "http.response.body":
            self._length += len(message.get("body", b""))
            self._is_complete = not message.get("more_body")
        await self._send(message)
        if self._is_complete:
            self._served.log(self._scope, self._scope["method"], self._status, self._length)

    async def answer(
        self, status: int, headers: Sequence[tuple[bytes, bytes]] = (), body: bytes = b""
    ) -> None:
        """Answer without calling the site."""
        headers = [*headers, (b"content-length", str(len(body)).encode())]
        await self.send({"type": "http.response.start", "status": status, "headers": headers})
        await self.send({"type": "http.response.body", "body": body})

    async def refuse(self, status: int, headers: Sequence[tuple[bytes, bytes]] = ()) -> None:
        """Send an error: a problem document for programs, no body for others."""
        body = b""
        if self._scope["path"].startswith(PROGRAMS):
            code, title, detail = PROBLEMS[status]
            problem = {"type": f"{PROGRAMS}#{code}", "title": title, "status": status}
            body = json.dumps({**problem, "detail": detail, "code": code}).encode()
            headers = [*headers, (b"content-type", b"application/problem+json")]
        await self.answer(status, headers, body)

    async def fail(self) -> None:
        """Answer that the site failed, or cut off a response that has begun."""
        if not self._status:
            await self.refuse(FAILED)
        elif not self._is_complete:
            await self._send({"type": ABORT})
