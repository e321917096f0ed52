"""Positions of Grim Reaper: whose step it is, the pieces, the reserves, and what is allowed.

``STEPS`` gives the order of the four steps, which turns round from one turn to the next so
that each player in turn acts last before the births.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

from games.kernel.contract import Params, Position, Ranks, Seat
from games.kernel.errors import BrokenPosition
from games.kernel.ranking import DRAWN, WON_BY
from games.kernel.reading import (
    check_terms,
    read_list,
    read_named,
    read_object,
    read_result,
    read_whole,
)
from games.kernel.views import Json
from games.titles.grim_reaper import squares
from games.titles.grim_reaper.births import Mothers
from games.titles.grim_reaper.meta import CONNECTED, LAST_ALIVE, META, NOBODY_ALIVE
from games.titles.grim_reaper.population import BLUE, RED, Piece, Population, Sex
from games.titles.grim_reaper.squares import Square, Squares

Reserves: TypeAlias = tuple[int, int]

STEPS = ((RED, BLUE, BLUE, RED), (BLUE, RED, RED, BLUE))
"""Who takes each of the four steps, in odd turns and in even ones."""

FIRST_BIRTHS = 2
"""The steps before it are for placing or moving, from it on for births."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What was agreed for a match; ``reserve`` is the life reserve of each at the start."""

    size: int
    male_span: int
    female_span: int
    random_life: bool
    reserve: int

    @classmethod
    def of(cls, params: Params) -> "Terms":
        """Return the terms by the parameters of a match."""
        male, female = params["male_span"], params["female_span"]
        reserve = (params["reserve"] * (male + female) + 1) // 2
        return cls(params["size"], male, female, params["random_life"], reserve)

    def span(self, sex: Sex) -> int:
        """Return the most life turns that a newborn has."""
        return self.female_span if sex is Sex.FEMALE else self.male_span


@dataclass(frozen=True)
class State:
    """A position.

    ``born`` are the squares of the first births of this turn while the second are to come,
    ``rip`` those where pieces died at the last ageing, whoever stands there since.
    """

    terms: Terms
    population: Population
    reserves: Reserves
    turn: int = 1
    step: int = 0
    born: Squares = 0
    rip: Squares = 0
    ranks: Ranks | None = None

    @property
    def mover(self) -> Seat:
        """The seat whose step it is, or would be if the match had not ended."""
        return seat_at(self.turn, self.step)

    @property
    def is_birth(self) -> bool:
        """Whether this step is for births."""
        return self.step >= FIRST_BIRTHS

    @property
    def reserve(self) -> int:
        """The life reserve of the mover."""
        return self.reserves[self.mover]

    @cached_property
    def couples(self) -> tuple[Mothers, Mothers]:
        """Where each seat has a couple, contested or not, and who would be the mother."""
        of = self.population.couples
        return of(RED, self.born), of(BLUE, self.born)

    @property
    def contested(self) -> Squares:
        """The squares where both have a couple, so that nobody may be born there."""
        return squares.set_of(self.couples[RED].keys() & self.couples[BLUE].keys())

    @cached_property
    def nurseries(self) -> Mothers:
        """Where the mover may be born a piece, and who could be the mother."""
        own, other = self.couples[self.mover], self.couples[1 - self.mover]
        return {spot: who for spot, who in own.items() if spot not in other}

    def next_step(self) -> "State":
        """Return the position with the next step of the same turn to come."""
        return replace(self, step=self.step + 1)


def seat_at(turn: int, step: int) -> Seat:
    """Return who takes a step of a turn."""
    return STEPS[(turn - 1) % 2][step]


def winner(population: Population, reserves: Reserves) -> tuple[str, Ranks] | None:
    """Return how and with what result a match ends after an ageing; ``None`` if it goes on."""
    alive = [bool(population.sides[seat] or reserves[seat]) for seat in (RED, BLUE)]
    if not any(alive):
        return NOBODY_ALIVE, DRAWN
    if not all(alive):
        return LAST_ALIVE, WON_BY[alive.index(True)]
    joined = [seat for seat in (RED, BLUE) if population.chain(seat)]
    return (CONNECTED, WON_BY[joined[0]]) if joined else None


def dump(state: State) -> Position:
    """Return a position as JSON."""
    pieces = state.population.pieces().items()
    return {
        "size": state.terms.size,
        "turn": state.turn,
        "step": state.step,
        "reserve": list(state.reserves),
        "pieces": {squares.name_of(spot): str(piece) for spot, piece in pieces},
        "born": squares.names(state.born),
        "rip": squares.names(state.rip),
        "male_span": state.terms.male_span,
        "female_span": state.terms.female_span,
        "random_life": state.terms.random_life,
        "result": list(state.ranks) if state.ranks else None,
    }


def load(data: Json, params: Params) -> State:
    """Return the position that JSON describes.

    :raises BrokenPosition: no match with these parameters can have come to it.
    """
    table, terms = read_object("A position", data), Terms.of(params)
    check_terms(("size", "male_span", "female_span", "random_life"), table, params)
    population = Population.of(terms.size, _pieces(terms, table.get("pieces")))
    state = State(
        terms,
        population,
        _reserves(terms, table.get("reserve")),
        turn=read_whole("turn", table.get("turn"), 1),
        step=read_whole("step", table.get("step"), 0, len(STEPS[0]) - 1),
        rip=_squares(terms, "rip", table.get("rip")),
    )
    born = _born(state, _squares(terms, "born", table.get("born")))
    return replace(state, born=born, ranks=_result(state, table.get("result")))


def _reserves(terms: Terms, given: Json) -> Reserves:
    lives = read_list("reserve", given, len(META.colours))
    red, blue = (read_whole("A reserve", left, 0, terms.reserve) for left in lives)
    return red, blue


def _pieces(terms: Terms, given: Json) -> dict[Square, Piece]:
    pieces = read_object("pieces", given)
    return {_square(terms, name): _piece(terms, text) for name, text in pieces.items()}


def _square(terms: Terms, name: Json) -> Square:
    spot = read_named("square", name, squares.square)
    if not squares.bit(spot) & squares.board(terms.size):
        raise BrokenPosition(f"{name} is not on a board of size {terms.size}.")
    return spot


def _piece(terms: Terms, text: Json) -> Piece:
    piece = read_named("piece", text, Piece.read)
    if piece.life > (most := max(terms.reserve, terms.span(piece.sex))):
        raise BrokenPosition(f"{text} has more life than the {most} turns that it can have.")
    return piece


def _squares(terms: Terms, name: str, given: Json) -> Squares:
    spots = squares.set_of(_square(terms, text) for text in read_list(name, given))
    if squares.names(spots) != given:
        raise BrokenPosition(f"{name} names each square once, sorted; not so {given!r}.")
    return spots


def _born(state: State, born: Squares) -> Squares:
    """Check that newborns are those of the births just before."""
    parent = seat_at(state.turn, FIRST_BIRTHS)
    if born and state.step <= FIRST_BIRTHS:
        raise BrokenPosition(f"Nobody is born before step {FIRST_BIRTHS} of a turn is over.")
    if strangers := squares.names(born & ~state.population.sides[parent]):
        name = META.colours[parent].name
        raise BrokenPosition(f"{strangers[0]} is in born, but no piece of {name} stands there.")
    return born


def _result(state: State, given: Json) -> Ranks | None:
    """Return the result, which right after an ageing has to be what the pieces say."""
    aged = state.turn > 1 and state.step == 0
    decided = winner(state.population, state.reserves) if aged else None
    return read_result(given, decided[1] if decided else None, (*WON_BY, DRAWN))
