"""Strict parsing of JSON from outside: no repeated names in an object, no NaN or infinity."""

from collections.abc import Iterable
from json import JSONDecoder
from typing import NoReturn

from django.utils.translation import gettext as _

from games.kernel.errors import quoted
from games.kernel.views import Json
from games.records.errors import Damaged


def _object(pairs: Iterable[tuple[str, Json]]) -> dict[str, Json]:
    members: dict[str, Json] = {}
    for name, value in pairs:
        if name in members:
            message = _("The file says {name} twice in one object.")
            raise Damaged(message.format(name=quoted(name)))
        members[name] = value
    return members


def _constant(name: str) -> NoReturn:
    message = _("The file holds {name}, which is no number of JSON.")
    raise Damaged(message.format(name=name))


DECODER = JSONDecoder(object_pairs_hook=_object, parse_constant=_constant)
"""Raises :exc:`Damaged` in addition to the errors of every decoder."""
