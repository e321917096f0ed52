"""Pages of lists, found by key: each begins after an item of the one before, however far it is.

They are not counted: a page knows only whether another one follows.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.http import HttpRequest

LENGTH = 20

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
BEFORE, FIRST = "before-", "first"
DIGITS = 18
"""The most digits of a number in an address."""


@dataclass(frozen=True)
class Page:
    """A part of a list; ``key`` is the field of the address that says which.

    ``newer`` and ``older`` are the values of that field for the pages beside it, empty where there
    is none.
    """

    items: Sequence[Any]
    newer: str = ""
    older: str = ""
    key: str = "page"

    @property
    def has_others(self) -> bool:
        """Whether this is not all there is."""
        return bool(self.newer or self.older)

    def shown_as(self, change: Callable[[Sequence[Any]], Sequence[Any]]) -> "Page":
        """Return the same page with its items changed into what a template shows."""
        return Page(change(self.items), self.newer, self.older, self.key)


@dataclass(frozen=True)
class Cursor:
    """A place in a list: after the item with a moment and an id, or before it."""

    moment: datetime
    pk: int
    is_before: bool = False

    @classmethod
    def read(cls, text: str) -> "Cursor | None":
        """Read what :meth:`write` wrote; ``None`` for anything else."""
        moment, _, pk = text.removeprefix(BEFORE).partition("-")
        if not (_is_number(moment) and _is_number(pk)):
            return None
        try:
            return cls(EPOCH + int(moment) * MICROSECOND, int(pk), text.startswith(BEFORE))
        except OverflowError:
            return None

    def write(self) -> str:
        """Return the place as it stands in an address."""
        return f"{BEFORE * self.is_before}{(self.moment - EPOCH) // MICROSECOND}-{self.pk}"

    def beyond(self, field: str, *, is_descending: bool) -> Q:
        """Return what lies behind the place, or before it, in a list ordered by a field and id."""
        than = "lt" if is_descending != self.is_before else "gt"
        same = Q(**{field: self.moment, f"pk__{than}": self.pk})
        # The first condition is implied by the second: it is the one that an index is entered by.
        return Q(**{f"{field}__{than}e": self.moment}) & (
            Q(**{f"{field}__{than}": self.moment}) | same
        )


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= DIGITS


def page_of(
    found: QuerySet[Any], request: HttpRequest, *, by: str, key: str = "page", length: int = LENGTH
) -> Page:
    """Return the page of a list that an address asks for: the first unless it names a place.

    The list is ordered by the moment ``by`` and by id; ``-moment`` is the latest first.
    """
    cursor = Cursor.read(request.GET.get(key, ""))
    page = _page(found, by, length, cursor)
    if cursor and cursor.is_before and not page.items:
        page = _page(found, by, length, None)
    return Page(page.items, page.newer, page.older, key)


def _page(found: QuerySet[Any], by: str, length: int, cursor: Cursor | None) -> Page:
    field, is_descending = by.removeprefix("-"), by.startswith("-")
    is_before = cursor is not None and cursor.is_before
    if cursor:
        found = found.filter(cursor.beyond(field, is_descending=is_descending))
    sign = "-" if is_descending != is_before else ""
    items = list(found.order_by(f"{sign}{field}", f"{sign}pk")[: length + 1])
    more, items = len(items) > length, items[:length]
    if is_before:
        items.reverse()
    if not items:
        return Page(items, newer=FIRST if cursor else "")
    newer = Cursor(getattr(items[0], field), items[0].pk, is_before=True).write()
    older = Cursor(getattr(items[-1], field), items[-1].pk).write()
    has_newer, has_older = (more, True) if is_before else (cursor is not None, more)
    return Page(items, newer * has_newer, older * has_older)
