"""Geometry of the drawing: the towers of a view, in millimetres, side by side on one table."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, floor, radians

from games.kernel.contract import Event
from games.titles.precary_ice.events import Fell, Released
from games.titles.precary_ice.pieces import PIECES, Placed
from games.titles.precary_ice.state import Held, Preview, State
from games.titles.precary_ice.tower import Tower

RULER = 15
"""The width of the ruler on the left."""

COLUMN = 72
"""The width of a standing tower's room."""

SCATTER = 260
"""Maximum total width of all heaps beyond their columns, in millimetres, on either side."""

ROOM = 16
"""Minimum room above the highest tower."""

MARGIN = 4

ABOVE = 6
"""How far above the tower a piece is held, so that it touches nothing at any tilt."""

MIN_HEIGHT = 104
"""Minimum height drawn above the table."""

UPRIGHT = 1.5
"""Maximum ratio of width to height, so that pages keep the same layout after a fall."""

TABLE = 14
"""The thickness of the table, which bears the ruler of each tower."""


@dataclass(frozen=True)
class Geometry:
    """The geometry of a drawing: of a view, with the events of the last move."""

    view: State
    recent: Sequence[Event]

    @property
    def towers(self) -> Sequence[Tower]:
        return self.view.towers

    @cached_property
    def heights(self) -> Sequence[float]:
        """The heights of the towers, by seat."""
        return [tower.height for tower in self.towers]

    @property
    def width(self) -> int:
        return RULER + sum(left + right for left, right in self.rooms)

    @cached_property
    def table(self) -> int:
        """The table's position. All towers are drawn in one scale, so that the highest fits."""
        highest = ceil(max(self.heights)) + ROOM
        top = max(y for _, y in self.piece_held.corners) if self.piece_held else 0
        least = ceil(self.width / UPRIGHT) - TABLE
        return max(MIN_HEIGHT, highest, ceil(top) + MARGIN, least)

    @property
    def held(self) -> Held | None:
        """The placement being typed. ``None`` without one."""
        return self.view.held if isinstance(self.view, Preview) else None

    @property
    def holder(self) -> int | None:
        """The seat whose held piece is shown. ``None`` without one."""
        return self.held.seat if self.held else None

    @cached_property
    def piece_held(self) -> Placed | None:
        """The held piece, well above its tower. ``None`` without one."""
        held = self.held
        if held is None:
            return None
        letter = self.towers[held.seat].next or ""
        y = self.heights[held.seat] + ABOVE + PIECES[letter].centre
        return Placed(letter, held.at, y, radians(held.tilt))

    @property
    def below(self) -> int:
        """The bottom edge of the table."""
        return self.table + TABLE

    def axis(self, seat: int) -> float:
        """Return the axis of a tower, from the left."""
        return RULER + sum(left + right for left, right in self.rooms[:seat]) + self.rooms[seat][0]

    @cached_property
    def rooms(self) -> Sequence[tuple[int, int]]:
        """The extent of each tower's room to the left and right of its axis. Heaps are wide."""
        heaps = sum(tower.fallen for tower in self.towers)
        widest = COLUMN // 2 + SCATTER // max(heaps, 1)
        return [(_reach(tower, -1, widest), _reach(tower, 1, widest)) for tower in self.towers]

    @cached_property
    def placed(self) -> int | None:
        """The seat that has just placed a piece. ``None`` if the last move was another."""
        return next((event.seat for event in self.recent if isinstance(event, Released)), None)

    @cached_property
    def fall(self) -> int | None:
        """Milliseconds after which the last piece made its tower fall. ``None`` if it didn't."""
        return next((event.ms for event in self.recent if isinstance(event, Fell)), None)

    def is_highlighted(self, seat: int) -> bool:
        """Whether the last piece of a seat's tower is the one that was placed last."""
        tower = self.towers[seat]
        added = len(tower.sheet) > 1 or tower.done
        return seat == self.placed and tower.stands and added

    def is_winner(self, seat: int) -> bool:
        """Whether the match has ended and a seat came first."""
        return self.view.ranks is not None and self.view.ranks[seat] == 1

    def is_dimmed(self, seat: int) -> bool:
        """Whether a tower has fallen, or at the end belongs to a loser."""
        if self.view.ranks is not None:
            return not self.is_winner(seat)
        return not self.towers[seat].stands

    def is_building(self, seat: int) -> bool:
        """Whether a seat's tower can still grow in this round."""
        return self.view.ranks is None and seat in self.view.builders

    def beyond(self, seat: int, side: int) -> int:
        """Return how many pieces extend beyond the room of a tower, right (1) or left (-1)."""
        edge = self.rooms[seat][side > 0]
        reaches = (max(side * x for x, _ in p.corners) for p in self.towers[seat].pieces)
        return sum(reach > edge for reach in reaches)

    @cached_property
    def best_now(self) -> int | None:
        """The highest total of the round. ``None`` while all are equal."""
        totals = [tower.total for tower in self.towers if tower.sheet]
        return max(totals) if totals and max(totals) > min(totals) else None

    @cached_property
    def best_ever(self) -> int | None:
        """The highest total of the match. ``None`` until a round has been played."""
        ended = [score for scores in self.view.scores for score in scores]
        return max([*ended, *(tower.total for tower in self.towers)]) if ended else None

    @property
    def rows(self) -> int:
        """The number of rows of the longest sheet, with room for the next total."""
        longest = max(len(tower.sheet) + (tower.next is not None) for tower in self.towers)
        return max(2, ceil(longest / self.in_a_row))

    @property
    def in_a_row(self) -> int:
        """The number of totals side by side on a sheet."""
        return floor((COLUMN - 10) / 10)


def _reach(tower: Tower, side: int, widest: int) -> int:
    """Return the extent of a tower's room to one side of its axis."""
    if not tower.fallen:
        return COLUMN // 2
    farthest = max(side * x for piece in tower.pieces for x, _ in piece.corners)
    return min(max(ceil(farthest) + MARGIN, COLUMN // 2), widest)
