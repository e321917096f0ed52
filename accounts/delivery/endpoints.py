"""Requests to push services, whose addresses come from users: public ones over HTTPS alone.

A name is looked up once, and the connection goes to the address that was checked: a name that
points elsewhere a moment later leads nowhere. Redirects are not followed.
"""

import http.client
import ipaddress
import socket
import ssl
from collections.abc import Mapping
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

PATIENCE = 10.0
"""Seconds for each step of a request."""

LONGEST = 500
"""The most characters of an endpoint."""

HTTPS_PORT = 443


class BadEndpoint(ValueError):
    """An endpoint to which nothing may be sent; the message says why."""


def check(endpoint: str) -> SplitResult:
    """Return the parts of an endpoint that looks like one; its name is not looked up.

    :raises BadEndpoint: it does not.
    """
    try:
        parts = urlsplit(endpoint)
        port = parts.port
    except ValueError as error:
        raise BadEndpoint("not an address") from error
    if _is_test(parts):
        return parts
    is_plain = len(endpoint) <= LONGEST and endpoint.isascii() and endpoint.isprintable()
    if parts.scheme != "https" or not parts.hostname or not is_plain or " " in endpoint:
        raise BadEndpoint("not an address over HTTPS")
    if parts.username is not None or parts.password is not None or port not in (None, HTTPS_PORT):
        raise BadEndpoint("an odd port, or a name and password")
    return parts


def post(endpoint: str, body: bytes, headers: Mapping[str, str]) -> int:
    """Send a body to an endpoint; return the status of the answer, which is not read.

    :raises BadEndpoint: it is not a public address over HTTPS.
    :raises OSError: nobody answers.
    """
    parts = check(endpoint)
    connection = _connection(parts)
    try:
        target = parts.path or "/"
        connection.request("POST", f"{target}?{parts.query}" if parts.query else target, body,
                           dict(headers))  # fmt: skip
        return connection.getresponse().status
    except http.client.HTTPException as error:
        raise ConnectionError(type(error).__name__) from error
    finally:
        connection.close()


def _connection(parts: SplitResult) -> http.client.HTTPConnection:
    host, port = str(parts.hostname), parts.port
    if _is_test(parts):
        return http.client.HTTPConnection(host, port, timeout=PATIENCE)
    return _PinnedConnection(host, _public_address(host))


class _PinnedConnection(http.client.HTTPSConnection):
    """A connection to the one address that a name was found to have."""

    def __init__(self, host: str, address: str) -> None:
        self._tls = ssl.create_default_context()
        super().__init__(host, HTTPS_PORT, timeout=PATIENCE, context=self._tls)
        self._address = address

    def connect(self) -> None:
        """Connect, and have the server prove the name."""
        plain = socket.create_connection((self._address, HTTPS_PORT), self.timeout)
        self.sock = self._tls.wrap_socket(plain, server_hostname=self.host)


def _public_address(host: str) -> str:
    """Look a name up.

    :raises BadEndpoint: one of its addresses is not public.
    :raises OSError: it has none.
    """
    found = socket.getaddrinfo(host, HTTPS_PORT, type=socket.SOCK_STREAM)
    addresses = [str(address[0]) for *_, address in found]
    if not all(map(is_public, addresses)):
        raise BadEndpoint("not a public address")
    return addresses[0]


def is_public(address: str) -> bool:
    """Whether an IP address is one of the internet, also where IPv6 wraps one of IPv4."""
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour or (found.teredo or (None, None))[1]
        is_nat64 = found in ipaddress.ip_network("64:ff9b::/96")
        return found.is_global and not found.is_multicast and inner is None and not is_nat64
    return found.is_global and not found.is_multicast


def _is_test(parts: SplitResult) -> bool:
    """Whether this is the receiver of tests, the one that may be on this machine."""
    receiver = settings.PUSH_TEST_RECEIVER
    return bool(receiver) and f"{parts.scheme}://{parts.netloc}" == receiver
