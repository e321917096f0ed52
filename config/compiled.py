"""Queries that Django puts together once: all that changes is what they are about.

To build a query and its SQL takes Django longer than it takes the database to answer a small one,
which counts where every page asks.
"""

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import count
from typing import Any, TypeAlias

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.db import connection
from django.db.models import QuerySet

from config.postgresql import prepared

ANYBODY = -7_294_610_385_271_946
"""The id of nobody, for whom a query is built that is to be asked about anybody."""

ANY_TIME = datetime(7294, 6, 10, 3, 8, 52, 719_460, UTC)
"""A moment for which a query is built that is to be asked about any."""

KEPT = 512
"""Queries that a process keeps, the last ones that were asked."""

Build: TypeAlias = Callable[..., QuerySet[Any, Any]]
"""Makes a query of what it is about: users, ids and moments, and sequences of them.

It may depend on nothing else about a user than the id.
"""


class CompiledCount:
    """How many rows there are for the user with the id ``ANYBODY``, to be asked about others.

    :param query: it may depend on nothing else about that user, nor on the time.
    """

    def __init__(self, query: QuerySet[Any, Any]) -> None:
        sql, self._params = query.order_by().values("pk").query.sql_with_params()
        self.sql = f"(SELECT count(*) FROM ({sql}) AS found)"  # noqa: S608 - Django's own

    def params(self, user_id: int) -> list[Any]:
        """Return the parameters of the query about a user."""
        return [user_id if value == ANYBODY else value for value in self._params]


def counts(user_id: int, *queries: CompiledCount) -> list[int]:
    """Return how many rows there are for a user in each of some queries, which are asked as one."""
    is_prepared = connection.vendor == "postgresql"
    with prepared.cursor() if is_prepared else connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {', '.join(query.sql for query in queries)}",
            [value for query in queries for value in query.params(user_id)],
        )
        return list(cursor.fetchone())


def ask(build: Build, *about: Any, order: Sequence[str] = (), most: int | None = None) -> list[Any]:
    """Return the rows of a query, or at most so many; in an order, or else in the query's own."""
    shapes = tuple(map(_shape, about))
    return _compiled(build, shapes, tuple(order), most).rows(about)


@dataclass(frozen=True)
class About:
    """The rows that a query finds for a user."""

    build: Build
    user: Any

    def all(self) -> QuerySet[Any, Any]:
        """Return the query."""
        return self.build(self.user)

    def first(self, most: int, order: Sequence[str]) -> list[Any]:
        """Return the first rows in an order, at most so many."""
        return ask(self.build, self.user, order=order, most=most)


class _CompiledQuery:
    """A query that was built for stand-ins, to be asked about what they stand for."""

    def __init__(self, query: QuerySet[Any, Any], stand_ins: Sequence[Any]) -> None:
        self._query, self._stand_ins = query, _values(stand_ins)
        self._compiler = query.query.get_compiler(connection.alias)
        self._sql, self._params = self._compiler.as_sql()

    def rows(self, about: Sequence[Any]) -> list[Any]:
        """Return what the query finds, as it would by itself."""
        meant = dict(zip(self._stand_ins, _values(about), strict=True))
        answer = self._sql, tuple([meant.get(value, value) for value in self._params])
        compiler, query = copy(self._compiler), self._query.all()
        compiler.connection = connection
        # A compiler that has put its query together once knows what the columns are.
        compiler.as_sql = lambda *_, **__: answer
        query.query.get_compiler = lambda *_, **__: compiler  # type: ignore[method-assign]
        return list(query)


@lru_cache(KEPT)
def _compiled(
    build: Build, shapes: Sequence[Any], order: Sequence[str], most: int | None
) -> _CompiledQuery:
    numbers = count()
    stand_ins = [_stand_in(shape, numbers) for shape in shapes]
    query = build(*stand_ins)
    return _CompiledQuery((query.order_by(*order) if order else query)[:most], stand_ins)


def _shape(value: Any) -> Any:
    """Return what two values have in common for which a query has the same SQL."""
    if isinstance(value, list | tuple):
        return tuple(map(_shape, value))
    return AbstractBaseUser if isinstance(value, AbstractBaseUser) else type(value)


def _stand_in(shape: Any, numbers: "count[int]") -> Any:
    """Return what a query is built for; each has a number."""
    if isinstance(shape, tuple):
        return [_stand_in(each, numbers) for each in shape]
    if shape is datetime:
        return ANY_TIME + next(numbers) * timedelta(microseconds=1)
    number = ANYBODY - next(numbers)
    return get_user_model()(pk=number) if shape is AbstractBaseUser else number


def _values(about: Iterable[Any]) -> list[Any]:
    """Return the parameters of queries that stand for what they are about."""
    found: list[Any] = []
    for value in about:
        if isinstance(value, list | tuple):
            found += _values(value)
        elif isinstance(value, datetime):
            found.append(connection.ops.adapt_datetimefield_value(value))
        else:
            found.append(value.pk if isinstance(value, AbstractBaseUser) else value)
    return found
