"""A seat's tower in one round: its pieces, its stock, and the score sheet."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from games.titles.precary_ice.pieces import (
    LETTERS,
    PIECES,
    PIECES_PER_SIZE,
    Letter,
    Placed,
    Point,
    exact,
)

FIRST_PIECES = "QDP"
"""The pieces with which every tower begins, bottom to top."""

BONUS_POINTS = 10
"""Points for a tower of all pieces."""

MAX_POINTS = 70
"""The points of a tower of all pieces, with the bonus."""

PEN_TIME = 900
"""Milliseconds needed to pick up the pen, cross off the old total and write the new one."""

SIDES = 6
"""Sides of the die for the size."""


Count: TypeAlias = Annotated[int, Meta(ge=0, le=PIECES_PER_SIZE)]
Points: TypeAlias = Annotated[int, Meta(ge=0, le=MAX_POINTS)]


class Tower(Struct, frozen=True, kw_only=True):
    """A tower and its sheet, as positions have it.

    ``pieces`` are listed from the bottom. ``left`` counts the remaining pawns, drones and queens.
    All numbers of ``sheet`` except the last are crossed off. ``next`` is the next piece and ``die``
    its roll, ``None`` without a next piece, and if only one size is left. ``fallen`` says that
    ``pieces`` are a heap.
    """

    pieces: tuple[Placed, ...]
    left: Annotated[tuple[Count, ...], Meta(min_length=len(LETTERS), max_length=len(LETTERS))]
    sheet: tuple[Points, ...]
    die: Annotated[int, Meta(ge=1, le=SIDES)] | None = None
    next: Letter | None = None
    done: bool
    fallen: bool

    @property
    def letters(self) -> str:
        """The sizes of the pieces, bottom to top."""
        return "".join(piece.letter for piece in self.pieces)

    @property
    def total(self) -> int:
        """The last total on the sheet. 0 without one."""
        return self.sheet[-1] if self.sheet else 0

    @property
    def sizes(self) -> str:
        """The remaining sizes, the smallest first."""
        return "".join(letter for letter, left in zip(LETTERS, self.left, strict=True) if left)

    @property
    def stands(self) -> bool:
        """Whether there is a tower that hasn't fallen."""
        return bool(self.pieces) and not self.fallen

    @property
    def height(self) -> float:
        """The height of the tower or the heap, in mm above the table. 0 without one."""
        return max((y for piece in self.pieces for _, y in piece.corners), default=0)

    @property
    def tip(self) -> Point:
        """The point of the last piece, in mm from axis and table."""
        return self.pieces[-1].corners[-1]

    @property
    def centre_of_mass(self) -> Point:
        """The centre of mass of all pieces, in mm from axis and table."""
        masses = [PIECES[piece.letter].mass for piece in self.pieces]
        x = sum(m * piece.x for m, piece in zip(masses, self.pieces, strict=True))
        y = sum(m * piece.y for m, piece in zip(masses, self.pieces, strict=True))
        return x / sum(masses), y / sum(masses)

    def due(self, die: int | None) -> "Tower":
        """Return the tower with its next piece by the die, or without a die if one size is left."""
        return replace(self, die=die, next=told_by(self.sizes, die))

    def built(self, pieces: tuple[Placed, ...]) -> "Tower":
        """Return the standing tower with the new piece, and the total written."""
        left, total = self._with(pieces[-1].letter)
        done = not any(left)
        sheet = (*self.sheet, total)
        return Tower(pieces=pieces, left=left, sheet=sheet, done=done, fallen=False)

    def collapsed(self, pieces: tuple[Placed, ...], ms: int) -> "Tower":
        """Return the heap ``ms`` milliseconds after the release of the piece.

        The new total counts if there was time to write it.
        """
        left, total = self._with(pieces[-1].letter)
        sheet = (*self.sheet, total) if ms >= PEN_TIME else self.sheet
        return Tower(pieces=pieces, left=left, sheet=sheet, done=True, fallen=True)

    def _with(self, letter: str) -> tuple[tuple[int, ...], int]:
        """Return the remaining pieces, and the total, after a placement."""
        left = tuple(
            count - (size == letter) for size, count in zip(LETTERS, self.left, strict=True)
        )
        return left, self.total + PIECES[letter].points

    def rewarded(self) -> "Tower":
        """Write the bonus on the sheet."""
        return replace(self, sheet=(*self.sheet, self.total + BONUS_POINTS))

    def rebuilt(self) -> "Tower":
        """Rebuild the tower from its sheet, exactly on its axis, without a next piece."""
        return replace(self, pieces=exact(reconstructed(self.sheet)), die=None, next=None)


NEW = Tower(
    pieces=exact(FIRST_PIECES),
    left=(PIECES_PER_SIZE - 1,) * len(LETTERS),
    sheet=(6,),
    done=False,
    fallen=False,
)
"""The tower with which a round begins."""

REMOVED_TOWER = Tower(pieces=(), left=(0,) * len(LETTERS), sheet=(), done=True, fallen=False)
"""The tower of a seat that dropped out."""


def told_by(sizes: str, die: int | None) -> str:
    """Return the size for a roll of the die, or without a die the only one left."""
    return sizes[0] if die is None else sizes[(die - 1) * len(sizes) // SIDES]


def reconstructed(sheet: Sequence[int]) -> str:
    """Return the sizes of a tower's pieces from the numbers on its sheet."""
    sizes = {piece.points: letter for letter, piece in PIECES.items()}
    return FIRST_PIECES + "".join(sizes[total - before] for before, total in pairwise(sheet))
