"""The rules of Grim Reaper.

Its events, beside those that every game has, and what they tell:

- ``place``: ``square``, ``sex`` and ``life`` of a piece placed;
- ``move``: ``from`` and ``to``, ``piece`` (``rM4``);
- ``pass``: whether it was a step for ``births``;
- ``born``: ``square``, ``sex`` and ``life`` of a newborn, ``couples``: mother and father of
  each couple that may be its parents;
- ``age``: the ``turn`` that is over, ``dead``: the pieces that died, by square.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeAlias

from games.kernel.contract import TURN_ENDED, Event, Params, Position, Ranks, Seat
from games.kernel.dice import Dice
from games.kernel.errors import IllegalMove
from games.kernel.preconditions import check_mover, check_running
from games.kernel.ranking import DRAWN, WON_BY, ended
from games.kernel.views import DictView, Json, View
from games.titles.grim_reaper import legality, squares
from games.titles.grim_reaper.meta import META
from games.titles.grim_reaper.moves import Births, Child, Move, Placement, Walk
from games.titles.grim_reaper.population import BLUE, RED, Piece, Population
from games.titles.grim_reaper.position import STEPS, State, Terms, dump, load, winner
from games.titles.grim_reaper.squares import Square

PLACE, MOVE, PASS, BORN, AGE = "place", "move", "pass", "born", "age"
"""Types of the events that are this game's own."""

Outcome: TypeAlias = tuple[State, tuple[Event, ...]]


class GrimReaperRules:
    """What may be done in a position of Grim Reaper, and what comes of it."""

    def setup(self, seats: int, params: Params, dice: Dice) -> State:
        """Return the empty board, and full reserves."""
        terms = Terms.of(params)
        return State(terms, Population(terms.size), (terms.reserve, terms.reserve))

    def actors(self, state: State) -> tuple[Seat, ...]:
        """Return the seat whose step it is; nobody when the match is over."""
        return () if state.ranks else (state.mover,)

    def moves(self, state: State, seat: Seat) -> Iterable[Move]:
        """Yield placements before walks, or else sets of births; a pass comes last."""
        return legality.moves(state) if seat in self.actors(state) else ()

    def play(self, state: State, seat: Seat, move: Move, dice: Dice) -> Outcome:
        """Take one of the four steps of the turn; after the last all pieces age.

        :raises RulesError: the seat may not do that, or not now.
        """
        check_legal(state, seat, move)
        after, events = _carry_out(state, move, dice)
        events = (*events, Event(TURN_ENDED, seat))
        if state.step + 1 < len(STEPS[0]):
            return replace(after, step=state.step + 1), events
        after, aftermath = _age(after)
        return after, events + aftermath

    def drop(self, state: State, seat: Seat, dice: Dice) -> Outcome:
        """Let the other seat win.

        :raises MatchOver: it has ended already.
        """
        return _stop(state, "dropped", WON_BY[1 - seat])

    def close(self, state: State) -> Outcome:
        """End the match as a draw.

        :raises MatchOver: it has ended already.
        """
        return _stop(state, "closed", DRAWN)

    def result(self, state: State) -> Ranks | None:
        """Return the ranks by seat, or ``None`` while the match runs."""
        return state.ranks

    def view(self, state: State, viewer: Seat | None) -> View:
        """Return the position: nothing is hidden."""
        return DictView(dump(state))

    def dump(self, state: State) -> Position:
        """Return the position as JSON."""
        return dump(state)

    def load(self, data: Json, seats: int, params: Params) -> State:
        """Return the position that JSON describes.

        :raises BrokenPosition: no match with these parameters can have come to it.
        """
        return load(data, params)

    def validate(self, state: State) -> None:
        """Do nothing: loading has checked it."""


def check_legal(state: State, seat: Seat, move: Move) -> None:
    """Check that a seat may do something now.

    :raises RulesError: it may not; the sentence says which rule forbids it.
    """
    check_mover(move, seat, mover=state.mover, ranks=state.ranks, meta=META)
    if reason := legality.why_not(state, move):
        raise IllegalMove(f"Not {move}: {reason}")


def _carry_out(state: State, move: Move, dice: Dice) -> Outcome:
    """Do what a legal move says, without going on to the next step."""
    if isinstance(move, Placement):
        return _place(state, move)
    if isinstance(move, Walk):
        return _walk(state, move)
    if isinstance(move, Births):
        return _bear(state, move, dice)
    return state, (Event(PASS, state.mover, {"births": state.is_birth}),)


def _place(state: State, move: Placement) -> Outcome:
    left = list(state.reserves)
    left[state.mover] -= move.life
    piece = Piece(state.mover, move.sex, move.life)
    after = replace(
        state,
        population=state.population.with_piece(move.square, piece),
        reserves=(left[RED], left[BLUE]),
    )
    return after, (Event(PLACE, state.mover, _told(move.square, piece)),)


def _walk(state: State, move: Walk) -> Outcome:
    population = state.population
    piece = population.piece(move.origin)
    moved = population.without(squares.bit(move.origin)).with_piece(move.target, piece)
    origin, target = squares.name_of(move.origin), squares.name_of(move.target)
    event = Event(MOVE, state.mover, {"from": origin, "to": target, "piece": str(piece)})
    return replace(state, population=moved), (event,)


def _bear(state: State, move: Births, dice: Dice) -> Outcome:
    population, events = state.population, []
    for child in move.children:
        piece = Piece(state.mover, child.sex, _new_life(state, child, dice))
        population = population.with_piece(child.square, piece)
        told = {**_told(child.square, piece), "couples": _couples(state, child.square)}
        events.append(Event(BORN, state.mover, told))
    born = squares.set_of(child.square for child in move.children)
    return replace(state, population=population, born=born), tuple(events)


def _new_life(state: State, child: Child, dice: Dice) -> int:
    span = state.terms.span(child.sex)
    return 1 + dice.roll(span - 1) if state.terms.random_life else span


def _told(spot: Square, piece: Piece) -> dict[str, Json]:
    return {"square": squares.name_of(spot), "sex": piece.sex.value, "life": piece.life}


def _couples(state: State, spot: Square) -> list[list[str]]:
    """Return the names of each mother's and father's squares: they face each other."""
    mothers = squares.each(state.nurseries[spot])
    pairs = ((mother, squares.facing(mother, spot)) for mother in mothers)
    return [[squares.name_of(mother), squares.name_of(father)] for mother, father in pairs]


def _age(state: State) -> Outcome:
    """Return the next turn: all are a turn older, some are gone, somebody may have won."""
    doomed = state.population.doomed()
    dead = {squares.name_of(at): str(state.population.piece(at)) for at in squares.each(doomed)}
    events = [Event(AGE, None, {"turn": state.turn, "dead": dead})]
    population = state.population.aged()
    after = State(state.terms, population, state.reserves, state.turn + 1, rip=doomed)
    if decided := winner(population, state.reserves):
        ending, ranks = decided
        after = replace(after, ranks=ranks)
        events.append(ended(ending, ranks))
    return after, tuple(events)


def _stop(state: State, ending: str, ranks: Ranks) -> Outcome:
    check_running(state.ranks)
    return replace(state, ranks=ranks), (ended(ending, ranks),)
