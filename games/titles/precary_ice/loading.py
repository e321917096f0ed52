"""Positions from JSON, read: whatever has not the shape of a position is refused."""

from games.kernel.contract import Params
from games.kernel.errors import BrokenPosition
from games.kernel.reading import (
    check_terms,
    read_all,
    read_flag,
    read_list,
    read_object,
    read_ranks,
    read_seat,
    read_seats,
    read_whole,
)
from games.kernel.views import Json
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
    table = read_object("A position", data)
    check_terms(TERMS, table, params)
    turn, dropped = table.get("turn"), read_seats("dropped", table.get("dropped"), seats)
    state = State(
        terms=Terms.of(params),
        round=read_whole("round", table.get("round"), 1),
        starter=read_seat("starter", table.get("starter"), seats),
        turn=None if turn is None else read_seat("turn", turn, seats),
        towers=read_all("towers", table.get("towers"), _tower, seats),
        scores=read_all("scores", table.get("scores"), _scores, seats),
        dropped=dropped,
        ranks=read_ranks(table.get("result"), seats),
    )
    seats_in = read_list("in", table.get("in"), seats)
    if any(is_in is not (seat not in dropped) for seat, is_in in enumerate(seats_in)):
        raise BrokenPosition(f"in is {seats_in!r}, but these have dropped out: {list(dropped)}.")
    soundness.check(state)
    return state


def _scores(given: Json) -> tuple[int, ...]:
    return _points("scores", given)


def _points(name: str, given: Json) -> tuple[int, ...]:
    listed = read_list(name, given)
    return tuple(read_whole(f"A number in {name}", points, 0, MOST_POINTS) for points in listed)


def _tower(given: Json) -> Tower:
    table = read_object("A tower", given)
    left = read_list("left", table.get("left"), len(LETTERS))
    letter, die = table.get("next"), table.get("die")
    if letter is not None and letter not in tuple(LETTERS):
        raise BrokenPosition(f"next is one of {', '.join(LETTERS)} or null, not {letter!r}.")
    return Tower(
        pieces=read_all("pieces", table.get("pieces"), _piece),
        left=tuple(read_whole("A number in left", count, 0, EACH) for count in left),
        sheet=_points("sheet", table.get("sheet")),
        die=None if die is None else read_whole("die", die, 1, SIDES),
        next=letter,
        done=read_flag("done", table.get("done")),
        fallen=read_flag("fallen", table.get("fallen")),
    )


def _piece(given: Json) -> Placed:
    if piece := read(given):
        return piece
    raise BrokenPosition(f"A piece is its letter, x, y above the table and angle, not {given!r}.")
