"""Positions from JSON, read: whatever has not the shape of a position is refused."""

from collections.abc import Mapping

from games.kernel.contract import Json, Params, Ranks, Seat
from games.kernel.errors import BrokenPosition
from games.titles.precary_ice import soundness
from games.titles.precary_ice.pieces import EACH, LETTERS, Placed, read
from games.titles.precary_ice.position import State, Terms
from games.titles.precary_ice.tower import SIDES, Tower

TERMS = ("rounds", "pace", "hand", "incidents")
MOST_POINTS = 70


def load(data: Json, seats: int, params: Params) -> State:
    """Return the position that JSON describes.

    :raises BrokenPosition: no match of these seats and parameters can have come to it.
    """
    table = _object("A position", data)
    for name in TERMS:
        if table.get(name) != params[name] or type(table[name]) is not type(params[name]):
            raise BrokenPosition(f"{name} is {params[name]!r} here, not {table.get(name)!r}.")
    dropped = tuple(_seat("dropped", given, seats) for given in _list("dropped", table))
    state = State(
        terms=Terms.of(params),
        round=_whole("round", table.get("round"), 1),
        starter=_seat("starter", table.get("starter"), seats),
        turn=None if table.get("turn") is None else _seat("turn", table["turn"], seats),
        towers=tuple(map(_tower, _list("towers", table, seats))),
        scores=tuple(_points("scores", given) for given in _list("scores", table, seats)),
        dropped=dropped,
        ranks=_ranks(table.get("result"), seats),
    )
    seats_in = _list("in", table, seats)
    if any(is_in is not (seat not in dropped) for seat, is_in in enumerate(seats_in)):
        raise BrokenPosition(f"in is {seats_in!r}, but these have dropped out: {list(dropped)}.")
    soundness.check(state)
    return state


def _object(what: str, given: Json) -> Mapping[str, Json]:
    if not isinstance(given, Mapping):
        raise BrokenPosition(f"{what} is an object, not {given!r}.")
    return given


def _list(name: str, table: Mapping[str, Json], length: int | None = None) -> list[Json]:
    given = table.get(name)
    if not isinstance(given, list) or length not in (None, len(given)):
        wanted = "a list" if length is None else f"a list of {length}"
        raise BrokenPosition(f"{name} is {wanted}, not {given!r}.")
    return given


def _whole(name: str, given: Json, least: int, most: int | None = None) -> int:
    if type(given) is not int or given < least or (most is not None and given > most):
        wanted = f"from {least}" + ("" if most is None else f" to {most}")
        raise BrokenPosition(f"{name} is a whole number {wanted}, not {given!r}.")
    return given


def _flag(name: str, given: Json) -> bool:
    if not isinstance(given, bool):
        raise BrokenPosition(f"{name} is true or false, not {given!r}.")
    return given


def _seat(name: str, given: Json, seats: int) -> Seat:
    return Seat(_whole(f"A seat in {name}", given, 0, seats - 1))


def _points(name: str, given: Json) -> tuple[int, ...]:
    if not isinstance(given, list):
        raise BrokenPosition(f"{name} is a list of points, not {given!r}.")
    return tuple(_whole(f"A number in {name}", points, 0, MOST_POINTS) for points in given)


def _ranks(given: Json, seats: int) -> Ranks | None:
    if given is None:
        return None
    if not isinstance(given, list) or len(given) != seats:
        raise BrokenPosition(f"result is null or {seats} ranks, not {given!r}.")
    return tuple(_whole("A rank", rank, 1, seats) for rank in given)


def _tower(given: Json) -> Tower:
    table = _object("A tower", given)
    letter, die = table.get("next"), table.get("die")
    if letter is not None and letter not in tuple(LETTERS):
        raise BrokenPosition(f"next is one of {', '.join(LETTERS)} or null, not {letter!r}.")
    return Tower(
        pieces=tuple(map(_piece, _list("pieces", table))),
        left=tuple(_whole("left", count, 0, EACH) for count in _list("left", table, len(LETTERS))),
        sheet=_points("sheet", table.get("sheet")),
        die=None if die is None else _whole("die", die, 1, SIDES),
        next=letter,
        done=_flag("done", table.get("done")),
        fallen=_flag("fallen", table.get("fallen")),
    )


def _piece(given: Json) -> Placed:
    if piece := read(given):
        return piece
    raise BrokenPosition(f"A piece is its letter, x, y above the table and angle, not {given!r}.")
