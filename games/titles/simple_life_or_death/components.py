"""The components of the game: squares of the board, pieces, and playing cards.

Squares, pieces and cards are their names, as positions and moves write them: strings of separate
types, with one instance for each name.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache, lru_cache
from operator import attrgetter
from typing import NewType, TypeAlias

from games.kernel.contract import Seat
from games.kernel.grids import LETTERS
from games.kernel.views import HIDDEN
from games.titles.simple_life_or_death.meta import MAX_SIZE, META

# --- The board --------------------------------------------------------------------------------

Square = NewType("Square", str)
"""The name of a square, such as ``c7``: columns a…z, aa…av from the left, rows from the bottom."""

OFF = Square("off")
"""The end of a path off the board, instead of a square."""

OFF_BOARD = "off the board"
"""The same in sentences."""

COLUMNS = LETTERS[:MAX_SIZE]
"""The names of the columns, from the left."""

PLACES: Mapping[Square, tuple[int, int]] = {
    Square(f"{name}{row + 1}"): (column, row)
    for column, name in enumerate(COLUMNS)
    for row in range(MAX_SIZE)
}
"""Column and row, from 0 at the bottom left, of each square of the largest board, by columns."""


class Direction(Enum):
    """A direction in which a piece can move: columns to the right and rows up at every step."""

    N = (0, 1)
    NE = (1, 1)
    E = (1, 0)
    SE = (1, -1)
    S = (0, -1)
    SW = (-1, -1)
    W = (-1, 0)
    NW = (-1, 1)

    def __str__(self) -> str:
        return self.name.lower()

    @property
    def described(self) -> str:
        """The direction in full, as in ``north-east``."""
        names = {"N": "north", "E": "east", "S": "south", "W": "west"}
        return "-".join(names[letter] for letter in self.name)


@dataclass(frozen=True, slots=True)
class Board:
    """A board by its sides, in squares."""

    width: int
    height: int

    def __str__(self) -> str:
        return f"a board of {self.width} by {self.height} squares"

    def __contains__(self, square: Square) -> bool:
        column, row = PLACES.get(square, (MAX_SIZE, MAX_SIZE))
        return column < self.width and row < self.height

    @property
    def squares(self) -> tuple[Square, ...]:
        """All squares, column by column from the left, each from the bottom."""
        return _squares(self)

    def line(self, start: Square, direction: Direction) -> tuple[Square, ...]:
        """Return the squares from ``start`` (exclusive) straight on to the edge."""
        return _line(self, start, direction)


def _steps_left(at: int, step: int, size: int) -> int:
    """Return the steps from a column or row to the edge. Unlimited if the step is 0."""
    return size - 1 - at if step > 0 else at if step < 0 else MAX_SIZE


# Bots ask for the lines of all their pieces at every step.
@lru_cache(maxsize=16_384)
def _line(board: Board, start: Square, direction: Direction) -> tuple[Square, ...]:
    (column, row) = PLACES[start]
    (right, up) = direction.value
    across = _steps_left(column, right, board.width)
    steps = range(1, min(across, _steps_left(row, up, board.height)) + 1)
    return tuple(Square(f"{COLUMNS[column + n * right]}{row + n * up + 1}") for n in steps)


@lru_cache(maxsize=16)
def _squares(board: Board) -> tuple[Square, ...]:
    return tuple(square for square in PLACES if square in board)


@cache
def near(square: Square) -> frozenset[Square]:
    """Return a square with the up to eight around it, on the largest board."""
    column, row = PLACES[square]
    columns = COLUMNS[max(0, column - 1) : column + 2]
    rows = range(max(1, row), min(MAX_SIZE, row + 2) + 1)
    return frozenset(Square(f"{name}{number}") for name in columns for number in rows)


def direction_to(start: Square, end: Square) -> Direction:
    """Return the direction from a square to another on the same line."""
    (column, row) = PLACES[start]
    (right, up) = PLACES[end]
    across = right - column
    along = up - row
    return Direction(((across > 0) - (across < 0), (along > 0) - (along < 0)))


def parse_square(name: str) -> Square:
    """:raises ValueError: no board has this square."""
    if name not in PLACES:
        raise ValueError(f"{name!r} is no square.")
    return Square(name)


# --- Pieces -----------------------------------------------------------------------------------

PIECES_PER_SIZE = 5
"""Pieces of every size per seat."""


class Size(Enum):
    """The size of a piece, which alone decides by which dice it moves."""

    SMALL = "S"
    MEDIUM = "M"
    LARGE = "L"

    def __str__(self) -> str:
        return self.value

    @property
    def described(self) -> str:
        return self.name.lower()


SIZES = tuple(Size)


class Die(int):
    """A die by its sides, called ``d10``."""

    def __str__(self) -> str:
        return f"d{int(self)}"


DICE: Mapping[Size, tuple[Die, Die]] = {
    Size.SMALL: (Die(4), Die(6)),
    Size.MEDIUM: (Die(8), Die(10)),
    Size.LARGE: (Die(12), Die(20)),
}
"""The polyhedral dice between which a piece chooses, by its size."""

_SEATS = {colour.letter: Seat(seat) for seat, colour in enumerate(META.colours)}


class Piece(str):
    """A piece, by its owner, its size, and its number from 1: ``rS1``."""

    __slots__ = ("number", "seat", "size")

    def __init__(self, name: str) -> None:
        self.seat = _SEATS[name[0]]
        self.size = Size(name[1])
        self.number = int(name[2])

    @classmethod
    def parse(cls, name: str) -> "Piece":
        """:raises ValueError: there is no such piece."""
        if name not in _PIECES:
            raise ValueError(f"{name!r} is no piece.")
        return _PIECES[name]

    @property
    def described(self) -> str:
        """The piece in full, as in ``small red piece``."""
        return f"{self.size.described} {name_of(self.seat).lower()} piece"

    def owned(self, viewer: Seat | None) -> str:
        """Return the piece as a viewer calls it: ``your small piece``, ``Red’s small piece``."""
        whose = "your" if self.seat == viewer else f"{name_of(self.seat)}’s"
        return f"{whose} {self.size.described} piece"


def arrow_mark(direction: Direction, die: Die | None) -> str:
    """Return the name of the arrow for moving a piece with a die."""
    return f"to-{direction}" if die is None else f"to-{direction}-{die}"


PIECES_OF = tuple(
    tuple(Piece(f"{letter}{size}{n}") for size in SIZES for n in range(1, PIECES_PER_SIZE + 1))
    for letter in _SEATS
)
"""All pieces of each seat, small before large."""

_PIECES: Mapping[str, Piece] = {piece: piece for own in PIECES_OF for piece in own}


def name_of(seat: int) -> str:
    return META.colours[seat].name


def stock_mark(seat: int, size: Size) -> str:
    """Return the name of the mark that shows a seat's stock of a size."""
    return f"stock-{META.colours[seat].letter}{size}"


# --- Cards ------------------------------------------------------------------------------------

SUITS = "CDHS"
RANKS = "23456789TJQKA"
SIGNS = "♣♦♥♠"
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
RANK_NAMES = (*_NUMBERS, "jack", "queen", "king", "ace")

SEATS_A_DECK = 2
HAND = 10
"""Cards dealt to each seat."""


class Card(str):
    """A playing card: ``KS``, ``TH``. In a view ``??`` is a hidden one.

    ``rank`` and ``place`` count from 0, in a suit and in a new pack. Black cards attack and red
    ones defend.
    """

    __slots__ = ("is_black", "is_red", "place", "rank")

    def __init__(self, name: str) -> None:
        self.rank = RANKS.find(name[0])
        self.place = SUITS.find(name[1]) * len(RANKS) + self.rank
        self.is_black = name[1] in "CS"
        self.is_red = name[1] in "DH"

    @classmethod
    def parse(cls, name: str) -> "Card":
        """:raises ValueError: there is no such card."""
        if name not in _CARDS:
            raise ValueError(f"{name!r} is no card.")
        return _CARDS[name]

    @property
    def sign(self) -> str:
        """The card as people write it: ``KS`` is ``K♠``, ``TH`` is ``10♥``."""
        return self.written_rank + SIGNS[SUITS.index(self[1])]

    @property
    def written_rank(self) -> str:
        """The rank as people write it: ``10`` for ``TH``."""
        return self[0].replace("T", "10")

    @property
    def described(self) -> str:
        """The card in full, as in ``king of spades``."""
        return f"{RANK_NAMES[self.rank]} of {SUIT_NAMES[SUITS.index(self[1])]}"


Cards: TypeAlias = tuple[Card, ...]
"""Cards in the order of a new pack. The discard pile is in the order of discarding."""

HIDDEN_CARD = Card(HIDDEN)
PACK: Cards = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS)
_CARDS: Mapping[str, Card] = {card: card for card in (*PACK, HIDDEN_CARD)}


def packs(seats: int) -> Cards:
    """Return all cards of a match: a deck for every two seats, rounded up."""
    return in_order(PACK * -(-seats // SEATS_A_DECK))


def in_order(cards: Iterable[Card]) -> Cards:
    """Sort cards in the order of a new pack."""
    return tuple(sorted(cards, key=attrgetter("place")))


def black(hand: Cards) -> Cards:
    """Return the different black cards of a hand, for attacks."""
    return tuple(dict.fromkeys(card for card in hand if card.is_black))


def red(hand: Cards) -> Cards:
    """Return the different red cards of a hand, for defence."""
    return tuple(dict.fromkeys(card for card in hand if card.is_red))
