"""Lists whose pages have numbers, from 1, and aren't counted.

Those that are ordered by time have cursors instead (:mod:`games.http.paging`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from django.db.models import QuerySet

Item = TypeVar("Item")


@dataclass(frozen=True)
class NumberedPage(Generic[Item]):
    items: Sequence[Item]
    number: int
    has_more: bool

    @property
    def newer(self) -> int:
        """The number of the page before. 0 on the first one."""
        return self.number - 1

    @property
    def older(self) -> int:
        """The number of the next page. 0 on the last one."""
        return self.number + 1 if self.has_more else 0

    def shown_as(self, change: Callable[[Sequence[Item]], Sequence[Any]]) -> "NumberedPage[Any]":
        return replace(self, items=change(self.items))


def numbered_page(rows: "QuerySet[Any]", number: int, length: int) -> NumberedPage[Any]:
    first = (number - 1) * length
    found = list(rows[first : first + length + 1])
    return NumberedPage(found[:length], number, len(found) > length)
