"""Heuristics for DIE: stones and safe cells are bad, and captured groups good."""

import random
from collections.abc import Sequence
from typing import ClassVar

from games.kernel.contract import Seat
from games.kernel.heuristics import Heuristics, SampledDice, score
from games.kernel.hexgrid import Cells, HexBoard
from games.titles.die.moves import Move
from games.titles.die.rules import bounded_by
from games.titles.die.state import RED, State, Stones, fewest_friends, winner

USUAL_CELLS = 61
"""The cells of a board of the usual size, for which ``simulations`` are meant."""


class Knowledge(Heuristics[State, Move]):
    """Playouts to the end if it comes soon. Otherwise the player with fewer stones is ahead."""

    simulations = (12, 60, 600, 5000)
    overlooked = (0.3, 0.0, 0.0, 0.0)
    horizon: ClassVar[int] = 120
    width = 100

    def effort(self, state: State, level: int) -> int:
        """Return fewer simulations on larger boards, where playouts are longer."""
        return max(8, self.simulations[level] * USUAL_CELLS // len(state.board.cells))

    def candidates(self, state: State, seat: Seat, chance: random.Random) -> Sequence[Move]:
        """Return all legal cells in random order."""
        cells = list(state.board.cells_of(state.legal))
        chance.shuffle(cells)
        return cells

    def advance(self, state: State, seat: Seat, move: Move, dice: SampledDice) -> State:
        """Return the position after a legal move, without its events."""
        board = state.board
        stones = _placed(board, state.stones, seat, board.bit(move))
        return State(state.size, stones, state.ply + 1, winner(stones, state.ply + 1))

    def playout(self, state: State, seats: int, chance: random.Random) -> Sequence[float]:
        """Return the result of a game with random legal cells."""
        board = state.board
        stones = state.stones
        ranks = state.ranks
        for ply in range(state.ply, state.ply + self.horizon):
            if ranks:
                return score(ranks)
            seat = Seat(ply % 2)
            cell = _any_of(_legal(board, stones, seat), chance)
            stones = _placed(board, stones, seat, cell)
            ranks = winner(stones, ply + 1)
        return score(ranks) if ranks else _shares(stones)

    def evaluate(self, state: State, seats: int) -> Sequence[float]:
        """Return the opponent's share of the stones for each seat."""
        return _shares(state.stones)


def _shares(stones: Stones) -> Sequence[float]:
    red, blue = (own.bit_count() + 1 for own in stones)
    return blue / (red + blue), red / (red + blue)


def _legal(board: HexBoard, stones: Stones, seat: Seat) -> Cells:
    """Return the cells on which a seat may place, as :attr:`State.legal` does."""
    own = stones[seat]
    empty = board.all ^ (stones[0] | stones[1])
    if not own:
        return empty
    around = board.around(own)
    reachable = board.flood(around, empty)
    return reachable & ~around or fewest_friends(board, reachable, own)


def _placed(board: HexBoard, stones: Stones, seat: Seat, cell: Cells) -> Stones:
    """Add a stone, and remove the groups that it bounds."""
    own = stones[seat] | cell
    other = stones[1 - seat]
    for group in bounded_by(board, cell, own, other):
        own &= ~group
        other &= ~group
    return (own, other) if seat == RED else (other, own)


def _any_of(cells: Cells, chance: random.Random) -> Cells:
    """Return a random cell of a set."""
    for _ in range(int(chance.random() * cells.bit_count())):
        cells &= cells - 1
    return cells & -cells
