"""Fields for bytes that are secret until a match has ended."""

from typing import Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper


class Hidden(bytes):
    """Bytes whose ``repr`` shows only their number, including in tracebacks and logs."""

    def __repr__(self) -> str:
        return f"<{len(self)} hidden bytes>"

    __str__ = __repr__


class HiddenField(models.BinaryField):  # type: ignore[type-arg]  # generic in the stubs alone
    """A column of :class:`Hidden` bytes.

    Fixtures contain them only if the ``are_dice_hidden`` of their row is false.
    """

    def from_db_value(
        self, value: Any, _expression: Any, _connection: BaseDatabaseWrapper
    ) -> Hidden | None:
        return None if value is None else Hidden(value)

    def value_to_string(self, obj: models.Model) -> str:
        """Return the bytes for a fixture. Empty while they are hidden."""
        return "" if getattr(obj, "are_dice_hidden", True) else str(super().value_to_string(obj))
