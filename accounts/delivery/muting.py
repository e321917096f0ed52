"""Pages, such as those of matches, of which somebody wants neither mails nor pushes.

Reminders that time runs short come all the same.
"""

from collections.abc import Callable
from datetime import datetime

from accounts.delivery.models import MutedPage
from accounts.models import User

Name = Callable[[str], tuple[str, str] | None]

_names: dict[str, Name] = {}


def register(prefix: str, name: Name) -> None:
    """Make known what pages are called whose keys begin with ``prefix``, and where they are.

    ``name`` returns title and address of the page of a key, ``None`` if there is none any more.
    """
    _names[prefix] = name


def mute(user: User, page_key: str, *, now: datetime) -> None:
    """Send a user nothing more about a page; harmless where that is so already."""
    MutedPage.objects.get_or_create(user=user, page_key=page_key, defaults={"created": now})


def unmute(user: User, page_key: str) -> None:
    """Send a user again what happens on a page."""
    MutedPage.objects.filter(user=user, page_key=page_key).delete()


def is_muted(user: User, page_key: str) -> bool:
    """Whether a user has muted a page."""
    return MutedPage.objects.filter(user=user, page_key=page_key).exists()


def muted(user: User) -> list[tuple[str, str, str]]:
    """Return key, title and address of what a user has muted, the latest first."""
    keys = MutedPage.objects.filter(user=user).order_by("-created", "-pk")
    found = [(key, _name(key)) for key in keys.values_list("page_key", flat=True)]
    return [(key, *named) for key, named in found if named]


def _name(page_key: str) -> tuple[str, str] | None:
    name = _names.get(page_key.partition(":")[0])
    return name(page_key) if name else None
