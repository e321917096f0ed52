"""Muted pages, such as matches, about which somebody wants neither mails nor pushes.

Reminders that time is running out are sent all the same.
"""

from collections.abc import Callable
from datetime import datetime

from accounts.delivery.models import MutedPage
from accounts.models import User

Name = Callable[[str], tuple[str, str] | None]

_names: dict[str, Name] = {}


def register(prefix: str, name: Name) -> None:
    """Register how pages whose keys begin with ``prefix`` are called and where they are.

    ``name`` returns title and address of a page, or ``None`` if it is gone.
    """
    _names[prefix] = name


def mute(user: User, page_key: str, *, now: datetime) -> None:
    """Stop mails and pushes about a page; harmless if they are stopped already."""
    MutedPage.objects.get_or_create(user=user, page_key=page_key, defaults={"created": now})


def unmute(user: User, page_key: str) -> None:
    MutedPage.objects.filter(user=user, page_key=page_key).delete()


def is_muted(user: User, page_key: str) -> bool:
    return MutedPage.objects.filter(user=user, page_key=page_key).exists()


def muted(user: User) -> list[tuple[str, str, str]]:
    """Return key, title and address of a user's muted pages, latest first."""
    keys = MutedPage.objects.filter(user=user).order_by("-created", "-pk")
    pages = [(key, _name(key)) for key in keys.values_list("page_key", flat=True)]
    return [(key, *named) for key, named in pages if named]


def _name(page_key: str) -> tuple[str, str] | None:
    name = _names.get(page_key.partition(":")[0])
    return name(page_key) if name else None
