"""What is drawn where: the squares of a view, and the events that are lit on them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from games.kernel.contract import Event
from games.kernel.svg import Point
from games.kernel.views import View
from games.titles.simple_life_or_death.pieces import Piece, Stack, Stacks
from games.titles.simple_life_or_death.squares import Board, Square

CELL = 24
"""The side of a square; all else on the board follows from it."""

MARGIN = 20
"""The frame around the squares, with their coordinates."""

NATURAL = 16 * CELL + 2 * MARGIN
"""The width of the smallest board: what stands below a wider one is drawn larger."""


@dataclass(frozen=True)
class Scene:
    """A view to be drawn, with the events of the last move."""

    view: View
    recent: Sequence[Event]

    @cached_property
    def board(self) -> Board:
        """The board."""
        return Board(self.view["width"], self.view["height"])

    @cached_property
    def stacks(self) -> Stacks:
        """The stacks on it."""
        board = self.view["board"]
        return {Square.read(name): self._stack(names) for name, names in board.items()}

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.view["stock"])

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.view["result"] is not None

    @property
    def width(self) -> int:
        """The width of the drawing."""
        return self.board.width * CELL + 2 * MARGIN

    @property
    def bottom(self) -> int:
        """Where the board with its frame ends."""
        return self.board.height * CELL + 2 * MARGIN

    @property
    def scale(self) -> float:
        """How much larger than on the smallest board everything below it is drawn."""
        return self.width / NATURAL

    def middle(self, square: Square) -> Point:
        """Return the middle of a square; one off the board lies in the frame or beyond."""
        x = MARGIN + square.column * CELL + CELL / 2
        y = MARGIN + (self.board.height - 1 - square.row) * CELL + CELL / 2
        return (x, y)

    def below(self, x: float, y: float) -> Point:
        """Return a point of the table below the board as one of the drawing."""
        return (round(x * self.scale, 1), round(self.bottom + y * self.scale, 1))

    def where(self, piece: str) -> Square:
        """Return the square of a piece that is on the board."""
        return next(Square.read(at) for at, names in self.view["board"].items() if piece in names)

    @staticmethod
    def _stack(names: Sequence[str]) -> Stack:
        return tuple(map(Piece.read, names))
