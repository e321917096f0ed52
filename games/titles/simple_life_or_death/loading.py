"""Positions from JSON, checked: whatever no match can have come to is refused."""

from collections.abc import Callable
from typing import TypeVar

from games.kernel.contract import Params
from games.kernel.errors import BrokenPosition
from games.kernel.reading import (
    check_terms,
    read_all,
    read_flag,
    read_list,
    read_named,
    read_object,
    read_ranks,
    read_seat,
    read_seats,
    read_whole,
    read_word,
)
from games.kernel.views import Json
from games.titles.simple_life_or_death import soundness
from games.titles.simple_life_or_death.deck import Card, Cards
from games.titles.simple_life_or_death.moves import OFF
from games.titles.simple_life_or_death.pieces import EACH, SIZES, Piece, Stack, Stacks
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
    table = read_object("A position", data)
    check_terms(TERMS, table, params)
    state = State(
        terms=Terms.of(params),
        stock=read_all("stock", table.get("stock"), _stock, seats),
        stacks=_stacks(table.get("board")),
        trophies=read_all("trophies", table.get("trophies"), _trophies, seats),
        hands=read_all("hands", table.get("hands"), _hand, seats),
        draw=read_all("draw", table.get("draw"), _card),
        discard=read_all("discard", table.get("discard"), _card),
        seats_in=read_all("in", table.get("in"), _is_in, seats),
        dropped=read_seats("dropped", table.get("dropped"), seats),
        first=read_seat("first", table.get("first"), seats),
        turn=read_seat("turn", table.get("turn"), seats),
        round=read_whole("round", table.get("round"), 1),
        phase=read_word("phase", table.get("phase"), PHASES),
        attacked=_attacked(table.get("attacked")),
        pending=_pending(table.get("pending")),
        ranks=read_ranks(table.get("result"), seats),
    )
    soundness.check(state)
    return state


def _stock(given: Json) -> Stock:
    counts = read_list("A stock", given, len(SIZES))
    small, medium, large = (read_whole("A number in a stock", left, 0, EACH) for left in counts)
    return small, medium, large


def _named(what: str, read: Callable[[str], T], given: Json) -> T:
    """Return what a name stands for, which must be written as positions write it."""
    found = read_named(what, given, read)
    if str(found) != given:
        raise BrokenPosition(f"{given!r} is no {what}: {found} is.")
    return found


def _piece(given: Json) -> Piece:
    return _named("piece", Piece.read, given)


def _card(given: Json) -> Card:
    return _named("card", Card.read, given)


def _square(given: Json) -> Square:
    return _named("square", Square.read, given)


def _stack(given: Json) -> Stack:
    return read_all("A stack", given, _piece)


def _trophies(given: Json) -> tuple[Piece, ...]:
    return read_all("What a seat has taken", given, _piece)


def _hand(given: Json) -> Cards:
    return read_all("A hand", given, _card)


def _is_in(given: Json) -> bool:
    return read_flag("A value of in", given)


def _stacks(given: Json) -> Stacks:
    board = read_object("board", given)
    return {_square(name): _stack(stack) for name, stack in board.items()}


def _attacked(given: Json) -> frozenset[Pair]:
    pairs = read_all("attacked", given, _pair)
    if sorted(given) != given or len(set(pairs)) != len(pairs):
        raise BrokenPosition(f"attacked is sorted, each pair once; not so {given!r}.")
    return frozenset(pairs)


def _pair(given: Json) -> Pair:
    attacker, target = read_list("A pair in attacked", given, 2)
    return _piece(attacker), _piece(target)


def _pending(given: Json) -> Pending:
    if given is None:
        return None
    pending = read_object("pending", given)
    if pending.get("kind") == LAND:
        return Landing(_piece(pending.get("piece")), read_all("ends", pending.get("ends"), _end))
    if pending.get("kind") == DEFEND:
        return Duel(
            attacker=_piece(pending.get("attacker")),
            target=_piece(pending.get("target")),
            card=_card(pending.get("card")),
            then=read_word("then", pending.get("then"), (PLACE, ACT, FREE)),
        )
    raise BrokenPosition(f"What is pending is of kind {LAND} or {DEFEND}, not {given!r}.")


def _end(given: Json) -> Square | None:
    return None if given == OFF else _square(given)
