"""Bytes that nobody reads before their time: the secret of the dice, and the nonces in it."""

from typing import Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper


class Hidden(bytes):
    """Bytes that are never printed: tracebacks, logs and reports say only that they are there."""

    def __repr__(self) -> str:
        return f"<{len(self)} hidden bytes>"

    __str__ = __repr__


class HiddenField(models.BinaryField):  # type: ignore[type-arg]  # generic in the stubs alone
    """A column of :class:`Hidden` bytes.

    Fixtures do not hold them while what they hide goes on: the row says so by ``are_dice_hidden``.
    """

    def from_db_value(
        self, value: Any, _expression: Any, _connection: BaseDatabaseWrapper
    ) -> Hidden | None:
        """Wrap what the database gives."""
        return None if value is None else Hidden(value)

    def value_to_string(self, obj: models.Model) -> str:
        """Return the bytes for a fixture; nothing before they may be read."""
        return "" if getattr(obj, "are_dice_hidden", True) else str(super().value_to_string(obj))
