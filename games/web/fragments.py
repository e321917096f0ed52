"""Fragments of HTML that many readers share, cached under keys with everything they depend on."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, TypeVar

from django.core.cache import cache
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe

from accounts.models import User
from games.kernel import language

CACHE_SECONDS = 60
"""Seconds for which a fragment is cached."""

Name = TypeVar("Name", bound=Hashable)


def look(reader: Any) -> str:
    """Return the part of a key for a reader's time zone and theme."""
    theme = getattr(reader, "theme", User.Theme.AUTO)
    return f"{timezone.get_current_timezone_name()}:{theme}"


def written(
    keys: Mapping[Name, str], write: Callable[[Sequence[Name]], Mapping[Name, str]]
) -> dict[Name, SafeString]:
    """Return fragments by name, from the cache if possible.

    :param keys: the key of each fragment, to which the reader's language is added.
    :param write: renders the fragments with these names by templates, which escape their input.
    """
    keys = {name: f"{language.code()}:{key}" for name, key in keys.items()}
    known: dict[str, str] = cache.get_many(keys.values())
    unknown = [name for name, key in keys.items() if key not in known]
    new = {keys[name]: html for name, html in write(unknown).items()} if unknown else {}
    cache.set_many(new, CACHE_SECONDS)
    html = known | new
    return {name: mark_safe(html[key]) for name, key in keys.items() if key in html}  # noqa: S308
