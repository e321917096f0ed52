"""Keyset pagination: each page starts after an item of the one before, so all cost the same.

Pages aren't counted: a page knows only whether another one follows.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.http import HttpRequest

PAGE_LENGTH = 20

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
BEFORE, FIRST = "before-", "first"
MAX_SCANNED_ROWS = 5_000
"""Maximum number of rows scanned for a page without an index."""

DIGITS = 18
"""Maximum number of digits of a number in a URL."""


@dataclass(frozen=True)
class Page:
    """A page of a list; ``key`` is the query parameter that selects it.

    ``newer`` and ``older`` are the values of that parameter for the adjacent pages, empty without
    one. ``is_cut`` is true if the scan stopped before the page was full.
    """

    items: Sequence[Any]
    newer: str = ""
    older: str = ""
    key: str = "page"
    is_cut: bool = False

    @property
    def has_others(self) -> bool:
        return bool(self.newer or self.older)

    def shown_as(self, change: Callable[[Sequence[Any]], Sequence[Any]]) -> "Page":
        return replace(self, items=change(self.items))


@dataclass(frozen=True)
class Cursor:
    """A position in a list: after or before the item with a time and an id."""

    moment: datetime
    pk: int
    is_before: bool = False

    @classmethod
    def read(cls, text: str) -> "Cursor | None":
        """Parse the output of :meth:`write`. ``None`` if it is malformed."""
        moment, _, pk = text.removeprefix(BEFORE).partition("-")
        if not (_is_number(moment) and _is_number(pk)):
            return None
        try:
            return cls(EPOCH + int(moment) * MICROSECOND, int(pk), text.startswith(BEFORE))
        except OverflowError:
            return None

    def write(self) -> str:
        """Return the position as a query parameter."""
        return f"{BEFORE * self.is_before}{(self.moment - EPOCH) // MICROSECOND}-{self.pk}"

    def beyond(self, field: str, *, is_descending: bool) -> Q:
        """Return the condition for items beyond the position, ordered by a field and id."""
        than = "lt" if is_descending != self.is_before else "gt"
        same = Q(**{field: self.moment, f"pk__{than}": self.pk})
        # the first condition follows from the second, but lets PostgreSQL use an index
        return Q(**{f"{field}__{than}e": self.moment}) & (
            Q(**{f"{field}__{than}": self.moment}) | same
        )

    def turned(self) -> "Cursor":
        return replace(self, is_before=not self.is_before)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= DIGITS


def page_of(
    rows: QuerySet[Any],
    request: HttpRequest,
    *,
    by: str,
    key: str = "page",
    length: int = PAGE_LENGTH,
    among: QuerySet[Any] | None = None,
) -> Page:
    """Return the requested page of a list, by default the first.

    The list is ordered by the datetime field ``by`` and by id. ``-field`` puts the latest first.
    If only the larger query ``among`` has an index, ``MAX_SCANNED_ROWS`` of its rows are read at
    once. A page may then be short although others follow.
    """
    cursor = Cursor.read(request.GET.get(key, ""))
    page = _page(rows, by, length, cursor, among)
    if cursor and cursor.is_before and not page.items and not page.is_cut:
        page = _page(rows, by, length, None, among)
    return replace(page, key=key)


def _page(
    rows: QuerySet[Any],
    by: str,
    length: int,
    cursor: Cursor | None,
    among: QuerySet[Any] | None,
) -> Page:
    field = by.removeprefix("-")
    is_descending = by.startswith("-")
    is_before = cursor is not None and cursor.is_before
    sign = "-" if is_descending != is_before else ""
    order = (f"{sign}{field}", f"{sign}pk")
    if cursor:
        beyond = cursor.beyond(field, is_descending=is_descending)
        rows = rows.filter(beyond)
        among = None if among is None else among.filter(beyond)
    reached = () if among is None else _reached(among.order_by(*order), field, is_before=is_before)
    if reached:
        rows = rows.filter(reached[1].turned().beyond(field, is_descending=is_descending))
    items = list(rows.order_by(*order)[: length + 1])
    if reached and len(items) <= length:
        items = items[::-1] if is_before else items
        return _cut(items, field, reached[0], is_first=cursor is None)
    return _shown(items, field, length, cursor)


def _shown(items: list[Any], field: str, length: int, cursor: Cursor | None) -> Page:
    """Return a page of items beyond a position. An extra item shows that another page follows."""
    is_before = cursor is not None and cursor.is_before
    more = len(items) > length
    items = items[:length]
    if is_before:
        items.reverse()
    if not items:
        return Page(items, newer=FIRST if cursor else "")
    newer = Cursor(getattr(items[0], field), items[0].pk, is_before=True).write()
    older = Cursor(getattr(items[-1], field), items[-1].pk).write()
    has_newer, has_older = (more, True) if is_before else (cursor is not None, more)
    return Page(items, newer * has_newer, older * has_older)


def _reached(among: QuerySet[Any], field: str, *, is_before: bool) -> tuple[Cursor, ...]:
    """Return the last scanned row of a list and the next one. Empty if all were scanned."""
    rows = list(among.values_list(field, "pk")[MAX_SCANNED_ROWS - 1 : MAX_SCANNED_ROWS + 1])
    cursors = tuple(Cursor(moment, pk, is_before) for moment, pk in rows)
    return cursors if len(cursors) > 1 else ()


def _cut(items: Sequence[Any], field: str, last: Cursor, *, is_first: bool) -> Page:
    """Return a page that isn't full, with a cursor after the last scanned row."""
    ends = [Cursor(getattr(item, field), item.pk) for item in (*items[:1], *items[-1:])]
    if last.is_before:
        older = ends[-1] if ends else last.turned()
        return Page(items, last.write(), older.write(), is_cut=True)
    newer = ends[0].turned().write() if ends else FIRST
    return Page(items, "" if is_first else newer, last.write(), is_cut=True)
