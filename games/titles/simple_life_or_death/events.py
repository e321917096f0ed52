"""What can happen in Simple Life or Death.

Pieces, squares and cards are written as in positions.
"""

from msgspec import field

from games.kernel import contract
from games.kernel.contract import Event, SeatEvent, SecretEvent
from games.titles.simple_life_or_death.components import HIDDEN_CARD, Card, Cards, Piece, Square

Pieces = tuple[Piece, ...]
Rolls = tuple[int, ...]


class Placed(SeatEvent, frozen=True, tag="place"):
    """The seat placed a piece. ``on`` is the stack below it, from the bottom."""

    piece: Piece
    square: Square
    on: Pieces


class Rolled(SeatEvent, frozen=True, tag="roll"):
    """A piece began to move. ``dice`` are the sides of the dice that were rolled.

    ``ends`` are its possible ends, in the order of its way; ``off`` is off the board.
    """

    piece: Piece
    at: Square
    direction: str
    dice: tuple[int, ...]
    rolls: Rolls
    ends: tuple[Square, ...]


class Landed(SeatEvent, frozen=True, tag="land"):
    """A piece stopped, with the pieces that it carried. ``to`` is a square or ``off``.

    ``on`` is the stack below it, from the bottom.
    """

    piece: Piece
    direction: str
    start: Square = field(name="from")
    to: Square
    carried: Pieces
    on: Pieces


class Attacked(SecretEvent, frozen=True, omit_defaults=True, tag="attack"):
    """An attack from square to square, without a ``card`` if dice decide."""

    secret = {"card": HIDDEN_CARD}

    attacker: Piece
    target: Piece
    start: Square = field(name="from")
    at: Square
    card: Card | None = None


class Fought(SeatEvent, frozen=True, tag="fight"):
    """The outcome of an attack: two cards by name, or two lists of rolls.

    ``defence`` is ``None`` if the defender has no red card.
    """

    attacker: Piece
    target: Piece
    start: Square = field(name="from")
    at: Square
    attack: str | Rolls
    defence: str | Rolls | None
    won: bool


class Voided(SeatEvent, frozen=True, tag="void"):
    """An attack will not be answered. Its card is discarded."""

    target: Piece
    card: Card


class Drew(SecretEvent, frozen=True, tag="draw"):
    """The seat drew a card."""

    secret = {"card": HIDDEN_CARD}

    card: Card


class Refilled(Event, frozen=True, kw_only=True, tag="refill"):
    """The discards, ``cards`` in number, became the draw pile."""

    cards: int


class WentOut(SeatEvent, frozen=True, tag="out"):
    """The seat has no piece left. Its hand is discarded."""

    cards: Cards


class Left(SeatEvent, frozen=True, tag="leave"):
    """The seat dropped out, with its pieces on the board and in stock, and its hand."""

    pieces: Pieces
    stock: int
    cards: Cards


class Ended(contract.Ended, frozen=True, kw_only=True, tag="end"):
    """The match is over; ``trophies`` says how many each seat has."""

    trophies: tuple[int, ...]


EVENTS = (
    Placed,
    Rolled,
    Landed,
    Attacked,
    Fought,
    Voided,
    Drew,
    Refilled,
    WentOut,
    Left,
    Ended,
)
