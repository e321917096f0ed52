"""Who is at the other end of a connection, and how many connections they have."""

import ipaddress
from collections import Counter
from collections.abc import Iterable

FORWARDED = b"x-forwarded-for"
IPV6_NETWORK = 64
"""Bits that tell one home's IPv6 addresses from another's."""


def client_address(headers: Iterable[tuple[bytes, bytes]], peer: str, proxies: int) -> str:
    """Return the address of a client behind so many proxies of ours.

    Each proxy appends to ``X-Forwarded-For`` whom it saw, so that the entry that the outermost of
    ours wrote is that many from the end; what stands before it anybody can make up.

    :param headers: lower-case names, and values.
    :param peer: who opened the connection, which is the answer where there is no such entry.
    """
    values = [value.decode("latin-1") for name, value in headers if name == FORWARDED]
    found = ",".join(values).split(",")
    if not proxies or len(found) < proxies:
        return plain_address(peer)
    try:
        return str(_parsed(_without_port(found[-proxies].strip())))
    except ValueError:
        return plain_address(peer)


def plain_address(address: str) -> str:
    """Return an IPv4 address that is written as IPv6 (``::ffff:192.0.2.1``) as what it is.

    All of these share one /64 network, so limits would take all IPv4 clients for one. Other texts
    stay as they are.
    """
    try:
        return str(_parsed(address))
    except ValueError:
        return address


def _parsed(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """Return the address that a text names.

    :raises ValueError: it names none.
    """
    address = ipaddress.ip_address(text)
    return getattr(address, "ipv4_mapped", None) or address


def _without_port(address: str) -> str:
    """Return the address of ``192.0.2.1:443`` and ``[2001:db8::1]:443``."""
    if address.startswith("["):
        return address[1:].partition("]")[0]
    return address.partition(":")[0] if address.count(":") == 1 else address


class Slots:
    """Counts what each client has open, up to a bound."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._taken: Counter[str] = Counter()

    def take(self, client: str) -> bool:
        """Take one for a client; ``False`` if they have as many as anybody may."""
        key = network_of(client)
        if self._taken[key] >= self._most:
            return False
        self._taken[key] += 1
        return True

    def give_back(self, client: str) -> None:
        """Count one less for a client."""
        key = network_of(client)
        self._taken[key] -= 1
        if not self._taken[key]:
            del self._taken[key]


def network_of(client: str) -> str:
    """Return what stands for all addresses that a client can choose from at will."""
    try:
        address = _parsed(client)
    except ValueError:
        return client
    if address.version == 4:  # noqa: PLR2004 - the version of the protocol
        return str(address)
    return str(ipaddress.ip_network((address, IPV6_NETWORK), strict=False))
