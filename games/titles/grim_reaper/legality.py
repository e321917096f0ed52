"""What the mover may do: as a list, and as the reason why something is forbidden."""

from collections.abc import Iterator
from itertools import product

from games.titles.grim_reaper import births, squares
from games.titles.grim_reaper.moves import Births, Child, Move, Pass, Placement, Walk
from games.titles.grim_reaper.population import Sex
from games.titles.grim_reaper.position import State
from games.titles.grim_reaper.squares import Square, Squares


def moves(state: State) -> Iterator[Move]:
    """Yield every move: placements before walks, or else sets of births; a pass comes last."""
    if state.is_birth:
        yield from birth_sets(state)
    else:
        yield from placements(state)
        yield from walks(state)
    if can_pass(state):
        yield Pass()


def placements(state: State) -> Iterator[Placement]:
    """Yield every placement, by sex, life and square."""
    lives = range(1, state.reserve + 1)
    vacant = list(squares.each(state.population.vacant))
    return (Placement(*chosen) for chosen in product(Sex, lives, vacant))


def walks(state: State) -> Iterator[Walk]:
    """Yield every move of a piece, by its square and the one it goes to."""
    for origin in squares.each(state.population.sides[state.mover]):
        near, far = state.population.reach(origin)
        for target in squares.each(near | far):
            yield Walk(origin, target)


def birth_sets(state: State) -> Iterator[Births]:
    """Yield every set of births; there can be millions."""
    for spots in births.sets(state.nurseries):
        for sexes in product(Sex, repeat=len(spots)):
            yield Births(tuple(map(Child, spots, sexes)))


def can_place(state: State) -> bool:
    """Return whether the mover has life turns and room to place a piece."""
    return bool(state.reserve and state.population.vacant)


def can_pass(state: State) -> bool:
    """Return whether the mover may pass: always at births, else only for want of a move."""
    return state.is_birth or (not can_place(state) and next(walks(state), None) is None)


def why_not(state: State, move: Move) -> str:
    """Return why a move of the mover is forbidden; nothing when it is allowed."""
    if isinstance(move, Pass):
        return "" if can_pass(state) else "you have to place or move as long as you can."
    if isinstance(move, Births) != state.is_birth:
        return f"this step is for {'births' if state.is_birth else 'placing or moving'}."
    if isinstance(move, Births):
        return _why_no_births(state, [child.square for child in move.children])
    if isinstance(move, Placement):
        return _why_no_placement(state, move)
    return _why_no_walk(state, move)


def _why_no_placement(state: State, move: Placement) -> str:
    if reason := _why_not_onto(state, move.square):
        return reason
    if not 0 < move.life <= state.reserve:
        return f"your reserve holds {_turns(state.reserve)}."
    return ""


def _why_no_walk(state: State, move: Walk) -> str:
    if not _holds(state.population.sides[state.mover], move.origin):
        return f"no piece of yours stands on {squares.name_of(move.origin)}."
    if reason := _why_not_onto(state, move.target):
        return reason
    near, far = state.population.reach(move.origin)
    if not _holds(near | far, move.target):
        return "a piece goes one or two steps, each to a vacant square beside it."
    return ""


def _why_not_onto(state: State, spot: Square) -> str:
    name = squares.name_of(spot)
    if not _holds(squares.board(state.terms.size), spot):
        return f"{name} is not on a board of size {state.terms.size}."
    return "" if _holds(state.population.vacant, spot) else f"{name} is taken."


def _why_no_births(state: State, spots: list[Square]) -> str:
    for earlier, spot in zip([None, *spots], spots, strict=False):
        name = squares.name_of(spot)
        if earlier is not None and earlier >= spot:
            return f"one birth a square, named by column, then row: {name} is out of order."
        if reason := _why_not_onto(state, spot):
            return reason
        if _holds(state.contested, spot):
            return f"{name} is contested: both players have a couple there, so neither gives birth."
        if spot not in state.nurseries:
            return f"{name} does not lie between a male and a female of yours."
    if not spots or births.match(spots, state.nurseries) is None:
        return "each female bears one child at most: too few mothers for these births."
    return ""


def _holds(spots: Squares, spot: Square) -> bool:
    return bool(spots >> spot & 1)


def _turns(count: int) -> str:
    return f"{count} life {'turn' if count == 1 else 'turns'}"
