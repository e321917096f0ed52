"""The components of the game: squares of the board, pieces, and playing cards.

Squares, pieces and cards are their names, as positions and moves write them: strings of separate
types, with one instance for each name.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache, lru_cache
from operator import attrgetter
from typing import NewType, TypeAlias

from games.kernel.contract import Seat
from games.kernel.errors import quoted
from games.kernel.grids import LETTERS
from games.kernel.language import cached, gettext, pgettext
from games.kernel.views import HIDDEN
from games.titles.simple_life_or_death.meta import MAX_SIZE, META

# --- The board --------------------------------------------------------------------------------

Square = NewType("Square", str)
"""The name of a square, such as ``c7``: columns a…z, aa…av from the left, rows from the bottom."""

OFF = Square("off")
"""The end of a path off the board, instead of a square."""

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
        return _directions()[self]

    @property
    def headed(self) -> str:
        """The same at the beginning of a text."""
        return _directions_headed()[self]


@cached(None)
def _directions() -> Mapping[Direction, str]:
    # Translators: where a piece moves, as in "a small piece goes north-east from e4".
    return {
        Direction.N: pgettext("direction", "north"),
        Direction.NE: pgettext("direction", "north-east"),
        Direction.E: pgettext("direction", "east"),
        Direction.SE: pgettext("direction", "south-east"),
        Direction.S: pgettext("direction", "south"),
        Direction.SW: pgettext("direction", "south-west"),
        Direction.W: pgettext("direction", "west"),
        Direction.NW: pgettext("direction", "north-west"),
    }


@cached(None)
def _directions_headed() -> Mapping[Direction, str]:
    # Translators: where a piece moves, at the beginning of a text.
    return {
        Direction.N: pgettext("direction", "North"),
        Direction.NE: pgettext("direction", "North-east"),
        Direction.E: pgettext("direction", "East"),
        Direction.SE: pgettext("direction", "South-east"),
        Direction.S: pgettext("direction", "South"),
        Direction.SW: pgettext("direction", "South-west"),
        Direction.W: pgettext("direction", "West"),
        Direction.NW: pgettext("direction", "North-west"),
    }


def end_in_words(end: str) -> str:
    """Return the end of a path: its square, or ``off the board``."""
    # Translators: an end of a piece's way, instead of a square.
    return gettext("off the board") if end == OFF else end


@dataclass(frozen=True, slots=True)
class Board:
    """A board by its sides, in squares."""

    width: int
    height: int

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


@dataclass(frozen=True, slots=True)
class Mirror:
    """A symmetry of a board: exchanges columns and rows if ``turned``, then keeps or reverses each.

    ``across`` and ``up`` are 1 or -1.
    """

    board: Board
    turned: bool
    across: int
    up: int

    def square(self, square: Square) -> Square:
        """Return the image of a square."""
        column, row = PLACES[square][::-1] if self.turned else PLACES[square]
        column = column if self.across > 0 else self.board.width - 1 - column
        row = row if self.up > 0 else self.board.height - 1 - row
        return Square(f"{COLUMNS[column]}{row + 1}")

    def direction(self, direction: Direction) -> Direction:
        """Return the image of a direction."""
        column, row = direction.value[::-1] if self.turned else direction.value
        return Direction((column * self.across, row * self.up))


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
        raise ValueError(gettext("{name} is no square.").format(name=quoted(name)))
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
        """The size alone, as in ``small``."""
        return _sizes()[self]

    @property
    def headed(self) -> str:
        """The same at the beginning of a headline."""
        return _sizes_headed()[self]

    def piece(self, role: "Role") -> str:
        """Return a piece of this size in a sentence: ``a small piece``."""
        return _pieces()[role][self]


SIZES = tuple(Size)


class Role(Enum):
    """The place of a piece in a sentence, since languages decline it."""

    FIRST = "at the beginning of a sentence"
    SUBJECT = "subject"
    OBJECT = "object"
    AFTER = "after a preposition"


@cached(None)
def _sizes() -> Mapping[Size, str]:
    # Translators: the size of a piece, beside its picture.
    return {
        Size.SMALL: pgettext("size of a piece", "small"),
        Size.MEDIUM: pgettext("size of a piece", "medium"),
        Size.LARGE: pgettext("size of a piece", "large"),
    }


@cached(None)
def _sizes_headed() -> Mapping[Size, str]:
    # Translators: a piece by its size, as in "Small e4, 3 north" or "Small attacks e4".
    return {
        Size.SMALL: pgettext("size of a piece", "Small"),
        Size.MEDIUM: pgettext("size of a piece", "Medium"),
        Size.LARGE: pgettext("size of a piece", "Large"),
    }


@cached(None)
def _pieces() -> Mapping[Role, Mapping[Size, str]]:
    return {
        Role.SUBJECT: {
            Size.SMALL: pgettext("subject", "a small piece"),
            Size.MEDIUM: pgettext("subject", "a medium piece"),
            Size.LARGE: pgettext("subject", "a large piece"),
        },
        Role.OBJECT: {
            Size.SMALL: pgettext("object", "a small piece"),
            Size.MEDIUM: pgettext("object", "a medium piece"),
            Size.LARGE: pgettext("object", "a large piece"),
        },
        Role.AFTER: {
            Size.SMALL: pgettext("after a preposition", "a small piece"),
            Size.MEDIUM: pgettext("after a preposition", "a medium piece"),
            Size.LARGE: pgettext("after a preposition", "a large piece"),
        },
    }


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
            raise ValueError(gettext("{name} is no piece.").format(name=quoted(name)))
        return _PIECES[name]

    @property
    def described(self) -> str:
        """The piece in full, as in ``small red piece``."""
        return _described()[self.seat][self.size]

    def owned(self, viewer: Seat | None, role: Role) -> str:
        """Return the piece as a viewer calls it: ``your small piece``, ``Red’s small piece``."""
        if self.seat == viewer:
            return _own_pieces()[role][self.size]
        return _others_pieces()[role][self.size].format(player=name_of(self.seat))

    def briefly(self, viewer: Seat | None, role: Role) -> str:
        """Return the piece in a headline: ``your small``, ``Red’s small``."""
        if self.seat == viewer:
            return _own_briefly()[role][self.size]
        return _others_briefly()[role][self.size].format(player=name_of(self.seat))


@cached(None)
def _described() -> Sequence[Mapping[Size, str]]:
    """Return the pieces of each seat in full."""
    return [
        dict(zip(SIZES, names, strict=True))
        for names in (
            (gettext("small red piece"), gettext("medium red piece"), gettext("large red piece")),
            (
                gettext("small orange piece"),
                gettext("medium orange piece"),
                gettext("large orange piece"),
            ),
            (
                gettext("small yellow piece"),
                gettext("medium yellow piece"),
                gettext("large yellow piece"),
            ),
            (
                gettext("small green piece"),
                gettext("medium green piece"),
                gettext("large green piece"),
            ),
            (
                gettext("small blue piece"),
                gettext("medium blue piece"),
                gettext("large blue piece"),
            ),
            (
                gettext("small purple piece"),
                gettext("medium purple piece"),
                gettext("large purple piece"),
            ),
        )
    ]


@cached(None)
def _own_pieces() -> Mapping[Role, Mapping[Size, str]]:
    return {
        Role.FIRST: {
            Size.SMALL: pgettext("at the beginning of a sentence", "Your small piece"),
            Size.MEDIUM: pgettext("at the beginning of a sentence", "Your medium piece"),
            Size.LARGE: pgettext("at the beginning of a sentence", "Your large piece"),
        },
        Role.SUBJECT: {
            Size.SMALL: pgettext("subject", "your small piece"),
            Size.MEDIUM: pgettext("subject", "your medium piece"),
            Size.LARGE: pgettext("subject", "your large piece"),
        },
        Role.OBJECT: {
            Size.SMALL: pgettext("object", "your small piece"),
            Size.MEDIUM: pgettext("object", "your medium piece"),
            Size.LARGE: pgettext("object", "your large piece"),
        },
        Role.AFTER: {
            Size.SMALL: pgettext("after a preposition", "your small piece"),
            Size.MEDIUM: pgettext("after a preposition", "your medium piece"),
            Size.LARGE: pgettext("after a preposition", "your large piece"),
        },
    }


@cached(None)
def _others_pieces() -> Mapping[Role, Mapping[Size, str]]:
    return {
        Role.FIRST: {
            Size.SMALL: pgettext("at the beginning of a sentence", "{player}’s small piece"),
            Size.MEDIUM: pgettext("at the beginning of a sentence", "{player}’s medium piece"),
            Size.LARGE: pgettext("at the beginning of a sentence", "{player}’s large piece"),
        },
        Role.SUBJECT: {
            Size.SMALL: pgettext("subject", "{player}’s small piece"),
            Size.MEDIUM: pgettext("subject", "{player}’s medium piece"),
            Size.LARGE: pgettext("subject", "{player}’s large piece"),
        },
        Role.OBJECT: {
            Size.SMALL: pgettext("object", "{player}’s small piece"),
            Size.MEDIUM: pgettext("object", "{player}’s medium piece"),
            Size.LARGE: pgettext("object", "{player}’s large piece"),
        },
        Role.AFTER: {
            Size.SMALL: pgettext("after a preposition", "{player}’s small piece"),
            Size.MEDIUM: pgettext("after a preposition", "{player}’s medium piece"),
            Size.LARGE: pgettext("after a preposition", "{player}’s large piece"),
        },
    }


@cached(None)
def _own_briefly() -> Mapping[Role, Mapping[Size, str]]:
    return {
        Role.FIRST: {
            # Translators: a piece, as in "Your small captures Red’s large: K♠ against 7♥".
            Size.SMALL: pgettext("at the beginning of a headline", "Your small"),
            Size.MEDIUM: pgettext("at the beginning of a headline", "Your medium"),
            Size.LARGE: pgettext("at the beginning of a headline", "Your large"),
        },
        Role.OBJECT: {
            Size.SMALL: pgettext("object in a headline", "your small"),
            Size.MEDIUM: pgettext("object in a headline", "your medium"),
            Size.LARGE: pgettext("object in a headline", "your large"),
        },
        Role.AFTER: {
            Size.SMALL: pgettext("after a preposition in a headline", "your small"),
            Size.MEDIUM: pgettext("after a preposition in a headline", "your medium"),
            Size.LARGE: pgettext("after a preposition in a headline", "your large"),
        },
    }


@cached(None)
def _others_briefly() -> Mapping[Role, Mapping[Size, str]]:
    return {
        Role.FIRST: {
            Size.SMALL: pgettext("at the beginning of a headline", "{player}’s small"),
            Size.MEDIUM: pgettext("at the beginning of a headline", "{player}’s medium"),
            Size.LARGE: pgettext("at the beginning of a headline", "{player}’s large"),
        },
        Role.OBJECT: {
            Size.SMALL: pgettext("object in a headline", "{player}’s small"),
            Size.MEDIUM: pgettext("object in a headline", "{player}’s medium"),
            Size.LARGE: pgettext("object in a headline", "{player}’s large"),
        },
        Role.AFTER: {
            Size.SMALL: pgettext("after a preposition in a headline", "{player}’s small"),
            Size.MEDIUM: pgettext("after a preposition in a headline", "{player}’s medium"),
            Size.LARGE: pgettext("after a preposition in a headline", "{player}’s large"),
        },
    }


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
    """Return what readers call a seat."""
    return META.colours[seat].shown_name


def hand_of(seat: int) -> str:
    """``Red’s hand``."""
    return gettext("{player}’s hand").format(player=name_of(seat))


def stock_mark(seat: int, size: Size) -> str:
    """Return the name of the mark that shows a seat's stock of a size."""
    return f"stock-{META.colours[seat].letter}{size}"


# --- Cards ------------------------------------------------------------------------------------

SUITS = "CDHS"
RANKS = "23456789TJQKA"
SIGNS = "♣♦♥♠"

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
            raise ValueError(gettext("{name} is no card.").format(name=quoted(name)))
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
        return _cards_of()[SUITS.index(self[1])].format(rank=_ranks()[self.rank])


@cached(None)
def _ranks() -> Sequence[str]:
    # Translators: the rank of a playing card, as in "king of spades".
    return (
        pgettext("playing card", "two"),
        pgettext("playing card", "three"),
        pgettext("playing card", "four"),
        pgettext("playing card", "five"),
        pgettext("playing card", "six"),
        pgettext("playing card", "seven"),
        pgettext("playing card", "eight"),
        pgettext("playing card", "nine"),
        pgettext("playing card", "ten"),
        pgettext("playing card", "jack"),
        pgettext("playing card", "queen"),
        pgettext("playing card", "king"),
        pgettext("playing card", "ace"),
    )


@cached(None)
def _cards_of() -> Sequence[str]:
    return (
        gettext("{rank} of clubs"),
        gettext("{rank} of diamonds"),
        gettext("{rank} of hearts"),
        gettext("{rank} of spades"),
    )


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
