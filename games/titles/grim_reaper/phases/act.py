"""Steps for placing or moving a piece (``rules.md``, *Placing or moving*).

A placement can be entered with its sex first, as it is written, or with its square first, as it is
clicked. The letter f is a sex and a column: lower case is read as either, upper case as the sex
wherever that leads to a move.
"""

from collections.abc import Iterable, Iterator
from functools import cache, partial
from itertools import chain, product, starmap

from games.kernel.entry import Word, Words, follow
from games.kernel.formatting import listed
from games.kernel.language import gettext, gettext_noop, ngettext
from games.kernel.options import Choice, ChoiceField, NumberField, Options, Span
from games.kernel.phase import Step
from games.titles.grim_reaper import squares
from games.titles.grim_reaper.events import Moved, Placed
from games.titles.grim_reaper.moves import Pass, Placement, Walk
from games.titles.grim_reaper.phases import PassStep, StepPhase, refusal_onto
from games.titles.grim_reaper.squares import Square
from games.titles.grim_reaper.state import Piece, Sex, State
from games.titles.grim_reaper.transition import Transition

_placement = cache(Placement)
"""Return a cached placement: lists contain far more of them than of all other moves."""

# Translators: after a colon, as in "Not pass: you must place or move a piece while you can."
MUST_ACT = gettext_noop("you must place or move a piece while you can.")
NO_MOVES = gettext_noop("No moves possible. Pass")
ASK_LIFE = gettext_noop("How many turns will it live?")


class PlaceStep(Step[State, Transition]):
    """A piece from the reserve on a vacant square."""

    kind = Placement

    def moves(self, state: State) -> Iterator[Placement]:
        """Return placements by sex, life and square."""
        lives = range(1, state.reserve + 1)
        vacant = list(squares.each(state.vacant))
        return starmap(_placement, product(Sex, lives, vacant))

    def refusal(self, state: State, move: Placement) -> str:
        if refusal := refusal_onto(state, move.square):
            return refusal
        if not 0 < move.life <= state.reserve:
            # Translators: after a colon, as in "Not M30a2: you have only 5 life turns in reserve."
            message = ngettext(
                "you have only {count} life turn in reserve.",
                "you have only {count} life turns in reserve.",
                state.reserve,
            )
            return message.format(count=state.reserve)
        return ""

    def play(self, transition: Transition, move: Placement) -> None:
        mover = transition.state.mover
        reserves = list(transition.state.reserves)
        reserves[mover] -= move.life
        transition.change(reserves=tuple(reserves))
        transition.add(move.square, Piece(mover, move.sex, move.life))
        transition.emit(Placed(mover, move.square, move.sex, move.life))

    def words(self, state: State) -> Words:
        return chain(_sexes(state), _squares(state))


class WalkStep(Step[State, Transition]):
    """A move of the mover's piece by one or two steps."""

    kind = Walk

    def moves(self, state: State) -> Iterator[Walk]:
        """Yield walks by their squares."""
        for origin in squares.each(state.sides[state.mover]):
            near, far = state.reach(origin)
            for target in squares.each(near | far):
                yield Walk(origin, target)

    def refusal(self, state: State, move: Walk) -> str:
        if not state.sides[state.mover] >> move.origin & 1:
            # Translators: after a colon, as in "Not a1-a2: no piece of yours stands on a1."
            message = gettext("no piece of yours stands on {square}.")
            return message.format(square=move.origin)
        if refusal := refusal_onto(state, move.target):
            return refusal
        near, far = state.reach(move.origin)
        if not (near | far) >> move.target & 1:
            message = gettext(
                "{square} is out of reach: a piece goes one or two steps, and only over vacant"
                " squares."
            )
            return message.format(square=move.target)
        return ""

    def play(self, transition: Transition, move: Walk) -> None:
        piece = transition.state.piece(move.origin)
        transition.remove(squares.bit(move.origin))
        transition.add(move.target, piece)
        transition.emit(Moved(piece.seat, move.origin, move.target, str(piece)))

    def words(self, state: State) -> Words:
        """Yield the pieces that can move, each followed by its targets."""
        for origin in squares.each(state.sides[state.mover]):
            if any(state.reach(origin)):
                sex = state.piece(origin).sex
                label = sex.choose(
                    gettext("Move the male on {square}"), gettext("Move the female on {square}")
                ).format(square=origin)
                prompt = sex.choose(
                    gettext("Choose where your male on {square} goes."),
                    gettext("Choose where your female on {square} goes."),
                ).format(square=origin)
                targets = partial(_targets, state, origin)
                yield Word(f"{origin}-", label, (str(origin),), targets, prompt)


class ForcedPassStep(PassStep):
    """A pass, legal only if the mover can neither place nor move."""

    def moves(self, state: State) -> Iterable[Pass]:
        return (Pass(),) if must_pass(state) else ()

    def refusal(self, state: State, move: Pass) -> str:
        return "" if must_pass(state) else gettext(MUST_ACT)

    def words(self, state: State) -> Words:
        return (Word(str(Pass()), gettext(NO_MOVES)),) if must_pass(state) else ()


class ActPhase(StepPhase):
    """The mover places or moves a piece, and passes only if neither is possible."""

    name = "act"
    steps = (PlaceStep(), WalkStep(), ForcedPassStep())
    # Translators: after a colon, as in "Not +Ma2: this step is for placing or moving."
    asks = gettext_noop("this step is for placing or moving.")

    def prompt(self, state: State) -> str:
        if must_pass(state):
            return gettext("Your reserve is empty, and no piece of yours can move.")
        if not can_place(state):
            return gettext("Your reserve is empty: choose a piece to move.")
        if next(WalkStep().moves(state), None) is None:
            return gettext("Choose a square for a new piece.")
        return gettext("Choose a square, or a piece to move.")

    def options(self, state: State, typed: str) -> Options:
        if typed.lstrip()[:1].isupper():
            sexes = follow(_sexes(state), typed, "", is_complete=False)
            if sexes.next:
                return sexes
        return super().options(state, typed)


def can_place(state: State) -> bool:
    """Whether the mover has life turns and room to place a piece."""
    return bool(state.reserve and state.vacant)


def must_pass(state: State) -> bool:
    """Whether the mover can neither place nor move."""
    return not can_place(state) and next(WalkStep().moves(state), None) is None


# --- What is offered for entry ----------------------------------------------------------------


def _sexes(state: State) -> Words:
    """Yield the beginnings of placements in their written order: sex, life turns, square."""
    for sex in Sex if can_place(state) else ():
        lives = partial(_lives_of_sex, state, sex)
        yield Word(sex, more=lives, prompt=gettext(ASK_LIFE), is_offered=False)


def _lives_of_sex(state: State, sex: Sex, _typed: str) -> Words:
    yield _life_span(state)
    prompt = sex.choose(
        gettext("Choose a square for the male."), gettext("Choose a square for the female.")
    )
    for life in range(1, state.reserve + 1):
        vacant = partial(_vacant, state)
        yield Word(str(life), more=vacant, prompt=prompt, is_offered=False)


def _vacant(state: State, _typed: str) -> Words:
    for name in squares.names(state.vacant):
        yield Word(name, name, (name,))


def _squares(state: State) -> Words:
    """Yield the beginnings of placements as they are clicked: square, sex, life turns."""
    sex_field = ChoiceField(tuple(Choice(sex, label) for sex, label in _sex_labels()))
    form = (sex_field, NumberField(_life_span(state)))
    prompt = gettext("Male or female? How many turns?")
    place = gettext("Place on {square}")
    for name in squares.names(state.vacant) if can_place(state) else ():
        sexes = partial(_sexes_of_square, state)
        label = place.format(square=name)
        yield Word(f"{name}:", label, (name,), sexes, prompt, forms=(form,))


def _sexes_of_square(state: State, _typed: str) -> Words:
    for sex, label in _sex_labels():
        yield Word(sex, label, more=partial(_lives, state), prompt=gettext(ASK_LIFE))


def _sex_labels() -> Iterator[tuple[Sex, str]]:
    return zip(Sex, (gettext("A male"), gettext("A female")), strict=True)


def _lives(state: State, _typed: str) -> Words:
    yield _life_span(state)


def _life_span(state: State) -> Span:
    return Span(1, state.reserve, 1, "{:.0f}", gettext("Turns to live"))


def _targets(state: State, origin: Square, _typed: str) -> Words:
    """Yield a piece's targets. A square two steps away comes with the squares in between."""
    near, far = state.reach(origin)
    for target in squares.each(near | far):
        between = near & squares.around(squares.bit(target))
        label = str(target)
        if not near >> target & 1:
            message = gettext("{square}, via {squares}")
            label = message.format(square=target, squares=listed(squares.names(between), "or"))
        yield Word(str(target), label, (str(target),))
