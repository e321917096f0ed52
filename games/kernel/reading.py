"""Positions from JSON, value by value: whatever has not the shape it should have is refused.

Each reader takes the name of a value, for the sentence, and what was given for it; ``None`` stands
for a key that is missing.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TypeVar

from games.kernel.contract import Params, Ranks, Seat
from games.kernel.errors import BrokenPosition
from games.kernel.views import Json

T = TypeVar("T")


def read_object(name: str, given: Json) -> Mapping[str, Json]:
    """Return an object.

    :raises BrokenPosition: it is none.
    """
    if not isinstance(given, Mapping):
        raise BrokenPosition(f"{name} is an object, not {given!r}.")
    return given


def read_list(name: str, given: Json, length: int | None = None) -> list[Json]:
    """Return a list, of some length or of any.

    :raises BrokenPosition: it is none.
    """
    if not isinstance(given, list) or length not in (None, len(given)):
        wanted = "a list" if length is None else f"a list of {length}"
        raise BrokenPosition(f"{name} is {wanted}, not {given!r}.")
    return given


def read_all(
    name: str, given: Json, read: Callable[[Json], T], length: int | None = None
) -> tuple[T, ...]:
    """Return what ``read`` makes of each value of a list.

    :raises BrokenPosition: it is no list, or ``read`` refuses a value.
    """
    return tuple(map(read, read_list(name, given, length)))


def read_whole(name: str, given: Json, least: int = 0, most: int | None = None) -> int:
    """Return a whole number in a range; true and 1.0 are none.

    :raises BrokenPosition: it is none.
    """
    if type(given) is not int or given < least or (most is not None and given > most):
        wanted = f"from {least}" + ("" if most is None else f" to {most}")
        raise BrokenPosition(f"{name} is a whole number {wanted}, not {given!r}.")
    return given


def read_flag(name: str, given: Json) -> bool:
    """Return what is true or false.

    :raises BrokenPosition: it is neither.
    """
    if not isinstance(given, bool):
        raise BrokenPosition(f"{name} is true or false, not {given!r}.")
    return given


def read_word(name: str, given: Json, words: Collection[str]) -> str:
    """Return one of some words.

    :raises BrokenPosition: it is none of them.
    """
    if not isinstance(given, str) or given not in words:
        raise BrokenPosition(f"{name} is one of {', '.join(words)}, not {given!r}.")
    return given


def read_named(what: str, given: Json, read: Callable[[str], T]) -> T:
    """Return what a text names; ``read`` finds it, or raises :class:`ValueError`.

    :raises BrokenPosition: it is no text, or names nothing.
    """
    if not isinstance(given, str):
        raise BrokenPosition(f"{given!r} is no {what}.")
    try:
        return read(given)
    except ValueError as error:
        raise BrokenPosition(f"{given!r} is no {what}.") from error


def read_seat(name: str, given: Json, seats: int) -> Seat:
    """Return one of the seats of a match.

    :raises BrokenPosition: it is none.
    """
    return Seat(read_whole(name, given, 0, seats - 1))


def read_seats(name: str, given: Json, seats: int) -> tuple[Seat, ...]:
    """Return some of the seats of a match, as they are listed.

    :raises BrokenPosition: it is no list of seats.
    """
    return tuple(read_seat(f"A seat in {name}", seat, seats) for seat in read_list(name, given))


def read_ranks(given: Json, seats: int) -> Ranks | None:
    """Return a result; ``None`` while the match runs.

    :raises BrokenPosition: it is no rank for each seat.
    """
    if given is None:
        return None
    return tuple(read_whole("A rank", rank, 1, seats) for rank in read_list("result", given, seats))


def read_result(given: Json, decided: Ranks | None, stopped: Iterable[Ranks]) -> Ranks | None:
    """Return a result that fits what the rest of the position says.

    Where that has ``decided`` the match it is the only one; elsewhere the match runs, or was
    ``stopped`` with one of some results.

    :raises BrokenPosition: it does not fit.
    """
    if given is None and decided is None:
        return None
    for ranks in stopped if decided is None else (decided,):
        if given == list(ranks):
            return ranks
    raise BrokenPosition(f"The result cannot be {given!r} in this position.")


def check_terms(names: Iterable[str], table: Mapping[str, Json], params: Params) -> None:
    """Check that a position repeats some parameters of its match, in value and type.

    :raises BrokenPosition: one of them is another.
    """
    for name in names:
        wanted, given = params[name], table.get(name)
        if given != wanted or type(given) is not type(wanted):
            raise BrokenPosition(f"{name} is {wanted!r} in this match, not {given!r}.")
