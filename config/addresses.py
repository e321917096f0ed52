"""Addresses of pages that are kept: to put one together takes Django longer than to show it."""

from functools import lru_cache
from typing import Any

from django.urls import reverse

KEPT = 4096
"""Addresses that a process keeps: most on a page are those of the page before."""


@lru_cache(KEPT)
def address_of(name: str, *args: Any) -> str:
    """Return the address of a page by name.

    :raises NoReverseMatch: there is none with such arguments.
    """
    return reverse(name, args=args)
