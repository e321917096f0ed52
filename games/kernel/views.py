"""Views: a position as one seat, or a spectator, may see it.

A title declares its view as a frozen struct; drawings, move entry and standing orders read its
attributes, and interfaces encode it as JSON.
"""

from typing import Any, TypeAlias

import msgspec

Json: TypeAlias = Any
"""A value that ``json.dumps`` writes and ``json.loads`` gives back equal."""

HIDDEN = "??"
"""What stands in a view for a value that its viewer may not see."""


def encode(value: Any) -> Json:
    """Return a declared value as JSON; types with a text form become their text."""
    return msgspec.json.decode(msgspec.json.encode(value, enc_hook=str))


class View(msgspec.Struct, frozen=True):
    """Base class of the views of all titles."""

    def dump(self) -> dict[str, Json]:
        """Return the view as a JSON object."""
        encoded: dict[str, Json] = encode(self)
        return encoded


class DictView(View, frozen=True):
    """A view that is still a JSON object; titles declare theirs instead."""

    data: dict[str, Json]

    def __getitem__(self, name: str) -> Json:
        return self.data[name]

    def get(self, name: str, default: Json = None) -> Json:
        """Return a field, or ``default`` where there is none."""
        return self.data.get(name, default)

    def keys(self) -> Any:
        """Return the names of the fields."""
        return self.data.keys()

    def dump(self) -> dict[str, Json]:
        """Return the view as a JSON object."""
        return self.data
