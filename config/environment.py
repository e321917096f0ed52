"""Reads settings from the environment.

A missing or invalid variable stops the start with one sentence that names it, without a traceback
and without its value, which may be a secret.
"""

import re
from collections.abc import Callable, Mapping
from email.utils import getaddresses, parseaddr
from ipaddress import ip_network
from typing import Any, NoReturn, TypeVar, cast
from urllib.parse import SplitResult, urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured
from django.http.request import validate_host

T = TypeVar("T")

LONG_ENOUGH = 50
"""Minimum length of a secret key in Django's deployment check."""

_HOST = re.compile(r"[a-z0-9]([a-z0-9.-]{0,250}[a-z0-9])?")

DIFFERENT_ENOUGH = 5
DATABASE_ENGINE = "config.postgresql"
DATABASE_SCHEMES = {"postgres", "postgresql"}
SMTP_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
REDIS_SCHEMES = {"redis", "rediss", "unix"}
REDIS_EXAMPLE = "redis://host:6379/0"
MAIL_SCHEMES = {
    "smtp",
    "smtps",
    "smtp+tls",
    "smtp+ssl",
    "consolemail",
    "filemail",
}


class Environment:
    """The environment's variables, with a method for each type."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._env = environ.Env()
        self._env.ENVIRON = dict(variables)

    def text(self, name: str, *, default: str | None = None, example: str = "…") -> str:
        """:raises SystemExit: the variable is missing or empty and has no default."""
        value = self._env.ENVIRON.get(name, "").strip()
        if value:
            return str(value)
        if default is None:
            stop(name, f"is not set; it should look like {example}")
        return default

    def flag(self, name: str, *, default: bool) -> bool:
        value = self.text(name, default=str(default)).lower()
        if value in {"1", "true", "yes", "on"}:
            return True
        if value in {"0", "false", "no", "off"}:
            return False
        return stop(name, "should be true or false")

    def number(self, name: str, *, default: int, lowest: int = 0) -> int:
        """:raises SystemExit: it isn't a whole number of at least ``lowest``."""
        value = self.text(name, default=str(default))
        if not value.isdecimal() or int(value) < lowest:
            stop(name, f"should be a whole number of at least {lowest}")
        return int(value)

    def words(self, name: str, *, default: str | None = None, example: str = "…") -> list[str]:
        parts = self.text(name, default=default, example=example).split(",")
        return [part.strip() for part in parts if part.strip()]

    def secret(self, name: str) -> str:
        value = self.text(name, example="50 random characters or more")
        if len(value) < LONG_ENOUGH or len(set(value)) < DIFFERENT_ENOUGH:
            stop(name, f"is too easy to guess; use at least {LONG_ENOUGH} random characters")
        return value

    def old_secrets(self, name: str) -> list[str]:
        """Earlier keys. Empty if the variable isn't set."""
        values = self.words(name, default="")
        if any(len(value) < LONG_ENOUGH for value in values):
            stop(name, f"should hold keys of at least {LONG_ENOUGH} characters, between commas")
        return values

    def site(self, name: str) -> SplitResult:
        example = "https://games.example.org"
        value = self.text(name, example=example)
        parts = self._checked(name, lambda: _address(value), example)
        bare = not (parts.query or parts.fragment or parts.path.strip("/") or parts.username)
        if parts.scheme not in {"http", "https"} or not parts.hostname or not bare:
            stop(name, f"should be an address without a path, like {example}")
        if not value.isascii():
            stop(name, "should hold its host name in ASCII (Punycode: xn--…)")
        return parts._replace(path="")

    def hosts(self, name: str, site: SplitResult) -> list[str]:
        """The host names to answer to; that of ``site`` is the default, and must be one of them."""
        own = f"[{site.hostname}]" if ":" in (site.hostname or "") else str(site.hostname)
        values = self.words(name, default=own)
        if not validate_host(own, values):
            stop(name, "should hold the host of SITE_URL, too")
        return values

    def database(self, name: str) -> dict[str, Any]:
        """A PostgreSQL database, as Django's settings describe it."""
        example = "postgres://user:password@host:5432/turnstone"
        self._scheme(name, DATABASE_SCHEMES, example)
        config = self._checked(
            name, lambda: self._env.db_url(name, engine=DATABASE_ENGINE), example
        )
        if not config.get("NAME"):
            stop(name, f"names no database; it should look like {example}")
        return cast("dict[str, Any]", config)

    def redis(self, name: str) -> str:
        value = self.text(name, example=REDIS_EXAMPLE)
        return self._redis(name, value)

    def several_redis(self, name: str, *, default: str) -> list[str]:
        return [self._redis(name, value) for value in self.words(name, default=default)]

    def _redis(self, name: str, value: str) -> str:
        self._has_scheme(name, value, REDIS_SCHEMES, REDIS_EXAMPLE)
        self._checked(name, lambda: _address(value), REDIS_EXAMPLE)
        return value

    def mail(self, name: str) -> dict[str, Any]:
        """Django's EMAIL_… settings for a mail server."""
        example = "smtp+tls://user:password@mail.example.org:587"
        self._scheme(name, MAIL_SCHEMES, example)
        settings: dict[str, Any] = self._checked(name, lambda: self._env.email_url(name), example)
        if settings["EMAIL_BACKEND"] == SMTP_BACKEND:
            # This backend reports whether delivery is uncertain.
            settings["EMAIL_BACKEND"] = "accounts.smtp.EmailBackend"
        return settings

    def replies(self) -> dict[str, Any]:
        """The settings for moves by mail: all of them, or nothing to turn it off."""
        domain = self.text("REPLY_DOMAIN", default="").lower()
        if not domain:
            return {}
        if not _HOST.fullmatch(domain):
            stop("REPLY_DOMAIN", "should be the name of a host, like play.example.org")
        return {
            "REPLY_DOMAIN": domain,
            "REPLY_AUTHSERV": self.text("REPLY_AUTHSERV", example="mx.example.org").lower(),
            "REPLY_RELAYS": self.networks("REPLY_RELAYS"),
        }

    def networks(self, name: str) -> list[str]:
        example = "127.0.0.1, 10.0.0.0/24"
        words = self.words(name, example=example)
        return self._checked(name, lambda: [str(ip_network(text)) for text in words], example)

    def mailbox(self, name: str, *, default: str | None = None) -> str:
        value = self.text(name, default=default, example="Turnstone <games@example.org>")
        if "@" not in parseaddr(value)[1]:
            stop(name, "should look like Turnstone <games@example.org>")
        return value

    def people(self, name: str) -> list[tuple[str, str]]:
        """Names and addresses separated by commas. Empty if the variable isn't set."""
        pairs = getaddresses([self.text(name, default="")])
        if any("@" not in address for _, address in pairs if address or _):
            stop(name, "should look like Ada <ada@example.org>, bob@example.org")
        return [(person or address, address) for person, address in pairs if address]

    def _scheme(self, name: str, allowed: set[str], example: str) -> str:
        value = self.text(name, example=example)
        self._has_scheme(name, value, allowed, example)
        return value

    @staticmethod
    def _has_scheme(name: str, value: str, allowed: set[str], example: str) -> None:
        if value.partition(":")[0].lower() not in allowed:
            stop(name, f"should look like {example}")

    @staticmethod
    def _checked(name: str, read: Callable[[], T], example: str) -> T:
        try:
            return read()
        except (ImproperlyConfigured, ValueError, KeyError, AttributeError):
            stop(name, f"cannot be read; it should look like {example}")


def _address(value: str) -> SplitResult:
    """:raises ValueError: host or port is invalid."""
    parts = urlsplit(value)
    if parts.port == 0:
        raise ValueError(value)
    return parts


def stop(name: str, problem: str) -> NoReturn:
    raise SystemExit(f"Turnstone cannot start: the environment variable {name} {problem}.")
