"""What is drawn where: the towers of a view, in millimetres, side by side on one table."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, floor, radians

from games.kernel.contract import Event
from games.kernel.svg import Point
from games.kernel.views import Json, View
from games.titles.precary_ice import shapes
from games.titles.precary_ice.events import PLACE
from games.titles.precary_ice.pieces import PIECES, Placed

RULER = 15
"""The room of the ruler that stands on the left."""

COLUMN = 72
"""The room of a tower, from left to right."""

ROOM = 16
"""The least room above the highest tower."""

MARGIN = 4

ABOVE = 6
"""How far above the tower a piece is held, so that it touches nothing at any tilt."""

LEAST = 104
"""The least height that is drawn above the table."""

TABLE = 14
"""The thickness of the table, which bears the ruler of each tower."""


@dataclass(frozen=True)
class Shown:
    """What the view says of one seat."""

    seat: int
    data: Json

    @cached_property
    def pieces(self) -> tuple[Placed, ...]:
        """Its pieces from the bottom."""
        return tuple(Placed(*piece) for piece in self.data["pieces"])

    @property
    def sheet(self) -> Sequence[int]:
        """The totals on its sheet; all but the last are crossed off."""
        return tuple(self.data["sheet"])

    @property
    def total(self) -> int:
        """The total that counts."""
        return self.sheet[-1] if self.sheet else 0

    @property
    def stands(self) -> bool:
        """Whether there is a tower that has not fallen."""
        return bool(self.pieces) and not self.data["fallen"]

    @cached_property
    def height(self) -> float:
        """How high it reaches above the table."""
        return max((y for piece in self.pieces for _, y in shapes.corners(piece)), default=0)

    @property
    def tip(self) -> Point:
        """The point of its last piece."""
        return shapes.corners(self.pieces[-1])[-1]

    @property
    def balance(self) -> Point:
        """Its centre of mass."""
        masses = [PIECES[piece.letter].mass for piece in self.pieces]
        x = sum(m * piece.x for m, piece in zip(masses, self.pieces, strict=True))
        y = sum(m * piece.y for m, piece in zip(masses, self.pieces, strict=True))
        return x / sum(masses), y / sum(masses)

    def is_pale(self, at: int) -> bool:
        """Whether a piece has the seat's second colour: every other one of its size."""
        letters = [piece.letter for piece in self.pieces[: at + 1]]
        return letters.count(letters[-1]) % 2 == 0

    @property
    def is_next_pale(self) -> bool:
        """Whether the piece that is due has the seat's second colour."""
        return [piece.letter for piece in self.pieces].count(self.data["next"]) % 2 == 1


@dataclass(frozen=True)
class Scene:
    """A view to be drawn, with the events of the last move."""

    view: View
    recent: Sequence[Event]

    @cached_property
    def towers(self) -> tuple[Shown, ...]:
        """The towers by seat."""
        return tuple(Shown(seat, data) for seat, data in enumerate(self.view["towers"]))

    @property
    def width(self) -> int:
        """The width of the drawing."""
        return RULER + COLUMN * len(self.towers)

    @cached_property
    def table(self) -> int:
        """Where the table is: all towers are drawn in one scale, the highest fits."""
        highest = ceil(max(tower.height for tower in self.towers)) + ROOM
        reach = max(y for _, y in shapes.corners(self.held)) if self.held else 0
        return max(LEAST, highest, ceil(reach) + MARGIN)

    @cached_property
    def holder(self) -> int | None:
        """The seat whose next piece is shown in the hand, as it was typed."""
        held = self.view.get("held")
        return held["seat"] if held else None

    @cached_property
    def held(self) -> Placed | None:
        """The piece in the hand, well above the tower."""
        if self.holder is None:
            return None
        tower, held = self.towers[self.holder], self.view["held"]
        letter = tower.data["next"]
        y = tower.height + ABOVE + PIECES[letter].centre
        return Placed(letter, held["at"], y, radians(held["tilt"]))

    @property
    def below(self) -> int:
        """Where the table ends, and what is said of each tower begins."""
        return self.table + TABLE

    def axis(self, seat: int) -> float:
        """Return where the axis of a tower is, from the left."""
        return RULER + COLUMN * (seat + 0.5)

    @cached_property
    def placed(self) -> int | None:
        """The seat that has just placed a piece."""
        return next((event.seat for event in self.recent if event.type == PLACE), None)

    def is_lit(self, tower: Shown) -> bool:
        """Whether the last piece of a tower is the one that was placed last."""
        added = len(tower.sheet) > 1 or tower.data["done"]
        return tower.seat == self.placed and tower.stands and added

    @cached_property
    def best_now(self) -> int | None:
        """The highest total of the round, once towers differ."""
        totals = [tower.total for tower in self.towers if tower.sheet]
        return max(totals) if totals and max(totals) > min(totals) else None

    @cached_property
    def best_ever(self) -> int | None:
        """The highest total of the match, once a round has been played."""
        ended = [score for scores in self.view["scores"] for score in scores]
        return max([*ended, *(tower.total for tower in self.towers)]) if ended else None

    @property
    def rows(self) -> int:
        """How many rows of numbers the longest sheet has."""
        longest = max(len(tower.sheet) for tower in self.towers)
        return max(2, ceil(longest / self.in_a_row))

    @property
    def in_a_row(self) -> int:
        """How many numbers stand side by side on a sheet."""
        return floor((COLUMN - 10) / 10)
