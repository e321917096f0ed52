"""Tables, columns and rows of models, for statements in SQL."""

from collections.abc import Sequence
from functools import cache
from typing import Any, TypeVar

from django.db import connection, models

from games.matches.models import LogEntry, Match

Model = TypeVar("Model", bound=models.Model)

DEFERRED = {Match: {"secret"}, LogEntry: {"trace"}}
"""Fields that are read when they are accessed, as by the models' managers."""


def table(model: type[models.Model]) -> str:
    """Return the quoted name of a model's table."""
    return connection.ops.quote_name(model._meta.db_table)


def column(field: Any) -> str:
    """Return the quoted name of a field's column."""
    return connection.ops.quote_name(field.column)


@cache
def fields(model: type[models.Model]) -> tuple[Any, ...]:
    """Return the fields that are read with a row."""
    left_out = DEFERRED.get(model, set())
    return tuple(field for field in model._meta.concrete_fields if field.name not in left_out)


def columns(model: type[models.Model], alias: str) -> list[str]:
    """Return the columns of these fields, of a table under an alias."""
    return [f"{alias}.{column(field)}" for field in fields(model)]


@cache
def _names(model: type[models.Model]) -> tuple[str, ...]:
    return tuple(field.attname for field in fields(model))


@cache
def _converted(model: type[models.Model]) -> tuple[tuple[int, Any], ...]:
    """Return the index and the field of each value that the field has to convert."""
    at = enumerate(fields(model))
    return tuple((index, field) for index, field in at if hasattr(field, "from_db_value"))


def decoded(model: type[models.Model], values: Sequence[Any]) -> list[Any]:
    """Return the values of a row's columns as those of its fields."""
    found = list(values)
    for at, field in _converted(model):
        found[at] = field.from_db_value(found[at], None, connection)
    return found


def instance(model: type[Model], values: Sequence[Any]) -> Model:
    """Return a row as an instance of its model."""
    found: Model = model.from_db(connection.alias, _names(model), decoded(model, values))
    return found
