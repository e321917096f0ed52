"""The address of a client behind proxies, its requests in progress, and its share of the time."""

import ipaddress
import threading
from collections import Counter
from collections.abc import Iterable

FORWARDED = b"x-forwarded-for"
IPV6_NETWORK = 64
"""Bits of an IPv6 address that name a home's network."""


def client_address(headers: Iterable[tuple[bytes, bytes]], peer: str, proxies: int) -> str:
    """Return the address of a client behind a number of our own proxies.

    Each proxy appends the address it sees to ``X-Forwarded-For``. Our outermost proxy wrote the
    entry that is ``proxies`` from the end. Clients can make up all entries before it.

    :param headers: lower-case names, and values.
    :param peer: the address that opened the connection, used if there is no such entry.
    """
    values = [value.decode("latin-1") for name, value in headers if name == FORWARDED]
    entries = ",".join(values).split(",")
    if not proxies or len(entries) < proxies:
        return plain_address(peer)
    try:
        return str(_parsed(_without_port(entries[-proxies].strip())))
    except ValueError:
        return plain_address(peer)


def plain_address(address: str) -> str:
    """Return an IPv4 address written as IPv6 (``::ffff:192.0.2.1``) as IPv4.

    All of these are in one /64 network, so limits would count all IPv4 clients as one. Other texts
    stay as they are.
    """
    try:
        return str(_parsed(address))
    except ValueError:
        return address


def _parsed(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """:raises ValueError: it isn't an address."""
    address = ipaddress.ip_address(text)
    return getattr(address, "ipv4_mapped", None) or address


def _without_port(address: str) -> str:
    """Return the address in ``192.0.2.1:443`` or ``[2001:db8::1]:443``."""
    if address.startswith("["):
        return address[1:].partition("]")[0]
    return address.partition(":")[0] if address.count(":") == 1 else address


class Slots:
    """Counts what each client has in progress, up to a limit."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._taken: Counter[str] = Counter()
        self._lock = threading.Lock()

    def take(self, client: str) -> bool:
        """``False`` if all slots are taken."""
        key = network_of(client)
        with self._lock:
            if self._taken[key] >= self._most:
                return False
            self._taken[key] += 1
        return True

    def give_back(self, client: str) -> None:
        key = network_of(client)
        with self._lock:
            self._taken[key] -= 1
            if not self._taken[key]:
                del self._taken[key]


class Share:
    """The work of one client, which may take a share of the time in the long run.

    :param share: up to 1.
    :param burst: seconds of work before the share limits the client.
    """

    def __init__(self, share: float, burst: float) -> None:
        self._share = share
        self._burst = burst
        self._paid_until = 0.0

    def owes(self, now: float) -> float:
        """Return the seconds until the work so far is within the share. Below 0 if it is."""
        return self._paid_until - now

    def wait(self, now: float) -> float:
        """Return the seconds until the client may work again. Below 0 if it may."""
        return self.owes(now) - self._burst / self._share

    def spend(self, began: float, seconds: float) -> None:
        """Count ``seconds`` of work that began at the time ``began``."""
        self._paid_until = max(self._paid_until, began) + seconds / self._share


def network_of(client: str) -> str:
    """Return the network whose addresses a client can choose from: /64 for IPv6, one for IPv4."""
    try:
        address = _parsed(client)
    except ValueError:
        return client
    if address.version == 4:  # noqa: PLR2004 - the version of the protocol
        return str(address)
    return str(ipaddress.ip_network((address, IPV6_NETWORK), strict=False))
