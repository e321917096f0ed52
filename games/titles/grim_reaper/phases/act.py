"""Steps for placing or moving a piece (``rules.md``, *Placing or moving*).

A placement can be entered with its sex first, as it is written, or with its square first, as it
is clicked. The letter f is a sex and a column: a small one is read as either, a capital one as
the sex wherever that leads to a move.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product, starmap

from games.kernel.completion import folded
from games.kernel.formatting import counted, listed
from games.kernel.options import Choice, ChoiceField, NumberField, Options, Span
from games.kernel.phase import NOTHING, Step
from games.titles.grim_reaper import squares
from games.titles.grim_reaper.events import Moved, Placed
from games.titles.grim_reaper.moves import LIFE, Pass, Placement, Walk
from games.titles.grim_reaper.phases import PassStep, StepPhase, choose, refusal_onto
from games.titles.grim_reaper.squares import PATTERN, Square
from games.titles.grim_reaper.state import Piece, Sex, State
from games.titles.grim_reaper.transition import Transition

_placement = cache(Placement)
"""Return a placement, made once: there are far more of them in a list than of all else."""

MUST_ACT = "you must place or move a piece while you can."

_SEX_FIRST = re.compile(f"([mf])(?:({LIFE})(?:[a-h][1-8]?)?)?")
_SQUARE_FIRST = re.compile(f"({PATTERN}):(?:([mf])({LIFE})?)?")
_WALK = re.compile(f"({PATTERN})-(?:[a-h][1-8]?)?")


class PlaceStep(Step[State, Transition]):
    """A piece out of the reserve on a vacant square."""

    kind = Placement

    def moves(self, state: State) -> Iterator[Placement]:
        """Return placements by sex, life and square."""
        lives = range(1, state.reserve + 1)
        vacant = list(squares.each(state.vacant))
        return starmap(_placement, product(Sex, lives, vacant))

    def refusal(self, state: State, move: Placement) -> str:
        """Return why a placement is forbidden; empty if it is legal."""
        if refusal := refusal_onto(state, move.square):
            return refusal
        if not 0 < move.life <= state.reserve:
            return f"you have only {counted(state.reserve, 'life turn')} in reserve."
        return ""

    def play(self, transition: Transition, move: Placement) -> None:
        """Place the piece."""
        mover = transition.state.mover
        reserves = list(transition.state.reserves)
        reserves[mover] -= move.life
        transition.change(reserves=tuple(reserves))
        transition.add(move.square, Piece(mover, move.sex, move.life))
        transition.emit(Placed(mover, move.square, move.sex, move.life))


class WalkStep(Step[State, Transition]):
    """A piece of the mover goes one or two steps."""

    kind = Walk

    def moves(self, state: State) -> Iterator[Walk]:
        """Yield walks by their squares."""
        for origin in squares.each(state.sides[state.mover]):
            near, far = state.reach(origin)
            for target in squares.each(near | far):
                yield Walk(origin, target)

    def refusal(self, state: State, move: Walk) -> str:
        """Return why a walk is forbidden; empty if it is legal."""
        if not state.sides[state.mover] >> move.origin & 1:
            return f"no piece of yours stands on {move.origin}."
        if refusal := refusal_onto(state, move.target):
            return refusal
        near, far = state.reach(move.origin)
        if not (near | far) >> move.target & 1:
            steps = "a piece goes one or two steps, and only over empty squares."
            return f"{move.target} is out of reach: {steps}"
        return ""

    def play(self, transition: Transition, move: Walk) -> None:
        """Move the piece."""
        piece = transition.state.piece(move.origin)
        transition.remove(squares.bit(move.origin))
        transition.add(move.target, piece)
        transition.emit(Moved(piece.seat, move.origin, move.target, str(piece)))


class ForcedPassStep(PassStep):
    """A pass, only for want of a placement and a walk."""

    def moves(self, state: State) -> Iterable[Pass]:
        """Return the pass where nothing else is possible."""
        return (Pass(),) if must_pass(state) else ()

    def refusal(self, state: State, move: Pass) -> str:
        """Return that something else is possible; empty if nothing is."""
        return "" if must_pass(state) else MUST_ACT


class ActPhase(StepPhase):
    """The mover places a piece or moves one, and passes only for want of either."""

    name = "act"
    steps = (PlaceStep(), WalkStep(), ForcedPassStep())
    asks = "this step is for placing or moving."

    def options(self, state: State, typed: str) -> Options:
        """Return how a text may go on to a placement, a move or a pass."""
        as_sex = _options_by_sex(state, typed)
        if as_sex is not NOTHING and typed.strip()[0].isupper():
            return as_sex
        as_square = _options_by_square(state, typed)
        return Options(
            complete=as_sex.complete or as_square.complete,
            next=as_sex.next + as_square.next,
            prompt=as_sex.prompt or as_square.prompt,
            forms=as_sex.forms + as_square.forms,
        )


def can_place(state: State) -> bool:
    """Return whether the mover has life turns and room to place a piece."""
    return bool(state.reserve and state.vacant)


def must_pass(state: State) -> bool:
    """Return whether the mover can neither place nor move."""
    return not can_place(state) and next(WalkStep().moves(state), None) is None


# --- What is offered for entry ----------------------------------------------------------------


def _options_by_sex(state: State, typed: str) -> Options:
    """Go on with a placement in its written order: sex, life turns, square."""
    found = _SEX_FIRST.fullmatch(folded(typed))
    if not found or not can_place(state):
        return NOTHING
    sex = Sex(found[1].upper())
    life = int(found[2] or 0)
    if not life:
        return _life_options(state)
    return choose(
        _placement_choices(state, sex, life), typed, f"Choose a square for the {sex.word}."
    )


def _options_by_square(state: State, typed: str) -> Options:
    """Go on with what begins with a square, or with nothing yet."""
    text = folded(typed)
    if found := _SQUARE_FIRST.fullmatch(text):
        return _place_on(state, Square.parse(found[1]), found[2], found[3])
    if found := _WALK.fullmatch(text):
        origin = Square.parse(found[1])
        return choose(_walk_choices(state, origin), typed, _ask_target(state, origin))
    if must_pass(state):
        return choose([Choice(str(Pass()), "Pass")], typed, "You can’t place or move a piece.")
    choices = (*_vacant_choices(state), *_origin_choices(state))
    return choose(choices, typed, _ask_first(state))


def _ask_first(state: State) -> str:
    """Return what may be done in this step."""
    can_move = next(WalkStep().moves(state), None) is not None
    if not can_place(state):
        return "Choose a piece to move."
    if not can_move:
        return "Choose a square for a new piece."
    return "Choose an empty square or a piece."


def _ask_target(state: State, origin: Square) -> str:
    """Return the question for the end of a walk; empty where no piece of the mover stands."""
    if not state.sides[state.mover] >> origin & 1:
        return ""
    return f"Choose where your {state.piece(origin).sex.word} on {origin} goes."


def _place_on(state: State, square: Square, sex: str | None, life: str | None) -> Options:
    """Go on with a placement that began with its square."""
    if not state.reserve or not state.vacant >> square & 1:
        return NOTHING
    if sex is None:
        sexes = tuple(Choice(sex.value, f"A {sex.word}") for sex in Sex)
        form = (ChoiceField(sexes), NumberField(_life_span(state)))
        prompt = f"Choose sex and life turns for {square}."
        return Options(complete=False, next=sexes, prompt=prompt, forms=(form,))
    if life is None:
        return _life_options(state)
    return Options(complete=int(life) <= state.reserve, next=())


def _life_options(state: State) -> Options:
    span = _life_span(state)
    form = (NumberField(span),)
    return Options(
        complete=False, next=(span,), prompt="Choose the number of life turns.", forms=(form,)
    )


def _life_span(state: State) -> Span:
    label = "Life turns"
    return Span(1, state.reserve, 1, "{:.0f}", label)


def _placement_choices(state: State, sex: Sex, life: int) -> Iterator[Choice]:
    if life <= state.reserve:
        for square in squares.each(state.vacant):
            yield Choice(str(Placement(sex, life, square)), str(square), (str(square),))


def _vacant_choices(state: State) -> Iterator[Choice]:
    if can_place(state):
        for name in squares.names(state.vacant):
            yield Choice(f"{name}:", f"Place on {name}", (name,))


def _origin_choices(state: State) -> Iterator[Choice]:
    for square in squares.each(state.sides[state.mover]):
        if any(state.reach(square)):
            piece = state.piece(square)
            name = str(square)
            left = counted(piece.life, "life turn")
            yield Choice(f"{name}-", f"Move the {piece.sex.word} on {name}, {left} left", (name,))


def _walk_choices(state: State, origin: Square) -> Iterator[Choice]:
    """Yield where a piece can go, a square two steps away with the squares in between."""
    if not state.sides[state.mover] >> origin & 1:
        return
    near, far = state.reach(origin)
    for target in squares.each(near | far):
        between = near & squares.around(squares.bit(target))
        way = "" if near >> target & 1 else f", via {listed(squares.names(between), 'or')}"
        yield Choice(str(Walk(origin, target)), f"{target}{way}", (str(target),))
