"""Copies of rows in tables of PostgreSQL, written by COPY."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from django.db import connection, models

NULL = r"\N"
BATCH = 5_000
"""Rows sent at once."""


class Pattern:
    """A stored row as a template. Only the columns in ``own`` vary."""

    def __init__(self, row: models.Model, own: Sequence[str]) -> None:
        columns = [column for column in _columns(type(row)) if column not in own]
        chosen, table = ", ".join(f'"{column}"' for column in columns), row._meta.db_table
        with connection.cursor() as cursor:
            asked = f"COPY (SELECT {chosen} FROM {table} WHERE id = {int(row.pk)}) TO STDOUT"
            with cursor.copy(asked) as copy:
                text = b"".join(map(bytes, copy)).decode()
        self._rest = text

    def line(self, *own: Any) -> str:
        """Return a row with the values of ``own`` in their order, in the format of COPY."""
        texts = (NULL if value is None else str(value) for value in own)
        return "\t".join((*texts, self._rest))


def copy_in(model: type[models.Model], own: Sequence[str], lines: Iterable[str]) -> None:
    """Store rows of a model made from patterns with the same ``own``."""
    columns = [*own, *(column for column in _columns(model) if column not in own)]
    named = ", ".join(f'"{column}"' for column in columns)
    with (
        connection.cursor() as cursor,
        cursor.copy(f"COPY {model._meta.db_table} ({named}) FROM STDIN") as copy,
    ):
        waiting = iter(lines)
        while batch := "".join(islice(waiting, BATCH)):
            copy.write(batch)


def _columns(model: type[models.Model]) -> list[str]:
    fields = model._meta.concrete_fields
    found = (field.column for field in fields if not (field.primary_key or field.generated))
    return list(filter(None, found))
