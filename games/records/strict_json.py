"""Strict parsing of JSON from outside: no repeated names in an object, no NaN or infinity."""

from collections.abc import Iterable
from json import JSONDecoder
from typing import NoReturn

from games.kernel.errors import quoted
from games.kernel.views import Json
from games.records.errors import Damaged


def _object(pairs: Iterable[tuple[str, Json]]) -> dict[str, Json]:
    members: dict[str, Json] = {}
    for name, value in pairs:
        if name in members:
            raise Damaged(f"The file says {quoted(name)} twice in one object.")
        members[name] = value
    return members


def _constant(name: str) -> NoReturn:
    raise Damaged(f"The file holds {name}, which is no number of JSON.")


DECODER = JSONDecoder(object_pairs_hook=_object, parse_constant=_constant)
"""Raises :exc:`Damaged` in addition to the errors of every decoder."""
