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
