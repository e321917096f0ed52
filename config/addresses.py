"""Paths of the pages that nearly every page links to."""

from functools import lru_cache
from typing import Any

from django.urls import reverse

CACHE_SIZE = 5000
"""How many paths a process caches. Building one takes ten times as long as looking it up."""


@lru_cache(CACHE_SIZE)
def path_of(name: str, *args: Any) -> str:
    """Return the path of a page, given the name of its URL."""
    return reverse(name, args=args)
