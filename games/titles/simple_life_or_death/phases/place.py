"""Placing: the first duty of a turn as long as there is a stock, and a choice for the second.

Source: the rule sheet, "Placement and Movement".
"""

from collections.abc import Iterator
from functools import cache, lru_cache, partial
from itertools import chain

from games.kernel.entry import Word, Words
from games.titles.simple_life_or_death import components
from games.titles.simple_life_or_death.components import Board, Size, Square
from games.titles.simple_life_or_death.entry import ended, on_top_of
from games.titles.simple_life_or_death.events import Placed
from games.titles.simple_life_or_death.moves import Move, Place
from games.titles.simple_life_or_death.phases import Duty, may_attack_first
from games.titles.simple_life_or_death.state import ACT, FREE, PLACE, State
from games.titles.simple_life_or_death.transition import Transition


class Placing(Duty):
    """A piece from the stock on any square, on top of its stack."""

    kind = Place
    asks = "place a piece from your stock first."

    def moves(self, state: State) -> Iterator[Move]:
        """Return a placement of every size in stock on every square."""
        stock = zip(components.SIZES, state.stock[state.turn], strict=True)
        return chain(*(_placements(size, state.board) for size, left in stock if left))

    def refusal(self, state: State, move: Place) -> str:
        stock = state.stock[state.turn]
        if move.square not in state.board:
            return f"{move.square} is not on {state.board}."
        if not any(stock):
            return "you have no piece left in stock: move one."
        if not stock[components.SIZES.index(move.size)]:
            return f"you have no {move.size.described} piece left in stock."
        return ""

    def play(self, transition: Transition, move: Place) -> None:
        """Put the next piece of a size on the board, which completes the open duty."""
        state = transition.state
        at = components.SIZES.index(move.size)
        seat = state.turn
        below = state.stacks.get(move.square, ())
        piece = components.PIECES_OF[seat][
            (at + 1) * components.PIECES_PER_SIZE - state.stock[seat][at]
        ]
        transition.take_from_stock(seat, at)
        transition.put(move.square, (piece,))
        transition.change(phase=ACT if state.phase == PLACE else FREE)
        transition.emit(Placed(seat, piece, move.square, below))

    def prompt(self, state: State) -> str:
        return f"Choose a piece in your stock to place.{may_attack_first(state)}"

    def words(self, state: State) -> Words:
        """Yield every size in stock, followed by the squares."""
        for size, left in zip(components.SIZES, state.stock[state.turn], strict=True):
            if left:
                label = f"Place a {size.described} piece, {left} in stock"
                mark = components.stock_mark(state.turn, size)
                squares = partial(_squares, state)
                prompt = f"Choose a square for your {size.described} piece."
                yield Word(f"place {size} ", label, (mark,), squares, prompt)


@lru_cache(maxsize=3 * 16)
def _placements(size: Size, board: Board) -> tuple[Place, ...]:
    """Return the placements of a size, which are the same in every position on a board."""
    return tuple(Place(size, square) for square in board.squares)


@cache
def _names(board: Board) -> tuple[tuple[str, Square], ...]:
    """Return the squares of a board, as they are typed and by name."""
    return tuple(zip(ended(board.squares), board.squares, strict=True))


def _squares(state: State, typed: str) -> Words:
    for text, name in _names(state.board):
        if text.startswith(typed):
            yield Word(text, f"{name}{on_top_of(state, name)}", (name,))
