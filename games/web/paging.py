"""Pages of lists. They are not counted: a page knows only whether another one follows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest

LENGTH = 20
FARTHEST = 5_000
"""The last page that can be asked for; older items are found by narrower filters."""


@dataclass(frozen=True)
class Page:
    """A part of a list; ``key`` is the field of the address that holds its ``number``, from 1."""

    items: Sequence[Any]
    number: int
    has_next: bool
    key: str = "page"

    @property
    def has_previous(self) -> bool:
        """Whether a page comes before this one."""
        return self.number > 1

    @property
    def has_others(self) -> bool:
        """Whether this is not all there is."""
        return self.has_previous or self.has_next

    def shown_as(self, change: Callable[[Sequence[Any]], Sequence[Any]]) -> "Page":
        """Return the same page with its items changed into what a template shows."""
        return Page(change(self.items), self.number, self.has_next, self.key)


def page_of(
    found: QuerySet[Any], request: HttpRequest, *, key: str = "page", length: int = LENGTH
) -> Page:
    """Return the page of a list that an address asks for: the first unless it has a number."""
    number = page_number(request.GET.get(key, ""))
    start = (number - 1) * length
    items = list(found[start : start + length + 1])
    return Page(items[:length], number, number < FARTHEST and len(items) > length, key)


def page_number(text: str) -> int:
    """Read the number of a page, from 1 to ``FARTHEST``."""
    plain = text.isascii() and text.isdigit() and len(text) <= len(str(FARTHEST))
    return min(max(int(text), 1), FARTHEST) if plain else 1
