"""What the tests of this game set up positions and play moves with."""

import random
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from games.kernel.params import complete
from games.kernel.views import Json
from games.titles.simple_life_or_death import TITLE
from games.titles.simple_life_or_death.components import (
    PACK,
    PIECES_OF,
    PIECES_PER_SIZE,
    SIZES,
    Board,
    Card,
    Piece,
    in_order,
    packs,
)
from games.titles.simple_life_or_death.meta import CARDS, META
from games.titles.simple_life_or_death.state import FULL_STOCK, State
from tests.title_driver import TitleDriver

DRIVER = TitleDriver(TITLE)
play, drop, refusal = DRIVER.play, DRIVER.drop, DRIVER.refusal

BEGINNING = [*[1] * 20, 6, 1]
"""Two hands dealt from the top of the pack; then Red rolls higher."""

EMPTY = [0, 0, 0]
"""A stock without pieces."""

TWO_DICE, ONE_DIE = {"combat": "2d6"}, {"combat": "1d12"}


def position(
    board: Mapping[str, list[str]], seats: int = 2, params: Json = None, **fields: Json
) -> dict[str, Json]:
    """Return a position in which Red, in its second turn, is to move a piece.

    Stocks hold what neither the board nor a trophy has taken out, the draw pile all cards that
    are not named elsewhere.
    """
    full = complete(META, params or {})
    trophies = fields.get("trophies", [[] for _ in range(seats)])
    data: dict[str, Json] = {
        **full,
        "stock": _stocks(seats, chain(*board.values(), *trophies)),
        "board": dict(board),
        "trophies": trophies,
        "in": [True] * seats,
        "dropped": [],
        "first": 0,
        "turn": 0,
        "round": 2,
        "phase": "act",
        "attacked": [],
        "pending": None,
        "result": None,
        "discard": [],
    } | fields
    hands = fields.get("hands", [[] for _ in range(seats)])
    data["hands"] = [list(in_order(map(Card.parse, hand))) for hand in hands]
    return {"draw": _rest(data, seats)} | data


def load(
    board: Mapping[str, list[str]], seats: int = 2, params: Json = None, **fields: Json
) -> State:
    """Return such a position loaded."""
    data = position(board, seats, params, **fields)
    return TITLE.read_position(data, seats, complete(META, params or {}))


def start(seats: int = 2, params: Json = None, chance: Iterable[int] = BEGINNING) -> State:
    """Return a first position."""
    state: State = DRIVER.start(seats, complete(META, params or {}), list(chance))
    return state


def crowded(side: int = 48) -> State:
    """Return a board with all ninety pieces, some of them in stacks."""
    rng = random.Random(8)
    pieces = [str(piece) for own in PIECES_OF for piece in own]
    squares = rng.sample(Board(side, side).squares, 70)
    stacks: dict[str, list[str]] = {}
    for number, piece in enumerate(rng.sample(pieces, 90)):
        stacks.setdefault(squares[number % 70], []).append(piece)
    hands = [[str(card) for card in PACK[seat::6]][:8] for seat in range(6)]
    params = {"width": side, "height": side}
    return load(stacks, 6, params, stock=[EMPTY] * 6, hands=hands)


def moves(state: State) -> set[str]:
    """Return the moves of whoever is to move."""
    return set(DRIVER.moves(state))


def _stocks(seats: int, names: Iterable[str]) -> list[list[int]]:
    stocks = [list(FULL_STOCK) for _ in range(seats)]
    for piece in map(Piece.parse, names):
        size = SIZES.index(piece.size)
        stocks[piece.seat][size] = min(stocks[piece.seat][size], PIECES_PER_SIZE - piece.number)
    return stocks


def _rest(data: Mapping[str, Any], seats: int) -> list[str]:
    pending: Mapping[str, str] = data["pending"] or {}
    used: Sequence[str] = [*chain(*data["hands"]), *data["discard"]]
    rest = list(map(str, packs(seats))) if data["combat"] == CARDS else []
    for card in (*used, *filter(None, [pending.get("card")])):
        rest.remove(card)
    return rest
