"""Queries that Django puts together once: all that changes is whom they are about.

To build a query and its SQL takes Django longer than it takes the database to answer a small one,
which counts where every page asks.
"""

from typing import Any

from django.db import connection
from django.db.models import QuerySet

from config.postgresql import prepared

ANYBODY = -7_294_610_385_271_946
"""The id of nobody, for whom a query is built that is to be asked about anybody."""


class CompiledQuery:
    """A query about the user with the id ``ANYBODY``, to be asked about others.

    :param query: it may depend on nothing else about that user, nor on the time.
    """

    def __init__(self, query: QuerySet[Any, Any]) -> None:
        sql, self._params = query.order_by().values("pk").query.sql_with_params()
        self.counting = f"(SELECT count(*) FROM ({sql}) AS found)"  # noqa: S608 - Django's own

    def params(self, user_id: int) -> list[Any]:
        """Return the parameters of the query about a user."""
        return [user_id if value == ANYBODY else value for value in self._params]


def counts(user_id: int, *queries: CompiledQuery) -> list[int]:
    """Return how many rows there are for a user in each of some queries, which are asked as one."""
    is_prepared = connection.vendor == "postgresql"
    with prepared.cursor() if is_prepared else connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {', '.join(query.counting for query in queries)}",
            [value for query in queries for value in query.params(user_id)],
        )
        return list(cursor.fetchone())
