"""Placing: the first duty of a turn as long as there is a stock, and a choice for the second.

Source: the rule sheet, "Placement and Movement".
"""

from collections.abc import Iterator
from functools import cache, lru_cache, partial
from itertools import chain

from games.kernel.entry import Word, Words
from games.kernel.language import gettext, gettext_noop
from games.titles.simple_life_or_death import components
from games.titles.simple_life_or_death.components import Board, Role, Size, Square
from games.titles.simple_life_or_death.entry import ended
from games.titles.simple_life_or_death.events import Placed
from games.titles.simple_life_or_death.moves import Move, Place
from games.titles.simple_life_or_death.phases import Duty, with_attacks
from games.titles.simple_life_or_death.state import ACT, FREE, PLACE, State
from games.titles.simple_life_or_death.transition import Transition


class Placing(Duty):
    """A piece from the stock on any square, on top of its stack."""

    kind = Place
    asks = gettext_noop("place a piece from your stock first.")

    def moves(self, state: State) -> Iterator[Move]:
        """Return a placement of every size in stock on every square."""
        stock = zip(components.SIZES, state.stock[state.turn], strict=True)
        return chain(*(_placements(size, state.board) for size, left in stock if left))

    def refusal(self, state: State, move: Place) -> str:
        stock = state.stock[state.turn]
        if move.square not in state.board:
            message = gettext("{square} is not on a board of {width} by {height} squares.")
            board = state.board
            return message.format(square=move.square, width=board.width, height=board.height)
        if not any(stock):
            return gettext("you have no piece left in stock: move one.")
        if not stock[components.SIZES.index(move.size)]:
            return {
                Size.SMALL: gettext("you have no small piece left in stock."),
                Size.MEDIUM: gettext("you have no medium piece left in stock."),
                Size.LARGE: gettext("you have no large piece left in stock."),
            }[move.size]
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
        return with_attacks(state, gettext("Choose a piece in your stock to place."))

    def words(self, state: State) -> Words:
        """Yield every size in stock, followed by the squares."""
        for size, left in zip(components.SIZES, state.stock[state.turn], strict=True):
            if left:
                message = gettext("Place {piece}, {count} in stock")
                label = message.format(piece=size.piece(Role.OBJECT), count=left)
                mark = components.stock_mark(state.turn, size)
                squares = partial(_squares, state)
                prompt = {
                    Size.SMALL: gettext("Choose a square for your small piece."),
                    Size.MEDIUM: gettext("Choose a square for your medium piece."),
                    Size.LARGE: gettext("Choose a square for your large piece."),
                }[size]
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
            yield Word(text, _label(state, name), (name,))


def _label(state: State, square: Square) -> str:
    """Return a square, and the piece at the top of its stack."""
    stack = state.stacks.get(square)
    if not stack:
        return square
    message = gettext("{square}, on top of {piece}")
    return message.format(square=square, piece=stack[-1].owned(state.mover, Role.AFTER))
