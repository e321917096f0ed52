"""Which pages may open a socket: those of this site, of its own scheme and port."""

from typing import Any
from urllib.parse import SplitResult, urlsplit

from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.http.request import validate_host

DEFAULT_PORTS = {"http": 80, "https": 443}


class SameOriginValidator:
    """Refuses handshakes of other origins.

    ``AllowedHostsOriginValidator`` of Channels compares only hosts, so it accepts pages of
    another scheme or port on the same host.
    """

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Pass a handshake on, or deny it."""
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        allowed = is_own_origin(headers.get(b"origin", ""), headers.get(b"host", ""))
        await (self.application if allowed else WebsocketDenier())(scope, receive, send)


def is_own_origin(origin: str, host: str) -> bool:
    """Whether an ``Origin`` header names this site.

    It does if it equals the origin of ``SITE_URL``, or if it has the same scheme and the name and
    port of the ``Host`` header, and that is one of ``ALLOWED_HOSTS``.
    """
    site = urlsplit(settings.SITE_URL)
    try:
        asked = _origin(urlsplit(origin))
        served = _origin(urlsplit(f"{site.scheme}://{host}"))
    except ValueError:
        return False
    if asked == _origin(site):
        return True
    return asked == served and validate_host(served[1], settings.ALLOWED_HOSTS)


def _origin(parts: SplitResult) -> tuple[str, str, int | None]:
    """Return scheme, host and port.

    :raises ValueError: the port is invalid.
    """
    name = parts.hostname or ""
    host = f"[{name}]" if ":" in name else name
    return parts.scheme, host, parts.port or DEFAULT_PORTS.get(parts.scheme)
