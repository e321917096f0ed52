"""A seat's tower in one round: its pieces, what is left to build with, and the score sheet."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from games.titles.precary_ice.pieces import EACH, LETTERS, PIECES, Placed, exact

FIRST = "QDP"
"""The pieces with which every tower begins, bottom to top."""

BONUS = 10

PEN_TIME = 900
"""So many milliseconds it takes to pick up the pen, cross off the old total and write the new."""

SIDES = 6
"""Sides of the die that tells the size."""


@dataclass(frozen=True)
class Tower:
    """A tower and its sheet.

    ``left`` counts the pawns, drones and queens beside it. All numbers of ``sheet`` but the last
    are crossed off. ``next`` is the piece that is due, ``die`` what told it.
    """

    pieces: tuple[Placed, ...]
    left: tuple[int, ...]
    sheet: tuple[int, ...]
    die: int | None = None
    next: str | None = None
    done: bool = False
    fallen: bool = False

    @property
    def letters(self) -> str:
        """The sizes of the pieces, bottom to top."""
        return "".join(piece.letter for piece in self.pieces)

    @property
    def total(self) -> int:
        """What the sheet says."""
        return self.sheet[-1] if self.sheet else 0

    @property
    def sizes(self) -> str:
        """The sizes of which there are pieces left, the smallest first."""
        return "".join(letter for letter, left in zip(LETTERS, self.left, strict=True) if left)

    def due(self, die: int | None) -> "Tower":
        """Return the tower with the next piece told by the die; no die where one size is left."""
        return replace(self, die=die, next=told_by(self.sizes, die))

    def built(self, pieces: tuple[Placed, ...]) -> "Tower":
        """Return the tower with the piece that was due, standing; the total is written."""
        total = self.total + PIECES[pieces[-1].letter].points
        left = without(self.left, pieces[-1].letter)
        return Tower(pieces, left, (*self.sheet, total), done=not any(left))

    def collapsed(self, pieces: tuple[Placed, ...], ms: int) -> "Tower":
        """Return the heap that is left; the new total counts if there was time to write it."""
        left = without(self.left, pieces[-1].letter)
        total = self.total + PIECES[pieces[-1].letter].points
        sheet = (*self.sheet, total) if ms >= PEN_TIME else self.sheet
        return Tower(pieces, left, sheet, done=True, fallen=True)

    def rewarded(self) -> "Tower":
        """Return the tower with the bonus written on its sheet."""
        return replace(self, sheet=(*self.sheet, self.total + BONUS))

    def rebuilt(self) -> "Tower":
        """Return the tower as the sheet tells it, exactly on its axis."""
        return replace(self, pieces=exact(reconstructed(self.sheet)), die=None, next=None)


NEW = Tower(exact(FIRST), (EACH - 1,) * len(LETTERS), (6,))
"""The tower with which a round begins."""

GONE = Tower((), (0,) * len(LETTERS), (), done=True)
"""What a seat has that dropped out."""


def told_by(sizes: str, die: int | None) -> str:
    """Return the size that a roll of the die tells, of those of which pieces are left."""
    return sizes[0] if die is None else sizes[(die - 1) * len(sizes) // SIDES]


def without(left: Sequence[int], letter: str) -> tuple[int, ...]:
    """Return what is left when a piece of some size is taken."""
    return tuple(count - (LETTERS[n] == letter) for n, count in enumerate(left))


def reconstructed(sheet: Sequence[int]) -> str:
    """Return the sizes of a tower's pieces, which the numbers of its sheet tell."""
    sizes = {piece.points: letter for letter, piece in PIECES.items()}
    return FIRST + "".join(sizes[total - before] for before, total in pairwise(sheet))
