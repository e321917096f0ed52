"""Moving, the second duty of a turn: the roll, the path, and where a piece lands.

Source: the rule sheet, "Placement and Movement"; its variant 2 for dice that all pieces share.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import chain, groupby, product
from typing import TypeAlias

from games.kernel.formatting import counted, listed, sentence
from games.titles.simple_life_or_death.components import (
    OFF,
    OFF_BOARD,
    SIZES,
    Direction,
    Piece,
    Size,
    Square,
    die_mark,
    direction_to,
)
from games.titles.simple_life_or_death.entry import (
    EntryView,
    Selection,
    Word,
    Words,
    ended,
    entry_view,
    piece_marks,
)
from games.titles.simple_life_or_death.meta import POLYHEDRAL, SIDES
from games.titles.simple_life_or_death.moves import Go, Land, Move
from games.titles.simple_life_or_death.position import FREE, LAND, PendingLanding, Position
from games.titles.simple_life_or_death.transition import LANDED, ROLLED, Transition

DICE: Mapping[Size, tuple[int, ...]] = dict(zip(SIZES, ((4, 6), (8, 10), (12, 20)), strict=True))
"""The polyhedral dice between which a piece chooses, by its size."""

ALMOST_NONE = 0.01

Ends: TypeAlias = tuple[Square, ...]
"""Where a piece may stop, in the order of its path; the last may be ``OFF``."""

Prospects: TypeAlias = Mapping[int, tuple[Ends, float]]
"""For every result of the dice where a piece may stop, and how likely the result is, 0 to 1."""


class Moving:
    """A piece with all that stands on it, in a direction, as far as the dice say."""

    kind = Go
    asks = "first move a piece, or place one more from your stock."

    def moves(self, state: Position) -> Iterator[Move]:
        """Return every direction for every piece on the board, with each of its dice."""
        own = state.pieces_of(state.turn)
        return chain(*(_departures(piece, dice_for(state, piece)) for piece in own))

    def why_not(self, state: Position, move: Go) -> str:
        """Return why a piece cannot move so."""
        piece, dice = move.piece, dice_for(state, move.piece)
        if piece.seat != state.turn:
            return f"{piece} is not yours."
        if piece not in state.squares:
            return f"{piece} is not on the board."
        if move.die in dice:
            return ""
        if None in dice:
            return "the dice are fixed in this match: name none."
        names = " or ".join(f"d{die}" for die in dice)
        return f"a {piece.size.described} piece moves by {names}: name the one."

    def play(self, transition: Transition, move: Go) -> None:
        """Roll for a piece and move it; where it may stop at several ends, its owner chooses."""
        state, piece = transition.state, move.piece
        dice = sides(state, move)
        rolls = transition.roll(dice)
        found = ends(state, move, sum(rolls))
        path = {"piece": str(piece), "at": state.squares[piece], "direction": str(move.direction)}
        transition.emit(ROLLED, state.turn, **path, dice=list(dice), rolls=rolls, ends=list(found))
        if len(found) > 1:
            transition.change(phase=LAND, pending=PendingLanding(piece, found))
        else:
            _land(transition, piece, found[0], move.direction)

    def prompt(self, state: Position) -> str:
        """Return what the second duty asks."""
        more = ", or place one more" if any(state.stock[state.turn]) else ""
        return f"Move a piece{more}. Attacks may come first."

    def words(self, state: Position) -> Words:
        """Yield every piece on the board, and after it directions and dice."""
        for piece in state.pieces_of(state.turn):
            carried = state.carried(piece)
            load = f", carrying {listed(carried)}" if carried else ""
            yield Word(
                f"move {piece} ",
                f"Move {piece} from {state.squares[piece]}{load}",
                piece_marks(state, piece),
                partial(_directions, state, piece),
                "In which direction?",
                partial(entry_view, state, Selection(piece, state.squares[piece])),
            )


class Landing:
    """The choice of an end after the roll."""

    kind = Land
    asks = "first choose where the moving piece lands."

    def moves(self, state: Position) -> Iterator[Move]:
        """Return the ends in the order of the path."""
        return map(Land, state.landing.ends if state.landing else ())

    def why_not(self, state: Position, move: Land) -> str:
        """Return why a piece cannot land there."""
        landing = state.landing
        if landing is None or move.end in landing.ends:
            return ""
        texts = " or ".join(map(str, self.moves(state)))
        return f"{landing.piece} has come too far or not far enough: {texts}."

    def play(self, transition: Transition, move: Land) -> None:
        """Let a piece stop where its owner chooses; the first choice is always on the board."""
        state = transition.state
        if landing := state.landing:
            direction = direction_to(state.squares[landing.piece], landing.ends[0])
            _land(transition, landing.piece, move.end, direction)

    def prompt(self, state: Position) -> str:
        """Return the question for the end."""
        return f"Where does {state.landing.piece} stop?" if state.landing else ""

    def words(self, state: Position) -> Words:
        """Yield the ends."""
        moves = list(map(str, self.moves(state)))
        for text, move in zip(ended(moves), moves, strict=True):
            end = Square(move.removeprefix("land "))
            stack = state.stacks.get(end)
            on = f", on top of {stack[-1]}" if stack else ""
            label = f"Go on, {OFF_BOARD}" if end == OFF else f"Stop on {end}{on}"
            yield Word(text, label, (end,))


# --- The path ---------------------------------------------------------------------------------


def dice_for(state: Position, piece: Piece) -> tuple[int | None, ...]:
    """Return the dice between which a piece chooses; ``None`` alone where it has no choice."""
    return DICE[piece.size] if state.movement == POLYHEDRAL else (None,)


def sides(state: Position, move: Go) -> tuple[int, ...]:
    """Return the sides of each die that is rolled for a move."""
    if move.die is not None:
        return (move.die,)
    return (SIDES[state.movement],) * (SIZES.index(move.piece.size) + 1)


def ends(state: Position, move: Go, steps: int) -> Ends:
    """Return where a piece may stop that goes so many steps.

    Off the board it is gone. It stops on the first piece of another colour, may stop on every
    piece of its own, and stops at the latest when its steps are used up.
    """
    line = state.board.line(state.squares[move.piece], move.direction)
    found: list[Square] = []
    for square in line[:steps]:
        stack = state.stacks.get(square, ())
        if any(other.seat != move.piece.seat for other in stack):
            return (*found, square)
        if stack:
            found.append(square)
    last = OFF if steps > len(line) else line[steps - 1]
    return tuple(found) if last in found else (*found, last)


@cache
def chances(dice: Sequence[int]) -> dict[int, float]:
    """Return how likely each sum of some dice is, 0 to 1."""
    likely = {0: 1.0}
    for count in dice:
        longer: dict[int, float] = {}
        for total, share in likely.items():
            for face in range(1, count + 1):
                longer[total + face] = longer.get(total + face, 0.0) + share / count
        likely = longer
    return likely


@cache
def _departures(piece: Piece, dice: tuple[int | None, ...]) -> tuple[Go, ...]:
    """Return the moves of a piece: they are the same wherever it stands."""
    return tuple(Go(piece, direction, die) for direction, die in product(Direction, dice))


def _land(transition: Transition, piece: Piece, end: Square, direction: Direction) -> None:
    """Let a moving piece stop, with all that it carries; off the board they are gone."""
    state = transition.state
    start, carried, below = state.squares[piece], state.carried(piece), state.stacks.get(end, ())
    transition.change(phase=FREE, pending=None)
    if end == OFF:
        transition.remove((piece, *carried))
    else:
        transition.move(piece, end)
    path = {"piece": str(piece), "direction": str(direction), "from": start, "to": end}
    stacks = {"carried": list(map(str, carried)), "on": list(map(str, below))}
    transition.emit(LANDED, state.turn, **path, **stacks)


# --- Entry ------------------------------------------------------------------------------------


def _directions(state: Position, piece: Piece, _typed: str) -> Words:
    dice = [die for die in dice_for(state, piece) if die is not None]
    texts = [f"{direction} " if dice else str(direction) for direction in Direction]
    for direction, text in zip(Direction, ended(texts), strict=True):
        yield _direction(state, Go(piece, direction), text, dice)


def _direction(state: Position, move: Go, text: str, dice: Sequence[int]) -> Word:
    """Return the word for a direction; as long as no die is named, the board shows the larger."""
    name = sentence(move.direction.described)
    farthest = replace(move, die=dice_for(state, move.piece)[-1])
    prospects = _prospects(state, farthest)
    line = state.board.line(state.squares[move.piece], move.direction)
    end = prospects[max(prospects)][0][-1]
    squares = line if end == OFF else line[: line.index(end) + 1]
    marks = (move.direction.mark, *(squares[1:] if squares else (OFF,)))
    show = partial(_show, state, move, prospects)
    if not dice:
        return _last_word(state, text, f"{name}: ", marks, farthest)
    more = partial(_dice, state, move, dice)
    return Word(text, f"{name}: {_ahead(state, line)}", marks, more, "With which die?", show)


def _dice(state: Position, move: Go, dice: Sequence[int], _typed: str) -> Words:
    for die in dice:
        yield _last_word(state, f"d{die}", f"d{die} – ", (die_mark(die),), replace(move, die=die))


def _last_word(state: Position, text: str, label: str, marks: tuple[str, ...], move: Go) -> Word:
    """Return the word that completes a move, with what may come of it."""
    prospects = _prospects(state, move)
    known = _forecast(state, prospects)
    show = partial(_show, state, move, prospects)
    prompt = f"The roll decides – {known}."
    return Word(text, f"{label}{known}", marks, prompt=prompt, show=show)


def _prospects(state: Position, move: Go) -> Prospects:
    likely = chances(sides(state, move))
    return {total: (ends(state, move, total), share) for total, share in likely.items()}


def _show(state: Position, move: Go, prospects: Prospects) -> EntryView:
    """Return a view with the results that bring a piece to each of its ends."""
    totals: dict[Square, list[int]] = {}
    for total, (found, _) in prospects.items():
        for end in found:
            totals.setdefault(end, []).append(total)
    shown = tuple((end, _runs(sorted(found))) for end, found in totals.items())
    at, direction = state.squares[move.piece], str(move.direction)
    return entry_view(state, Selection(move.piece, at, direction, shown))


def _runs(numbers: Sequence[int]) -> str:
    """Return numbers as in ``3–5, 8``."""
    runs = groupby(enumerate(numbers), lambda pair: pair[1] - pair[0])
    return ", ".join(_span([number for _, number in run]) for _, run in runs)


def _span(numbers: Sequence[int]) -> str:
    return f"{numbers[0]}–{numbers[-1]}" if len(numbers) > 1 else str(numbers[0])


def _ahead(state: Position, line: Sequence[Square]) -> str:
    """Return what a piece meets first on a line."""
    for distance, square in enumerate(line, 1):
        if stack := state.stacks.get(square):
            return f"{stack[-1]} on {square} after {counted(distance, 'square')}"
    return f"{counted(len(line), 'square')} to the edge" if line else f"{OFF_BOARD} at once"


def _forecast(state: Position, prospects: Prospects) -> str:
    """Return where each result ends, as in ``1–4: d7 to g7; 5–10: off the board (60 %)``."""
    runs = groupby(sorted(prospects), key=lambda total: _group(state, prospects[total][0]))
    return "; ".join(_describe_run(state, prospects, list(totals)) for _, totals in runs)


def _group(state: Position, found: Ends) -> Ends:
    """Return the key by which results are grouped: one for all that end on empty squares."""
    is_free = len(found) == 1 and found[0] != OFF and found[0] not in state.stacks
    return () if is_free else found


def _describe_run(state: Position, prospects: Prospects, totals: Sequence[int]) -> str:
    results = _span(totals)
    found, farthest = prospects[totals[0]][0], prospects[totals[-1]][0]
    if found == (OFF,):
        share = sum(prospects[total][1] for total in totals)
        likely = "under 1 %" if share < ALMOST_NONE else f"{share:.0%}".replace("%", " %")
        return f"{results}: {OFF_BOARD} ({likely})"
    if found != farthest:
        return f"{results}: {found[0]} to {farthest[0]}"
    return f"{results}: {listed([_describe_end(state, end) for end in found], 'or')}"


def _describe_end(state: Position, end: Square) -> str:
    stack = state.stacks.get(end)
    return OFF_BOARD if end == OFF else f"{end} on {stack[-1]}" if stack else end
