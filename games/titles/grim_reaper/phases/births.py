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
from games.kernel.options import Options
from games.kernel.phase import Step
from games.titles.grim_reaper import squares
from games.titles.grim_reaper.events import Born
from games.titles.grim_reaper.moves import BIRTHS, Births, Child, Pass, parse
from games.titles.grim_reaper.phases import PassStep, StepPhase, refusal_onto
from games.titles.grim_reaper.squares import Square, Squares
from games.titles.grim_reaper.state import Couples, Piece, Sex, State
from games.titles.grim_reaper.transition import Transition

WHERE = "Choose squares for births."
NO_COUPLE = "No couple of yours can have a child."
NO_BIRTHS = "No births possible. Pass"
SEX = "Male or female on {}?"
LIKELIER = (
    f"{WHERE} A click gives birth to a {{0}}, because you have fewer {{0}}s. For a {{1}}, use the"
    " buttons."
)

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
        yield Word(str(Pass()), "Skip births" if state.birth_squares else NO_BIRTHS)


class BirthPhase(StepPhase):
    """The mover gives birth between couples that aren't contested, or passes."""

    name = "births"
    steps = (BirthStep(), FreePassStep())
    asks = "this step is for births."

    def prompt(self, state: State) -> str:
        if not state.birth_squares:
            return NO_COUPLE
        likelier = _likelier(state)
        if len(likelier) == len(Sex):
            return WHERE
        others = (sex.word for sex in Sex if sex not in likelier)
        return LIKELIER.format(likelier[0].word, *others)

    def options(self, state: State, typed: str) -> Options:
        options = super().options(state, typed)
        if not options.next and BIRTHS.fullmatch(folded(typed)):
            parse(typed)  # what is named twice is no move anywhere, and this says so
        return replace(options, mark_prompt=SEX)


def refusal_on(state: State, chosen: Sequence[Square]) -> str:
    """Return why there can't be births on all of these squares. Empty if there can."""
    for earlier, square in zip([None, *chosen], chosen, strict=False):
        if earlier is not None and earlier >= square:
            return f"one birth a square, named by column, then row: {square} is out of order."
        if refusal := refusal_onto(state, square):
            return refusal
        if state.contested >> square & 1:
            return f"{square} is contested: both players have a couple there, so nobody is born."
        if square not in state.birth_squares:
            return f"{square} isn’t exactly between a male and a female of yours."
    if not chosen or match(chosen, state.birth_squares) is None:
        return "each female has one child at most: there are too few mothers for these births."
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
    for square in free(sorted(child.square for child in born), state.birth_squares):
        for sex in sorted(Sex, key=lambda sex: sex not in likelier):
            child = Child(square, sex)
            marks = (str(square),) if sex in likelier else ()
            more = partial(_children, state, (*born, child))
            text = f"{',' if born else '+'}{child}"
            label = f"A {sex.word} on {square}"
            forecast = _forecast(state)
            prompt = "Add a birth, or confirm."
            yield Word(text, label, marks, more, prompt, forecast=forecast)


def _forecast(state: State) -> str:
    """Return how many turns newborns live, since newcomers expect it to depend on the parents."""
    low = "2 to " if state.random_life else ""
    turns = f"{low}{state.male_span} turns"
    if state.male_span != state.female_span:
        turns = f"{turns} (male) or {low}{state.female_span} (female)"
    return f"Newborns start with {turns}, whatever their parents have left."
