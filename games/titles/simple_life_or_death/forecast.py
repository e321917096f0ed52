"""What a way holds in store, in words: for a direction, and for every roll of its dice."""

from collections.abc import Iterator
from itertools import groupby

from games.titles.simple_life_or_death import movement, words
from games.titles.simple_life_or_death.moves import Go
from games.titles.simple_life_or_death.pieces import Piece
from games.titles.simple_life_or_death.position import State
from games.titles.simple_life_or_death.squares import Direction, Square

OFF_BOARD = "off the board"


def ahead(state: State, piece: Piece, direction: Direction) -> str:
    """Return what a piece meets first in a direction."""
    way = list(state.terms.board.line(state.squares[piece], direction))
    if not way:
        return "off the board at once"
    for distance, square in enumerate(way, 1):
        if stack := state.stacks.get(square):
            return f"{stack[-1]} on {square} after {words.counted(distance, 'square')}"
    return f"{words.counted(len(way), 'square')} to the edge"


def within_reach(state: State, piece: Piece, direction: Direction) -> tuple[Square, ...]:
    """Return the squares on which a piece can stop or that it can pass in a direction."""
    size = piece.size
    farthest = max(sum(state.terms.rolls(size, die)) for die in state.terms.dice(size))
    end = movement.ends(state, piece, direction, farthest)[-1]
    way = list(state.terms.board.line(state.squares[piece], direction))
    return tuple(way if end is None else way[: way.index(end) + 1])


def forecast(state: State, go: Go) -> str:
    """Return where each result ends, as in ``1–4: d7 to g7; 5–10: off the board (60 %)``."""
    prospects = movement.prospects(state, go)
    runs = groupby(sorted(prospects), key=lambda total: _kind(state, prospects[total][0]))
    return "; ".join(_tell(state, prospects, list(totals)) for _, totals in runs)


def _kind(state: State, ends: movement.Ends) -> movement.Ends:
    """Return what results are told together by: those that end on empty squares are."""
    is_free = len(ends) == 1 and ends[0] is not None and ends[0] not in state.stacks
    return () if is_free else ends


def _tell(
    state: State, prospects: dict[int, tuple[movement.Ends, float]], totals: list[int]
) -> str:
    first, last = totals[0], totals[-1]
    rolls = str(first) if first == last else f"{first}–{last}"
    ends, farthest = prospects[first][0], prospects[last][0]
    if ends == (None,):
        chance = sum(prospects[total][1] for total in totals)
        return f"{rolls}: {OFF_BOARD} ({words.share(chance)})"
    if ends != farthest:
        return f"{rolls}: {ends[0]} to {farthest[0]}"
    return f"{rolls}: {words.listed(list(_names(state, ends)), 'or')}"


def _names(state: State, ends: movement.Ends) -> Iterator[str]:
    for end in ends:
        if end is None:
            yield OFF_BOARD
        else:
            stack = state.stacks.get(end)
            yield f"{end} on {stack[-1]}" if stack else str(end)
