"""Requests to push services at URLs that users supply: public HTTPS addresses only.

The name is resolved once, and the connection goes to the address that was checked, so DNS rebinding
doesn't work. Redirects aren't followed. One deadline covers the whole request, so an endpoint that
answers a byte at a time can't hold a worker.
"""

import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Mapping
from contextlib import suppress
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

DEADLINE = 10.0
"""Seconds for a whole request, from DNS lookup to response status."""

MAX_ENDPOINT_LENGTH = 500
"""Maximum length of an endpoint, in characters."""

HTTPS_PORT = 443


class BadEndpoint(ValueError):
    """An endpoint that must not be contacted; the message says why."""


def check(endpoint: str) -> SplitResult:
    """Return the parts of an endpoint's URL, without resolving its name.

    :raises BadEndpoint: it isn't an acceptable URL.
    """
    try:
        parts = urlsplit(endpoint)
        port = parts.port
    except ValueError as error:
        raise BadEndpoint("not an address") from error
    if _is_test(parts):
        return parts
    is_plain = (
        len(endpoint) <= MAX_ENDPOINT_LENGTH and endpoint.isascii() and endpoint.isprintable()
    )
    if parts.scheme != "https" or not parts.hostname or not is_plain or " " in endpoint:
        raise BadEndpoint("not an address over HTTPS")
    if parts.username is not None or parts.password is not None or port not in (None, HTTPS_PORT):
        raise BadEndpoint("an odd port, or a name and password")
    return parts


def post(endpoint: str, body: bytes, headers: Mapping[str, str]) -> int:
    """Post a body to an endpoint and return the response status; the response body isn't read.

    The request runs in its own thread, which is abandoned at the deadline: no socket timeout covers
    a whole request, and a DNS lookup can't be interrupted.

    :raises BadEndpoint: it isn't a public HTTPS address.
    :raises TimeoutError: there was no response within ``DEADLINE``.
    :raises OSError: the request failed.
    """
    request = _Request(check(endpoint), body, headers)
    thread = threading.Thread(target=request.run, name="push", daemon=True)
    thread.start()
    thread.join(DEADLINE)
    if thread.is_alive():
        request.cut()
        raise TimeoutError(f"no answer within {DEADLINE:g} seconds")
    return request.result()


class _Request:
    """A request that another thread can abort."""

    def __init__(self, parts: SplitResult, body: bytes, headers: Mapping[str, str]) -> None:
        self._parts = parts
        self._body = body
        self._headers = headers
        self._connection: _Connection | None = None
        self._is_cut = False
        self._outcome: int | Exception = TimeoutError()

    def run(self) -> None:
        """Send the request, and store the response status or the error."""
        try:
            self._outcome = self._send()
        except Exception as error:  # noqa: BLE001  # raised again by `result`
            self._outcome = error

    def result(self) -> int:
        if isinstance(self._outcome, http.client.HTTPException):
            raise ConnectionError(type(self._outcome).__name__) from self._outcome
        if isinstance(self._outcome, Exception):
            raise self._outcome
        return self._outcome

    def cut(self) -> None:
        self._is_cut = True
        if self._connection is not None:
            self._connection.cut()

    def _send(self) -> int:
        connection = self._connection = _connection(self._parts)
        if self._is_cut:
            raise TimeoutError
        path = self._parts.path or "/"
        query = self._parts.query
        try:
            target = f"{path}?{query}" if query else path
            connection.request("POST", target, self._body, dict(self._headers))
            return connection.getresponse().status
        finally:
            connection.close()


def _connection(parts: SplitResult) -> "_Connection":
    host = str(parts.hostname)
    if _is_test(parts):
        return _Connection(host, parts.port, timeout=DEADLINE)
    return _PinnedConnection(host, _public_address(host))


class _Connection(http.client.HTTPConnection):
    """A connection that another thread can close."""

    _is_cut = False

    def cut(self) -> None:
        """Wake up the thread that waits on this connection, and make it fail."""
        self._is_cut = True
        if self.sock is not None:
            with suppress(OSError):
                self.sock.shutdown(socket.SHUT_RDWR)

    def connect(self) -> None:
        """Connect, unless the connection was cut."""
        super().connect()
        self._check()

    def _check(self) -> None:
        """Fail if the connection was cut before it had a socket."""
        if self._is_cut:
            self.close()
            raise TimeoutError


class _PinnedConnection(_Connection):
    """A TLS connection to one IP address, which must prove the host name."""

    default_port = HTTPS_PORT

    def __init__(self, host: str, address: str) -> None:
        super().__init__(host, HTTPS_PORT, timeout=DEADLINE)
        self._address = address

    def connect(self) -> None:
        """Connect, and verify the certificate for the host name."""
        self.sock = socket.create_connection((self._address, HTTPS_PORT), self.timeout)
        self._check()
        # The handshake is delayed until the socket is stored, so that it can be cut too.
        secure = ssl.create_default_context().wrap_socket(
            self.sock, server_hostname=self.host, do_handshake_on_connect=False
        )
        self.sock = secure
        self._check()
        secure.do_handshake()


def _public_address(host: str) -> str:
    """Resolve a host name.

    :raises BadEndpoint: one of its addresses isn't public.
    :raises OSError: it has no address.
    """
    answers = socket.getaddrinfo(host, HTTPS_PORT, type=socket.SOCK_STREAM)
    addresses = [str(address[0]) for *_, address in answers]
    if not all(map(is_public, addresses)):
        raise BadEndpoint("not a public address")
    return addresses[0]


def is_public(address: str) -> bool:
    """Whether an IP address is public, also if it is an IPv4 address mapped into IPv6."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo or (None, None))[1]
        is_nat64 = ip in ipaddress.ip_network("64:ff9b::/96")
        return ip.is_global and not ip.is_multicast and inner is None and not is_nat64
    return ip.is_global and not ip.is_multicast


def _is_test(parts: SplitResult) -> bool:
    """Whether this is the test receiver, the only one allowed on this machine."""
    receiver = settings.PUSH_TEST_RECEIVER
    return bool(receiver) and f"{parts.scheme}://{parts.netloc}" == receiver
