"""What a drawing of the board shows: where everything lies, and what it says in words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from games.kernel.contract import Event
from games.kernel.svg import Point
from games.kernel.views import View
from games.titles.grim_reaper import squares, words
from games.titles.grim_reaper.agenda import agenda
from games.titles.grim_reaper.births import Mothers
from games.titles.grim_reaper.population import BLUE, RED, Piece, Population, Sex
from games.titles.grim_reaper.rules import BORN, MOVE, PLACE
from games.titles.grim_reaper.shapes import SQUARE
from games.titles.grim_reaper.squares import Square, Squares, square

MARGIN = 22
HEAD = 31

NATURAL = 2 * MARGIN + 6 * SQUARE
"""The width of a board of 6, at which the letters around it have their natural size."""


@dataclass(frozen=True)
class Scene:
    """A position as seen, with the events of the last step."""

    view: View
    recent: Sequence[Event]

    @property
    def size(self) -> int:
        """Squares to a side."""
        return int(self.view["size"])

    @property
    def width(self) -> int:
        """The width of the drawing."""
        return 2 * MARGIN + self.size * SQUARE

    @property
    def scale(self) -> float:
        """How much larger than natural everything around the board is."""
        return self.width / NATURAL

    @property
    def top(self) -> float:
        """Where the uppermost row begins."""
        return round(HEAD * self.scale) + MARGIN

    @property
    def bottom(self) -> float:
        """Where the lowest row ends."""
        return self.top + self.size * SQUARE

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.view["result"] is not None

    @cached_property
    def population(self) -> Population:
        """The pieces."""
        pieces = self.view["pieces"].items()
        return Population.of(self.size, {square(at): Piece.read(text) for at, text in pieces})

    @cached_property
    def couples(self) -> tuple[Mothers, Mothers]:
        """Where each seat has a couple, and who would be the mother."""
        infants = squares.set_of(map(square, self.view["born"]))
        return self.population.couples(RED, infants), self.population.couples(BLUE, infants)

    @cached_property
    def contested(self) -> Squares:
        """Where both have a couple, while that matters."""
        both = self.couples[RED].keys() & self.couples[BLUE].keys()
        return 0 if self.is_over else squares.set_of(both)

    @cached_property
    def graves(self) -> Squares:
        """Where pieces died at the last ageing."""
        return squares.set_of(map(square, self.view["rip"]))

    @cached_property
    def fresh(self) -> dict[Square, str]:
        """What came where in the last step, and how."""
        found = {}
        for event in self.recent:
            if event.type == MOVE:
                found[square(event.data["to"])] = f"just moved from {event.data['from']}"
            elif event.type in {PLACE, BORN}:
                how = "just placed" if event.type == PLACE else "just born"
                found[square(event.data["square"])] = how
        return found

    @cached_property
    def chain(self) -> tuple[Square, ...]:
        """The chain that won the match, if one did."""
        if not self.is_over or self.view["step"]:
            return ()
        return self.population.chain(RED) or self.population.chain(BLUE)

    def middle(self, spot: Square) -> Point:
        """Return the middle of a square."""
        return self.point(squares.column(spot), squares.row(spot))

    def point(self, column: float, row: float) -> Point:
        """Return the middle of a square by its column and row, beyond the board too."""
        return MARGIN + (column + 0.5) * SQUARE, self.bottom - (row + 0.5) * SQUARE

    def label_of(self, spot: Square) -> str:
        """Return what a square shows, in words."""
        told = [self._occupant(spot)]
        if spot in self.fresh:
            told.append(self.fresh[spot])
        if self.graves >> spot & 1:
            told.append("RIP, a piece died here at the last ageing")
        return f"{squares.name_of(spot)}: {', '.join((*told, *self._prospects(spot)))}"

    def _occupant(self, spot: Square) -> str:
        if not self.population.taken >> spot & 1:
            return "vacant"
        found = self.population.piece(spot)
        doom = ", dies at the next ageing" if found.life == 1 and not self.is_over else ""
        return f"{words.piece(found)}, {words.life_turns(found.life)} left{doom}"

    def _prospects(self, spot: Square) -> Iterator[str]:
        """Say who could be born on a square."""
        if self.contested >> spot & 1:
            pairs = (f"{words.name_of(seat)}'s {self._parents(seat, spot)}" for seat in (RED, BLUE))
            yield f"contested by {' and '.join(pairs)}, so nobody can be born here"
        elif not self.is_over:
            for seat in (RED, BLUE):
                if spot in self.couples[seat]:
                    yield f"between {words.name_of(seat)}'s {self._parents(seat, spot)}"

    def _parents(self, seat: int, spot: Square) -> str:
        """Return every couple around a square, as in ``a2 with c4``."""
        mothers = squares.each(self.couples[seat][spot])
        pairs = ((mother, squares.facing(mother, spot)) for mother in mothers)
        names = [f"{squares.name_of(her)} with {squares.name_of(him)}" for her, him in pairs]
        return words.listed(names)

    @property
    def label(self) -> str:
        """What the whole drawing shows, in words."""
        told = [f"Board of {self.size} by {self.size}, turn {self.view['turn']}.", *self._peoples()]
        if not self.is_over:
            coming = "; ".join(map(str, agenda(self.view["turn"], self.view["step"])))
            return " ".join((*told, f"Next: {coming}."))
        return " ".join((*told, words.outcome(self.view["result"])))

    def _peoples(self) -> Iterator[str]:
        for seat in (RED, BLUE):
            males, females = (self.count(seat, sex) for sex in Sex)
            reserve = self.view["reserve"][seat]
            yield (
                f"{words.name_of(seat)}: {words.counted(males, 'male')},"
                f" {words.counted(females, 'female')}, reserve {reserve}."
            )

    def count(self, seat: int, sex: Sex) -> int:
        """Return how many pieces of a side and sex are on the board."""
        own, females = self.population.sides[seat], self.population.females
        return (own & females if sex is Sex.FEMALE else own & ~females).bit_count()
