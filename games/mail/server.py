"""The SMTP server for moves by mail. It accepts connections from the site's relays only.

Everything is bounded: connections, their time and bytes, commands, and the size of a mail. If a
mail can't be handled now, for example because the database is away, it is refused temporarily, and
comes again.
"""

import asyncio
import ipaddress
import logging
from collections.abc import Awaitable
from datetime import datetime
from typing import Any, TypeVar

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.conf import settings
from django.utils import timezone

from games.mail import replies
from games.mail.replies import ReplyRefused, SmtpReply
from games.matches.notify.reply_addresses import ReplyAddress
from games.matches.store import in_thread

logger = logging.getLogger(__name__)

MAX_CONNECTIONS = 30
MAX_COMMANDS = 100
"""Maximum number of commands of one kind in a connection. A relay may reuse one for many mails."""

MAX_MAIL_SIZE = 256 * 1024
"""In bytes."""

MAX_CONNECTION_BYTES = 20 * MAX_MAIL_SIZE
"""In one connection."""

COMMAND = 60.0
"""Maximum seconds for one command with its answer, and for a whole mail."""

CONNECTION = 600.0
"""Maximum seconds for a connection."""

BUSY = b"421 4.3.2 Too many connections. Try again later.\r\n"
STRANGER = b"554 5.7.1 This server speaks with its relays only.\r\n"

Result = TypeVar("Result")


class Handler:
    """Hooks for aiosmtpd. ``connections`` are the open ones."""

    def __init__(self) -> None:
        self.connections = set["Connection"]()

    async def handle_RCPT(  # noqa: N802 - as aiosmtpd calls it
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Accept the single recipient of a mail, if it is one of ours."""
        if envelope.rcpt_tos:
            return "452 4.5.3 One recipient at a time."
        try:
            await _or_later(_recipient(address, timezone.now()))
        except ReplyRefused as refused:
            return str(refused.said)
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        content = envelope.content if isinstance(envelope.content, bytes) else b""
        (address,) = envelope.rcpt_tos
        sender = envelope.mail_from or ""
        try:
            return str(await _or_later(_receive(content, sender, address, timezone.now())))
        except ReplyRefused as refused:
            return str(refused.said)

    async def handle_exception(self, error: Exception) -> str:
        """Reveal nothing about the error. It is logged without the content of the mail."""
        logger.error("A connection failed: %s", type(error).__name__)
        return str(SmtpReply.LATER)


async def _or_later(work: Awaitable[Result]) -> Result:
    """Return the result of ``work``.

    :raises ReplyRefused: it was refused, or failed temporarily.
    """
    try:
        return await work
    except ReplyRefused:
        raise
    except Exception as error:
        logger.exception("A mail could not be taken")
        raise ReplyRefused(SmtpReply.LATER, "failed") from error


@in_thread
def _recipient(address: str, now: datetime) -> ReplyAddress:
    return replies.recipient(address, now=now)


@in_thread
def _receive(content: bytes, sender: str, address: str, now: datetime) -> SmtpReply:
    return replies.receive(content, sender, address, now=now)


class Connection(SMTP):
    """A bounded connection. Strangers, and connections beyond the maximum, are refused at once."""

    _is_refused = False
    _received = 0
    _end: asyncio.TimerHandle | None = None
    transport: Any

    def connection_made(self, transport: Any) -> None:
        """Greet, or refuse with the reason."""
        peer = transport.get_extra_info("peername")
        open_ones = self.event_handler.connections
        refusal = STRANGER if not is_relay(peer) else BUSY
        if refusal == STRANGER or len(open_ones) >= MAX_CONNECTIONS:
            self._is_refused = True
            transport.write(refusal)
            transport.close()
            return
        open_ones.add(self)
        self._end = self.loop.call_later(CONNECTION, transport.abort)
        super().connection_made(transport)

    def data_received(self, data: bytes) -> None:
        """Receive bytes, up to the maximum of a connection."""
        self._received += len(data)
        if self._is_refused:
            return
        if self._received > MAX_CONNECTION_BYTES and self.transport is not None:
            self.transport.abort()
            return
        super().data_received(data)

    def eof_received(self) -> bool | None:
        """Handle the end of the input."""
        return None if self._is_refused else super().eof_received()

    def connection_lost(self, error: Exception | None) -> None:
        if self._is_refused:
            return
        self.event_handler.connections.discard(self)
        if self._end is not None:
            self._end.cancel()
        super().connection_lost(error)


def is_relay(peer: Any) -> bool:
    """Whether a peer, address and port, is in one of the networks of relays."""
    try:
        address = ipaddress.ip_address(str(peer[0]).partition("%")[0])
    except (ValueError, TypeError, IndexError):
        return False
    address = getattr(address, "ipv4_mapped", None) or address
    return any(address in ipaddress.ip_network(network) for network in settings.REPLY_RELAYS)


class MailServer(Controller):
    """The server, in a thread of its own. ``start`` and ``stop`` are aiosmtpd's."""

    def __init__(self, host: str, port: int) -> None:
        super().__init__(Handler(), hostname=host, port=port)

    def factory(self) -> Connection:
        return Connection(
            self.handler,
            loop=self.loop,
            hostname=settings.REPLY_DOMAIN,
            ident="ESMTP",
            data_size_limit=MAX_MAIL_SIZE,
            timeout=COMMAND,
            command_call_limit=MAX_COMMANDS,
            auth_exclude_mechanism=("LOGIN", "PLAIN"),
        )
