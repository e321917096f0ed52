"""Moving, the second duty of a turn: the roll, the path, and where a piece lands.

Source: the rule sheet, "Placement and Movement"; its variant 2 for dice that all pieces share.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import chain, groupby, product
from typing import TypeAlias

from games.kernel.entry import Word, Words
from games.kernel.formatting import listed
from games.kernel.language import gettext, gettext_noop
from games.kernel.odds import in_words, sums
from games.titles.simple_life_or_death.components import (
    DICE,
    OFF,
    SIZES,
    Die,
    Direction,
    Piece,
    Role,
    Size,
    Square,
    arrow_mark,
    direction_to,
    end_in_words,
)
from games.titles.simple_life_or_death.entry import (
    EntryView,
    Selection,
    arrow_distances,
    ended,
    entry_view,
    stop_on,
)
from games.titles.simple_life_or_death.events import Landed, Rolled
from games.titles.simple_life_or_death.meta import SIDES
from games.titles.simple_life_or_death.moves import Go, Land, Move
from games.titles.simple_life_or_death.phases import Duty, PieceStep, with_attacks
from games.titles.simple_life_or_death.state import FREE, LAND, PendingLanding, State
from games.titles.simple_life_or_death.transition import Transition

Ends: TypeAlias = tuple[Square, ...]
"""A piece's possible ends, in the order of its path. The last may be ``OFF``."""

Prospects: TypeAlias = Mapping[int, Ends]
"""For every result of the dice, the lowest first, a piece's possible ends."""


class Moving(Duty, PieceStep):
    """A piece with all pieces on it, in a direction, as far as the dice say."""

    kind = Go
    asks = gettext_noop("move a piece first, or place one more from your stock.")

    def moves(self, state: State) -> Iterator[Move]:
        """Return every direction for every piece on the board, with each of its dice."""
        own = state.pieces_of(state.turn)
        return chain(*(_departures(piece, state.dice_of(piece)) for piece in own))

    def refusal(self, state: State, move: Go) -> str:
        piece = move.piece
        dice = state.dice_of(move.piece)
        if piece.seat != state.turn:
            return gettext("{piece} is not yours.").format(piece=piece)
        if piece not in state.squares:
            return gettext("{piece} is not on the board.").format(piece=piece)
        if move.die in dice:
            return ""
        if None in dice:
            return gettext("you can’t choose dice in this match: leave the die out.")
        message = {
            # Translators: {dice} as in "d4 or d6".
            Size.SMALL: gettext("a small piece rolls a {dice}: say which."),
            Size.MEDIUM: gettext("a medium piece rolls a {dice}: say which."),
            Size.LARGE: gettext("a large piece rolls a {dice}: say which."),
        }[piece.size]
        return message.format(dice=listed(list(map(str, dice)), "or"))

    def play(self, transition: Transition, move: Go) -> None:
        """Roll for a piece and move it. With several possible ends, its owner chooses."""
        state = transition.state
        piece = move.piece
        dice = sides(state, move)
        rolls = transition.roll(dice)
        stops = ends(state, move, sum(rolls))
        path = (piece, state.squares[piece], str(move.direction))
        transition.emit(Rolled(state.turn, *path, dice, tuple(rolls), stops))
        if len(stops) > 1:
            transition.change(phase=LAND, pending=PendingLanding(piece, stops))
        else:
            _land(transition, piece, stops[0], move.direction)

    def prompt(self, state: State) -> str:
        question = gettext("Choose a piece to move.")
        if any(state.stock[state.turn]):
            question = gettext("Choose a piece to move, or one to place.")
        return with_attacks(state, question)

    def is_able(self, state: State, piece: Piece) -> bool:
        return True

    def prompt_for(self, state: State, piece: Piece) -> str:
        """Return how to choose among the circles around a piece."""
        if None in state.dice_of(piece):
            return gettext("Choose an arrow: your piece goes where it points.")
        first, second = (die for die in state.dice_of(piece) if die)
        message = gettext(
            "Choose a direction and a die: the {die} moves 1–{sides} squares, the {other} 1–{more}."
        )
        return message.format(die=first, sides=int(first), other=second, more=int(second))

    def next_words(self, state: State, piece: Piece) -> Words:
        """Yield every direction with every die. A direction may also be typed alone."""
        moves = _departures(piece, state.dice_of(piece))
        texts = ended([str(move).removeprefix(f"move {piece} ") for move in moves])
        for move, text in zip(moves, texts, strict=True):
            yield _departure(state, move, text, _name(move))
        for direction in Direction if moves[0].die else ():
            more = partial(_dice, state, piece, direction)
            yield Word(
                f"{direction} ", more=more, prompt=gettext("Choose the die."), is_offered=False
            )


class Landing(Duty):
    """The choice of an end after the roll."""

    kind = Land
    asks = gettext_noop("first choose where the moving piece lands.")

    def moves(self, state: State) -> Iterator[Move]:
        return map(Land, state.landing.ends if state.landing else ())

    def refusal(self, state: State, move: Land) -> str:
        landing = state.landing
        if landing is None or move.end in landing.ends:
            return ""
        names = list(map(end_in_words, landing.ends))
        message = gettext("after this roll your piece can only stop on {squares}.")
        return message.format(squares=listed(names, "or"))

    def play(self, transition: Transition, move: Land) -> None:
        """Let a piece stop at its owner's choice. The first choice is always on the board."""
        state = transition.state
        if landing := state.landing:
            direction = direction_to(state.squares[landing.piece], landing.ends[0])
            _land(transition, landing.piece, move.end, direction)

    def prompt(self, state: State) -> str:
        if not state.landing:
            return ""
        piece = state.landing.piece.owned(state.mover, Role.SUBJECT)
        return gettext("Choose where {piece} stops.").format(piece=piece)

    def words(self, state: State) -> Words:
        moves = list(map(str, self.moves(state)))
        for text, move in zip(ended(moves), moves, strict=True):
            end = Square(move.removeprefix("land "))
            yield Word(text, stop_on(state, end, state.mover), (end,))


# --- The path ---------------------------------------------------------------------------------


def sides(state: State, move: Go) -> tuple[int, ...]:
    """Return the sides of each die that is rolled for a move."""
    if move.die is not None:
        return (int(move.die),)
    return (SIDES[state.movement],) * (SIZES.index(move.piece.size) + 1)


def ends(state: State, move: Go, steps: int) -> Ends:
    """Return the possible ends of a piece after a number of steps.

    A piece that goes off the board is lost. It must stop on the first piece of another colour, may
    stop on every piece of its own, and stops when its steps are used up.
    """
    line = state.board.line(state.squares[move.piece], move.direction)
    stops: list[Square] = []
    for square in line[:steps]:
        if stack := state.stacks.get(square):
            if any(other.seat != move.piece.seat for other in stack):
                return (*stops, square)
            stops.append(square)
    last = OFF if steps > len(line) else line[steps - 1]
    return tuple(stops) if last in stops else (*stops, last)


@cache
def _departures(piece: Piece, dice: tuple[Die | None, ...]) -> tuple[Go, ...]:
    """Return the moves of a piece, which don't depend on its square."""
    return tuple(Go(piece, direction, die) for direction, die in product(Direction, dice))


def _land(transition: Transition, piece: Piece, end: Square, direction: Direction) -> None:
    """Let a moving piece stop, with all that it carries. Off the board they are lost."""
    state = transition.state
    start = state.squares[piece]
    carried = state.carried(piece)
    below = state.stacks.get(end, ())
    transition.change(phase=FREE, pending=None)
    if end == OFF:
        transition.remove((piece, *carried))
    else:
        transition.move(piece, end)
    transition.emit(Landed(state.turn, piece, str(direction), start, end, carried, below))


# --- Entry ------------------------------------------------------------------------------------


def _name(move: Go) -> str:
    if move.die is None:
        return move.direction.headed
    # Translators: as in "South-east, d10".
    return gettext("{direction}, {die}").format(direction=move.direction.headed, die=move.die)


def _departure(state: State, move: Go, text: str, name: str) -> Word:
    """Return the word that completes a move, with its possible results."""
    known = _forecast(state, move)
    show = partial(_show, state, move)
    # Translators: as in "Roll 1–4: d7–g7 (2 in 5)."
    roll = gettext("Roll {outcome}.")
    forecast = "\n".join(roll.format(outcome=line) for line in known)
    marks = tuple(_departure_marks(state, move))
    return Word(text, f"{name} – {'; '.join(known)}", marks, show=show, forecast=forecast)


def _dice(state: State, piece: Piece, direction: Direction, _typed: str) -> Words:
    for die in DICE[piece.size]:
        yield _departure(state, Go(piece, direction, die), str(die), str(die))


def _departure_marks(state: State, move: Go) -> Iterator[str]:
    """Yield an arrow, and the squares that are best reached with its die.

    Arrows are on the nearest free squares, those of larger dice behind those of smaller ones. No
    such square stands for another move. Beyond the frame there is no room for arrows, and the frame
    itself stands for their moves.
    """
    dice = state.dice_of(move.piece)
    line = state.board.line(state.squares[move.piece], move.direction)
    *_, end = ends(state, move, max(sums(sides(state, move))))
    arrows = arrow_distances(line, state.stacks, min(len(dice), len(line) + 1))
    yield arrow_mark(move.direction, move.die) if dice.index(move.die) <= len(line) else OFF
    nearest = len(dice) if move.die == dice[0] else int(dice[0] or 0)
    way = line if end == OFF else line[: line.index(end) + 1]
    for at, square in enumerate(way[nearest:], nearest + 1):
        if at not in arrows or square in state.stacks:
            yield square


def _prospects(state: State, move: Go) -> Prospects:
    return {total: ends(state, move, total) for total in sums(sides(state, move))}


def _show(state: State, move: Go) -> EntryView:
    """Return a view with the results that bring a piece to each of its ends."""
    totals: dict[Square, list[int]] = {}
    for total, stops in _prospects(state, move).items():
        for end in stops:
            totals.setdefault(end, []).append(total)
    spans = tuple((end, _span(stops)) for end, stops in totals.items())
    at = state.squares[move.piece]
    direction = str(move.direction)
    return entry_view(state, Selection(move.piece, at, direction=direction, ends=spans))


def _span(numbers: Sequence[int]) -> str:
    """Return consecutive numbers as in ``3–5``."""
    return f"{numbers[0]}–{numbers[-1]}" if len(numbers) > 1 else str(numbers[0])


def _forecast(state: State, move: Go) -> list[str]:
    """Return where each roll ends: ``1–4: d7–g7 (2 in 5)``, ``5–10: off the board (3 in 5)``.

    The rolls that go off the board are the highest, so the safest come first.
    """
    runs = groupby(_prospects(state, move).items(), key=lambda item: _group(state, item[1]))
    return [_describe_run(state, move, dict(run)) for _, run in runs]


def _group(state: State, stops: Ends) -> Ends:
    """Return the key by which results are grouped: their ends before an empty square."""
    is_free = stops[-1] != OFF and stops[-1] not in state.stacks
    return (*stops[:-1], Square("")) if is_free else stops


def _describe_run(state: State, move: Go, run: Prospects) -> str:
    steps = list(run.values())
    stops, farthest = steps[0], steps[-1]
    *earlier, last = (_describe_end(state, end) for end in stops)
    if stops != farthest:
        last = f"{last}–{farthest[-1]}"
    # Translators: what a roll leads to, as in "1–4: d7–g7 (2 in 5)".
    message = gettext("{rolls}: {ends} ({chance})")
    ways = sums(sides(state, move))
    chance = Fraction(sum(map(ways.__getitem__, run)), sum(ways.values()))
    return message.format(
        rolls=_span(list(run)), ends=listed([*earlier, last], "or"), chance=in_words(chance)
    )


def _describe_end(state: State, end: Square) -> str:
    if not (stack := state.stacks.get(end)):
        return end_in_words(end)
    message = gettext("{square} on top of {piece}")
    return message.format(square=end, piece=stack[-1].owned(state.mover, Role.AFTER))
