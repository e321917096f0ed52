"""Steps for births: every child needs a mother of its own (``rules.md``, *Births*).

A set of birth squares is possible if distinct mothers can be found for all of them, that is, if the
bipartite graph of squares and mothers has a matching that covers the squares. The matching grows by
augmenting paths, one square at a time.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from typing import TypeAlias

from games.kernel.completion import folded
from games.kernel.entry import Word, Words
from games.kernel.language import gettext, gettext_noop
from games.kernel.options import Options
from games.kernel.phase import Step
from games.titles.grim_reaper import squares
from games.titles.grim_reaper.events import Born
from games.titles.grim_reaper.moves import BIRTHS, Births, Child, Pass, parse
from games.titles.grim_reaper.phases import PassStep, StepPhase, refusal_onto
from games.titles.grim_reaper.squares import Square, Squares
from games.titles.grim_reaper.state import Couples, Piece, Sex, State
from games.titles.grim_reaper.transition import Transition

NO_BIRTHS = gettext_noop("No births possible. Pass")

Matching: TypeAlias = dict[Square, Square]
"""The birth square of each mother, by her square."""


class BirthStep(Step[State, Transition]):
    """Births between couples that aren't contested."""

    kind = Births

    def moves(self, state: State) -> Iterator[Births]:
        """Yield every set of births, of which there can be millions."""
        for chosen in sets(state.birth_squares):
            for sexes in product(Sex, repeat=len(chosen)):
                yield Births(tuple(map(Child, chosen, sexes)))

    def refusal(self, state: State, move: Births) -> str:
        return refusal_on(state, [child.square for child in move.children])

    def play(self, transition: Transition, move: Births) -> None:
        before = transition.state
        for child in move.children:
            span = before.span(child.sex)
            life = 1 + transition.dice.roll(span - 1) if before.random_life else span
            transition.add(child.square, Piece(before.mover, child.sex, life))
            couples = tuple(parents(before.birth_squares, child.square))
            transition.emit(Born(before.mover, child.square, child.sex, life, couples))
        transition.change(born=squares.set_of(child.square for child in move.children))

    def words(self, state: State) -> Words:
        """Yield births, each of which may be followed by more."""
        return _children(state)


class FreePassStep(PassStep):
    """A pass, which is always legal."""

    def moves(self, state: State) -> Iterable[Pass]:
        return (Pass(),)

    def words(self, state: State) -> Words:
        # Translators: a button. It, "A male on c3" and "A female on c3" fit in a row on a phone.
        label = gettext("Skip births") if state.birth_squares else gettext(NO_BIRTHS)
        yield Word(str(Pass()), label)


class BirthPhase(StepPhase):
    """The mover gives birth between couples that aren't contested, or passes."""

    name = "births"
    steps = (BirthStep(), FreePassStep())
    # Translators: after a colon, as in "Not a1-a2: this step is for births."
    asks = gettext_noop("this step is for births.")

    def prompt(self, state: State) -> str:
        if not state.birth_squares:
            return gettext("No couple of yours can have a child.")
        likelier = _likelier(state)
        if len(likelier) == len(Sex):
            return gettext("Choose squares for births.")
        return likelier[0].choose(
            # Translators: short, so that it and the buttons leave the board in sight on a phone.
            gettext("Click a square for a male, because you have fewer males. Or use a button."),
            # Translators: short, so that it and the buttons leave the board in sight on a phone.
            gettext(
                "Click a square for a female, because you have fewer females. Or use a button."
            ),
        )

    def options(self, state: State, typed: str) -> Options:
        options = super().options(state, typed)
        if not options.next and BIRTHS.fullmatch(folded(typed)):
            parse(typed)  # what is named twice is no move anywhere, and this says so
        # Translators: {} is a square.
        return replace(options, mark_prompt=gettext("Male or female on {}?"))


def refusal_on(state: State, chosen: Sequence[Square]) -> str:
    """Return why there can't be births on all of these squares. Empty if there can."""
    for earlier, square in zip([None, *chosen], chosen, strict=False):
        if earlier is not None and earlier >= square:
            # Translators: after a colon, as in "Not +Ma2,Ma1: one birth a square, …"
            message = gettext(
                "one birth a square, named by column, then row: {square} is out of order."
            )
            return message.format(square=square)
        if refusal := refusal_onto(state, square):
            return refusal
        if state.contested >> square & 1:
            message = gettext(
                "{square} is contested: both players have a couple there, so nobody is born."
            )
            return message.format(square=square)
        if square not in state.birth_squares:
            message = gettext("{square} isn’t exactly between a male and a female of yours.")
            return message.format(square=square)
    if not chosen or match(chosen, state.birth_squares) is None:
        # Translators: after a colon, as in "Not +Ma2,Fa4: each female has one child at most: …"
        return gettext(
            "each female has one child at most: there are too few mothers for these births."
        )
    return ""


# --- Matching births with mothers -------------------------------------------------------------


def extend(matching: Matching, square: Square, couples: Couples) -> Matching | None:
    """Extend a matching by one square. ``None`` if that is impossible."""
    longer = dict(matching)
    return longer if _augment(longer, square, couples, set()) else None


def match(chosen: Iterable[Square], couples: Couples) -> Matching | None:
    """Return a matching that covers these squares. ``None`` without one."""
    matching: Matching = {}
    for square in chosen:
        if not _augment(matching, square, couples, set()):
            return None
    return matching


def free(chosen: Iterable[Square], couples: Couples) -> dict[Square, Squares]:
    """Return the squares for one more birth besides those chosen, each with its possible mothers.

    A possible mother is one without whom all other births still find theirs.
    """
    taken = set(chosen)
    able = {square: _able(square, taken, couples) for square in couples if square not in taken}
    return {square: mothers for square, mothers in able.items() if mothers}


def sets(couples: Couples) -> Iterator[tuple[Square, ...]]:
    """Yield every non-empty set of squares where births can happen together."""
    order = sorted(couples)
    stack: list[tuple[tuple[Square, ...], Matching, int]] = [((), {}, 0)]
    while stack:
        chosen, matching, start = stack.pop()
        if chosen:
            yield chosen
        stack.extend(
            ((*chosen, order[index]), longer, index + 1)
            for index in reversed(range(start, len(order)))
            if (longer := extend(matching, order[index], couples)) is not None
        )


def _able(square: Square, taken: set[Square], couples: Couples) -> Squares:
    return squares.set_of(
        mother
        for mother in squares.each(couples[square])
        if match(taken, {at: couples[at] & ~squares.bit(mother) for at in taken}) is not None
    )


def _augment(matching: Matching, square: Square, couples: Couples, asked: set[Square]) -> bool:
    """Find a mother for ``square``, moving other births to other mothers if that helps."""
    for mother in squares.each(couples[square]):
        if mother in asked:
            continue
        asked.add(mother)
        if mother not in matching or _augment(matching, matching[mother], couples, asked):
            matching[mother] = square
            return True
    return False


def parents(couples: Couples, square: Square) -> list[tuple[Square, Square]]:
    """Return the squares of mother and father of each couple around a square."""
    return [(mother, mother.opposite(square)) for mother in squares.each(couples[square])]


# --- What is offered for entry ----------------------------------------------------------------


def _likelier(state: State, born: Sequence[Child] = ()) -> tuple[Sex, ...]:
    """Return the sex of which the mover has fewer pieces, including ``born``. Both if equal."""
    own = state.sides[state.mover]
    sexes = [child.sex for child in born]
    women = (own & state.females).bit_count() + sexes.count(Sex.FEMALE)
    men = (own & ~state.females).bit_count() + sexes.count(Sex.MALE)
    if women == men:
        return tuple(Sex)
    return (Sex.FEMALE,) if women < men else (Sex.MALE,)


def _children(state: State, born: Sequence[Child] = (), _typed: str = "") -> Words:
    """Yield a birth of either sex on every square where one is possible besides those ``born``.

    On the board a square stands for the likelier sexes, which also come first.
    """
    likelier = _likelier(state, born)
    forecast = _forecast(state)
    prompt = gettext("Add a birth, or confirm.")
    for square in free(sorted(child.square for child in born), state.birth_squares):
        for sex in sorted(Sex, key=lambda sex: sex not in likelier):
            child = Child(square, sex)
            marks = (str(square),) if sex in likelier else ()
            more = partial(_children, state, (*born, child))
            text = f"{',' if born else '+'}{child}"
            label = sex.choose(gettext("A male on {square}"), gettext("A female on {square}"))
            label = label.format(square=square)
            yield Word(text, label, marks, more, prompt, forecast=forecast)


def _forecast(state: State) -> str:
    """Return how many turns newborns live, since newcomers expect it to depend on the parents."""
    if state.male_span == state.female_span:
        fixed = gettext("Newborns start with {male} turns, whatever their parents have left.")
        drawn = gettext("Newborns start with 2 to {male} turns, whatever their parents have left.")
    else:
        fixed = gettext(
            "Newborns start with {male} turns (male) or {female} (female), whatever their parents"
            " have left."
        )
        drawn = gettext(
            "Newborns start with 2 to {male} turns (male) or 2 to {female} (female), whatever"
            " their parents have left."
        )
    message = drawn if state.random_life else fixed
    return message.format(male=state.male_span, female=state.female_span)
