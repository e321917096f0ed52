"""The pieces on the board: who stands where, of which sex, with how many life turns left.

A population is a frozen value: what changes it makes another. Sets of squares tell the sides
and the sexes apart, so that reach, couples and chains are found for the whole board at once.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from games.kernel.contract import Seat
from games.titles.grim_reaper import squares
from games.titles.grim_reaper.meta import META
from games.titles.grim_reaper.squares import STEPS, Square, Squares

RED, BLUE = Seat(0), Seat(1)
LETTERS = tuple(colour.letter for colour in META.colours)
NOBODY = bytes(squares.COUNT)
OLDER = bytes([0, *range(255)])
"""Translates a life into what is left of it a turn later."""


class Sex(StrEnum):
    """The sex of a piece, by its letter."""

    MALE = "M"
    FEMALE = "F"

    @property
    def word(self) -> str:
        """The sex in a sentence."""
        return self.name.lower()


_PIECE = re.compile("([rb])([MF])([1-9][0-9]?)")


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece: its side, its sex and its life turns left. Its text is ``rM10``."""

    seat: Seat
    sex: Sex
    life: int

    def __str__(self) -> str:
        return f"{LETTERS[self.seat]}{self.sex}{self.life}"

    @classmethod
    def read(cls, text: str) -> "Piece":
        """Return the piece that a text names.

        :raises ValueError: it names none.
        """
        if not (found := _PIECE.fullmatch(text)):
            raise ValueError(f"{text!r} is no piece.")
        return cls(Seat(LETTERS.index(found[1])), Sex(found[2]), int(found[3]))


@dataclass(frozen=True, slots=True)
class Population:
    """All pieces on a board of ``size`` squares to a side.

    ``sides`` are the squares of each seat's pieces, ``females`` those of the females of both,
    ``lives`` the life turns left of the piece on each square, 0 where none stands.
    """

    size: int
    sides: tuple[Squares, Squares] = (0, 0)
    females: Squares = 0
    lives: bytes = NOBODY

    @classmethod
    def of(cls, size: int, pieces: Mapping[Square, Piece]) -> "Population":
        """Return the population of these pieces."""
        population = cls(size)
        for spot, piece in pieces.items():
            population = population.with_piece(spot, piece)
        return population

    @property
    def vacant(self) -> Squares:
        """The squares on which nobody stands."""
        return squares.board(self.size) & ~self.taken

    @property
    def taken(self) -> Squares:
        """The squares on which somebody stands."""
        return self.sides[RED] | self.sides[BLUE]

    def piece(self, spot: Square) -> Piece:
        """Return the piece on a square that is taken."""
        seat = RED if self.sides[RED] >> spot & 1 else BLUE
        sex = Sex.FEMALE if self.females >> spot & 1 else Sex.MALE
        return Piece(seat, sex, self.lives[spot])

    def pieces(self) -> dict[Square, Piece]:
        """Return every piece by its square, in the order of the squares."""
        return {spot: self.piece(spot) for spot in squares.each(self.taken)}

    def with_piece(self, spot: Square, piece: Piece) -> "Population":
        """Return the population with a piece more, on a vacant square."""
        sides = list(self.sides)
        sides[piece.seat] |= squares.bit(spot)
        return Population(
            self.size,
            (sides[RED], sides[BLUE]),
            self.females | (squares.bit(spot) if piece.sex is Sex.FEMALE else 0),
            self.lives[:spot] + bytes([piece.life]) + self.lives[spot + 1 :],
        )

    def without(self, gone: Squares) -> "Population":
        """Return the population without the pieces on some squares."""
        lives = bytearray(self.lives)
        for spot in squares.each(gone):
            lives[spot] = 0
        sides = (self.sides[RED] & ~gone, self.sides[BLUE] & ~gone)
        return Population(self.size, sides, self.females & ~gone, bytes(lives))

    def reach(self, origin: Square) -> tuple[Squares, Squares]:
        """Return where the piece on a square can go in one step, and only in two."""
        vacant = self.vacant
        near = squares.around(squares.bit(origin)) & vacant
        return near, squares.around(near) & vacant & ~near

    def doomed(self) -> Squares:
        """Return the squares of the pieces that die at the next ageing."""
        return squares.set_of(spot for spot in squares.each(self.taken) if self.lives[spot] == 1)

    def aged(self) -> "Population":
        """Return the population a turn older, without those whose life has run out."""
        survivors = self.without(self.doomed())
        return replace(survivors, lives=survivors.lives.translate(OLDER))

    def couples(self, seat: Seat, infants: Squares = 0) -> dict[Square, Squares]:
        """Return the vacant squares between a male and a female of a seat, with the females.

        Each square is mapped to all who could be the mother there; the father of a mother's
        child stands opposite. ``infants`` are too young to be parents.
        """
        women = self.sides[seat] & self.females & ~infants
        men = self.sides[seat] & ~self.females & ~infants
        vacant = self.vacant
        found: dict[Square, Squares] = {}
        for step in STEPS:
            for spot in squares.each((women << step) & (men >> step) & vacant):
                found[spot] = found.get(spot, 0) | squares.bit(Square(spot - step))
            for spot in squares.each((women >> step) & (men << step) & vacant):
                found[spot] = found.get(spot, 0) | squares.bit(Square(spot + step))
        return dict(sorted(found.items()))

    def chain(self, seat: Seat) -> tuple[Square, ...]:
        """Return a shortest chain of a seat's pieces between its two edges, or nothing.

        Red's edges are the bottom and the top, Blue's the left and the right; each piece of the
        chain shares an edge with the next.
        """
        own, size = self.sides[seat], self.size
        if seat == RED:
            start, goal = squares.bottom(size), squares.bottom(size) << size - 1
        else:
            start, goal = squares.left(size), squares.left(size) << squares.STRIDE * (size - 1)
        layers = [own & start]
        rest = own & ~start
        while layers[-1] and not layers[-1] & goal:
            layers.append(squares.beside(layers[-1]) & rest)
            rest &= ~layers[-1]
        return _trace(layers, layers[-1] & goal)


def _trace(layers: list[Squares], ends: Squares) -> tuple[Square, ...]:
    """Walk back through the layers of a search, and return the walk from its start."""
    walk: list[Square] = []
    for layer in reversed(layers if ends else []):
        walk.append(squares.first(layer & ends))
        ends = squares.beside(squares.bit(walk[-1]))
    return tuple(reversed(walk))
