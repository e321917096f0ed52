"""The content of a drawing of the board: geometry and labels."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from games.kernel.contract import Event, Seat
from games.kernel.formatting import listed
from games.kernel.grids import SquareGrid
from games.kernel.language import gettext, labelled, ngettext
from games.kernel.svg import Point
from games.titles.grim_reaper import squares
from games.titles.grim_reaper.drawing.symbols import SQUARE
from games.titles.grim_reaper.drawing.upcoming import upcoming
from games.titles.grim_reaper.events import Born, Moved, Placed
from games.titles.grim_reaper.meta import describe_result, name_of
from games.titles.grim_reaper.phases.births import parents
from games.titles.grim_reaper.squares import Square, Squares
from games.titles.grim_reaper.state import BLUE, RED, Sex, State

MARGIN = 22

NATURAL = 2 * MARGIN + 6 * SQUARE
"""The width of a board of 6, at which the letters around it have their natural size."""


@cache
def _grid(size: int) -> SquareGrid:
    return SquareGrid(size, size, SQUARE, MARGIN)


@dataclass(frozen=True)
class Scene:
    """A position as seen, with the events of the last step. Lengths are in SVG units."""

    state: State
    recent: Sequence[Event]

    @property
    def size(self) -> int:
        """Squares to a side."""
        return self.state.size

    @property
    def grid(self) -> SquareGrid:
        return _grid(self.size)

    @property
    def scale(self) -> float:
        """The scale of everything around the board."""
        return self.grid.width / NATURAL

    @property
    def is_over(self) -> bool:
        return self.state.ranks is not None

    @cached_property
    def taken(self) -> Squares:
        """The squares with a piece."""
        return self.state.taken

    @cached_property
    def contested(self) -> Squares:
        """The squares where both seats have a couple. Empty after the end."""
        return 0 if self.is_over else self.state.contested

    @cached_property
    def changed(self) -> dict[Square, str]:
        """How the pieces of the last step came to their squares, in words."""
        notes = {}
        for event in self.recent:
            match event:
                case Moved():
                    moved = gettext("just moved from {square}")
                    notes[event.to] = moved.format(square=event.start)
                case Placed():
                    notes[event.square] = gettext("just placed")
                case Born():
                    notes[event.square] = gettext("just born")
        return notes

    @cached_property
    def chain(self) -> tuple[Square, ...]:
        """The chain that won the match. Empty if the match ended otherwise."""
        if not self.is_over or self.state.step:
            return ()
        return self.state.chain(RED) or self.state.chain(BLUE)

    def way(self, walk: Moved) -> tuple[Square, ...]:
        """Return the squares of a walk in order.

        The crossed square isn't recorded. If several were vacant, the nearest is shown.
        """
        near = squares.around(squares.bit(walk.start))
        if near >> walk.to & 1:
            return walk.start, walk.to
        crossed = near & squares.around(squares.bit(walk.to)) & self.state.vacant
        ends = [self.middle(walk.start), self.middle(walk.to)]
        ways = {
            at: sum(math.dist(self.middle(at), end) for end in ends) for at in squares.each(crossed)
        }
        via = (min(ways, key=ways.__getitem__),) if ways else ()
        return walk.start, *via, walk.to

    def middle(self, square: Square) -> Point:
        return self.grid.middle(square.column, square.row)

    def label_of(self, square: Square) -> str:
        parts = [*self._occupant(square)]
        if square in self.changed:
            parts.append(self.changed[square])
        if self.state.rip >> square & 1:
            parts.append(gettext("a piece died here last turn"))
        return labelled(str(square), ", ".join((*parts, *self._births(square))))

    def _occupant(self, square: Square) -> Iterator[str]:
        if not self.taken >> square & 1:
            yield gettext("vacant")
            return
        piece = self.state.piece(square)
        yield piece.label
        left = ngettext("{count} life turn left", "{count} life turns left", piece.life)
        yield left.format(count=piece.life)
        if piece.life == 1 and not self.is_over:
            yield gettext("dies at the end of this turn")

    def _births(self, square: Square) -> Iterator[str]:
        """Yield the seats that could give birth on a square."""
        if self.contested >> square & 1:
            red, blue = (self._contestants(seat, square) for seat in (RED, BLUE))
            message = gettext("contested by {red} and {blue}, so nobody can be born here")
            yield message.format(red=red, blue=blue)
        elif not self.is_over:
            for seat in (RED, BLUE):
                if square in self.state.couples[seat]:
                    count, couples = self._couples(seat, square)
                    message = ngettext(
                        "{player}'s couple {couples} can have a child here",
                        "{player}'s couples {couples} can have a child here",
                        count,
                    )
                    yield message.format(player=name_of(seat), couples=couples)

    def _contestants(self, seat: Seat, square: Square) -> str:
        """Return every couple of a seat around a square, as in ``Red's couple a2–c4``."""
        count, couples = self._couples(seat, square)
        # Translators: after "contested by", as in "contested by Red's couple a2–c4 and …"
        message = ngettext("{player}'s couple {couples}", "{player}'s couples {couples}", count)
        return message.format(player=name_of(seat), couples=couples)

    def _couples(self, seat: Seat, square: Square) -> tuple[int, str]:
        """Return how many couples a seat has around a square, and the squares of all."""
        pairs = parents(self.state.couples[seat], square)
        return len(pairs), listed([f"{mother}–{father}" for mother, father in pairs])

    @property
    def label(self) -> str:
        """The whole drawing in words."""
        turn = self.state.turn_number
        board = gettext("Board of {size} by {size}, turn {turn}.")
        parts = [board.format(size=self.size, turn=turn), *self._sides()]
        if self.state.ranks is None:
            coming = listed(list(map(str, upcoming(turn, self.state.step))))
            return " ".join((*parts, gettext("Next: {steps}.").format(steps=coming)))
        return " ".join((*parts, describe_result(self.state.ranks)))

    def _sides(self) -> Iterator[str]:
        for seat in (RED, BLUE):
            males, females = (self.count(seat, sex) for sex in Sex)
            yield gettext("{player}: {males}, {females}, reserve {reserve}.").format(
                player=name_of(seat),
                males=ngettext("{count} male", "{count} males", males).format(count=males),
                females=ngettext("{count} female", "{count} females", females).format(
                    count=females
                ),
                reserve=self.state.reserves[seat],
            )

    def count(self, seat: Seat, sex: Sex) -> int:
        own = self.state.sides[seat]
        females = self.state.females
        return (own & females if sex is Sex.FEMALE else own & ~females).bit_count()
