"""Positions from JSON: declared structs are decoded by msgspec, and what they hold is checked.

A title declares its position JSON as :class:`msgspec.Struct` classes, with ranges as
``Annotated[int, msgspec.Meta(ge=0)]``. A type with a text form of its own has a class method
``parse(text)``, which raises :class:`ValueError`, and ``__str__`` as the way back.
"""

from collections.abc import Iterable
from typing import Any, TypeVar

import msgspec

from games.kernel.contract import Params, Ranks
from games.kernel.errors import BrokenPosition, quoted
from games.kernel.language import gettext
from games.kernel.views import Json, convert

T = TypeVar("T")


def decode(kind: type[T], data: Json) -> T:
    """Decode JSON into a declared type.

    :raises BrokenPosition: it has another shape, or a value is out of its range. The message names
        the place, as in ``$.players[1].dice``.
    """
    try:
        return convert(kind, data)
    except (msgspec.ValidationError, UnicodeError) as error:
        message = gettext("This is not a position: {reason}.")
        raise BrokenPosition(message.format(reason=error)) from error
    except RecursionError as error:
        message = gettext("This is not a position: it is nested too deeply.")
        raise BrokenPosition(message) from error


def check_params(names: Iterable[str], position: Any, params: Params) -> None:
    """Check that a decoded position repeats some parameters of its match.

    :raises BrokenPosition: one of them differs.
    """
    for name in names:
        given = getattr(position, name)
        wanted = params[name]
        if given != wanted or type(given) is not type(wanted):
            message = gettext("{name} is {wanted} in this match, not {given}.")
            values = {"wanted": quoted(wanted), "given": quoted(given)}
            raise BrokenPosition(message.format(name=name, **values))


def check_faults(faults: Iterable[str]) -> None:
    """Check that a position has no faults.

    Faults are found one by one, so that later checks may rely on earlier ones.

    :raises BrokenPosition: it has one. The message is the first.
    """
    for fault in faults:
        raise BrokenPosition(fault)


def check_result(given: Ranks | None, decided: Ranks | None, stopped: Iterable[Ranks]) -> None:
    """Check that a result agrees with the rest of the position.

    If the position has ``decided`` the match, that is the only possible result. Otherwise the
    match runs, or was ``stopped`` with one of some results.

    :raises BrokenPosition: it doesn't agree.
    """
    if given is None and decided is None:
        return
    if given not in (tuple(stopped) if decided is None else (decided,)):
        shown = None if given is None else list(given)
        message = gettext("The result cannot be {result} in this position.")
        raise BrokenPosition(message.format(result=quoted(shown)))
