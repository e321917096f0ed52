"""Positions from JSON, checked: whatever no match can have come to is refused."""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from games.kernel.contract import Json, Params, Seat
from games.kernel.errors import BrokenPosition
from games.titles.simple_life_or_death import soundness
from games.titles.simple_life_or_death.deck import Card
from games.titles.simple_life_or_death.moves import OFF
from games.titles.simple_life_or_death.pieces import EACH, SIZES, Piece, Stacks
from games.titles.simple_life_or_death.position import (
    ACT,
    DEFEND,
    FREE,
    LAND,
    OVER,
    PLACE,
    Duel,
    Landing,
    Pair,
    Pending,
    State,
    Stock,
    Terms,
)
from games.titles.simple_life_or_death.squares import Square

T = TypeVar("T")

TERMS = ("width", "height", "order", "combat", "movement", "rounds")
PHASES = (PLACE, ACT, FREE, LAND, DEFEND, OVER)


def load(data: Json, seats: int, params: Params) -> State:
    """Return the position that JSON describes.

    :raises BrokenPosition: no match of these seats and parameters can have come to it.
    """
    table = _object("A position", data)
    for name in TERMS:
        if table.get(name) != params[name] or type(table[name]) is not type(params[name]):
            raise BrokenPosition(f"{name} is {params[name]!r} here, not {table.get(name)!r}.")
    state = State(
        terms=Terms.of(params),
        stock=tuple(map(_stock, _list("stock", table, seats))),
        stacks=_stacks(table.get("board")),
        trophies=tuple(_each("trophies", _piece, _list("trophies", table, seats))),
        hands=tuple(_each("hands", _card, _list("hands", table, seats))),
        draw=_all("draw", _card, table.get("draw")),
        discard=_all("discard", _card, table.get("discard")),
        seats_in=tuple(_flag(given) for given in _list("in", table, seats)),
        dropped=tuple(_seat(given, seats) for given in _list("dropped", table)),
        first=_seat(table.get("first"), seats),
        turn=_seat(table.get("turn"), seats),
        round=_whole("round", table.get("round"), 1),
        phase=_phase(table.get("phase"), PHASES),
        attacked=_attacked(table.get("attacked")),
        pending=_pending(table.get("pending")),
        ranks=_ranks(table.get("result"), seats),
    )
    soundness.check(state)
    return state


def _object(what: str, given: Json) -> Mapping[str, Json]:
    if not isinstance(given, Mapping):
        raise BrokenPosition(f"{what} is an object, not {given!r}.")
    return given


def _list(name: str, table: Mapping[str, Json], length: int | None = None) -> list[Json]:
    given = table.get(name)
    if not isinstance(given, list) or length not in (None, len(given)):
        wanted = "a list" if length is None else f"a list of {length}, one for each seat"
        raise BrokenPosition(f"{name} is {wanted}, not {given!r}.")
    return given


def _each(name: str, read: Callable[[Json], T], given: list[Json]) -> Iterator[tuple[T, ...]]:
    return (_all(name, read, one) for one in given)


def _all(name: str, read: Callable[[Json], T], given: Json) -> tuple[T, ...]:
    if not isinstance(given, list):
        raise BrokenPosition(f"{name} is a list, not {given!r}.")
    return tuple(map(read, given))


def _whole(name: str, given: Json, least: int, most: int | None = None) -> int:
    if type(given) is not int or given < least or (most is not None and given > most):
        wanted = f"from {least}" + ("" if most is None else f" to {most}")
        raise BrokenPosition(f"{name} is a whole number {wanted}, not {given!r}.")
    return given


def _flag(given: Json) -> bool:
    if not isinstance(given, bool):
        raise BrokenPosition(f"A seat is in or not, true or false: not {given!r}.")
    return given


def _seat(given: Json, seats: int) -> Seat:
    return Seat(_whole("A seat", given, 0, seats - 1))


def _phase(given: Json, phases: tuple[str, ...]) -> str:
    if given not in phases:
        raise BrokenPosition(f"A phase is one of {', '.join(phases)}, not {given!r}.")
    return str(given)


def _stock(given: Json) -> Stock:
    if not isinstance(given, list) or len(given) != len(SIZES):
        raise BrokenPosition(f"A stock is three numbers, not {given!r}.")
    small, medium, large = (_whole("A stock", left, 0, EACH) for left in given)
    return small, medium, large


def _named(what: str, read: Callable[[str], T], given: Json) -> T:
    """Return what a name stands for, which must be written as positions write it."""
    try:
        found = read(given)
    except (ValueError, TypeError, AttributeError) as error:
        raise BrokenPosition(f"{given!r} is no {what}.") from error
    if str(found) != given:
        raise BrokenPosition(f"{given!r} is no {what}: {found} is.")
    return found


def _piece(given: Json) -> Piece:
    return _named("piece", Piece.read, given)


def _card(given: Json) -> Card:
    return _named("card", Card.read, given)


def _square(given: Json) -> Square:
    return _named("square", Square.read, given)


def _stacks(given: Json) -> Stacks:
    board = _object("board", given)
    return {_square(name): _all("A stack", _piece, stack) for name, stack in board.items()}


def _attacked(given: Json) -> frozenset[Pair]:
    pairs = [_pair(one) for one in _list("attacked", {"attacked": given})]
    if sorted(given) != given or len(set(pairs)) != len(pairs):
        raise BrokenPosition(f"attacked is sorted, each pair once; not so {given!r}.")
    return frozenset(pairs)


def _pair(given: Json) -> Pair:
    if not isinstance(given, list) or len(given) != len(("attacker", "target")):
        raise BrokenPosition(f"attacked holds pairs of pieces, not {given!r}.")
    return _piece(given[0]), _piece(given[1])


def _pending(given: Json) -> Pending:
    if given is None:
        return None
    pending = _object("pending", given)
    if pending.get("kind") == LAND:
        return Landing(_piece(pending.get("piece")), _all("ends", _end, pending.get("ends")))
    if pending.get("kind") == DEFEND:
        return Duel(
            attacker=_piece(pending.get("attacker")),
            target=_piece(pending.get("target")),
            card=_card(pending.get("card")),
            then=_phase(pending.get("then"), (PLACE, ACT, FREE)),
        )
    raise BrokenPosition(f"What is pending is of kind {LAND} or {DEFEND}, not {given!r}.")


def _end(given: Json) -> Square | None:
    return None if given == OFF else _square(given)


def _ranks(given: Json, seats: int) -> tuple[int, ...] | None:
    if given is None:
        return None
    return tuple(
        _whole("A rank", rank, 1, seats) for rank in _list("result", {"result": given}, seats)
    )
