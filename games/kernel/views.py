"""Views: a position as one seat, or a spectator, may see it.

A title declares its view as a frozen struct. Drawings, move entry and standing orders read its
attributes, and interfaces encode it as JSON.
"""

from typing import Any, TypeAlias, TypeVar

import msgspec

T = TypeVar("T")

Json: TypeAlias = Any
"""A value that ``json.dumps`` writes and ``json.loads`` reads back as an equal one."""

HIDDEN = "??"
"""The value in a view of something that its viewer may not see."""


def encode(value: Any) -> Json:
    """Return a declared value as JSON. Types with a text form become their text."""
    return msgspec.json.decode(msgspec.json.encode(value, enc_hook=str))


def convert(kind: type[T], data: Json) -> T:
    """Convert JSON to a declared type. Texts are read by ``kind.parse``.

    :raises msgspec.ValidationError: it has another shape, or a value is out of its range.
    """
    return msgspec.convert(data, kind, dec_hook=_parse)


def _parse(kind: type[Any], given: Json) -> Any:
    if not isinstance(given, str):
        raise TypeError(f"{given!r} is no {kind.__name__.lower()}")
    return kind.parse(given)


class View(msgspec.Struct, frozen=True):
    def dump(self) -> dict[str, Json]:
        encoded: dict[str, Json] = encode(self)
        return encoded
