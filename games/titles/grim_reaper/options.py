"""Move entry: how what is typed may go on to a move.

A placement can begin with its sex, as it is written, or with its square, as it is clicked. The
letter f is a sex and a column: a small one is read as either, a capital one as the sex wherever
that leads to a move.
"""

import re
from collections.abc import Iterable, Iterator

from games.kernel import completion
from games.kernel.completion import folded
from games.kernel.contract import Seat
from games.kernel.errors import MalformedMove
from games.kernel.options import Choice, ChoiceField, NumberField, Options, Span
from games.titles.grim_reaper import births, legality, squares, words
from games.titles.grim_reaper.births import Mothers
from games.titles.grim_reaper.moves import Births, Child, Pass, Placement, Walk
from games.titles.grim_reaper.notation import LIFE, read_child
from games.titles.grim_reaper.population import Sex
from games.titles.grim_reaper.position import State
from games.titles.grim_reaper.squares import PATTERN, Square, square

_SEX_FIRST = re.compile(f"([mf])(?:({LIFE})(?:[a-h][1-8]?)?)?")
_SQUARE_FIRST = re.compile(f"({PATTERN}):(?:([mf])({LIFE})?)?")
_WALK = re.compile(f"({PATTERN})-(?:[a-h][1-8]?)?")
_CHILD = re.compile(f"[mf]{PATTERN}")

NOTHING = Options(complete=False, next=())

ACT = "Place a piece or move one."
STUCK = "You can neither place nor move: pass."
WHICH_SEX = "A male or a female, and with how many life turns?"
HOW_LONG = "How many life turns?"
ON_WHICH = "On which square?"
WHERE_TO = "To which square?"
BEAR = "Where do you give birth, and to whom?"
BEAR_MORE = "Any other birth?"
BARREN = "You can give birth nowhere: pass."


def options(state: State, seat: Seat, typed: str) -> Options:
    """Return how what is typed may go on to a legal move.

    :raises MalformedMove: no legal move begins so.
    """
    if state.ranks or seat != state.mover:
        found = NOTHING
    else:
        found = _birth(state, typed) if state.is_birth else _act(state, typed)
    if folded(typed) and not found.next and not found.complete:
        raise MalformedMove(f"No move begins with {typed.strip()!r} here.")
    return found


def _choose(choices: Iterable[Choice], typed: str, prompt: str) -> Options:
    """Return those of ``choices`` that go on from what is typed of them."""
    by_text = {choice.text: choice for choice in choices}
    try:
        return completion.complete(
            by_text,
            typed,
            label=lambda text: by_text[text].label,
            marks=lambda text: by_text[text].marks,
            prompt=prompt,
        )
    except MalformedMove:
        return NOTHING


# --- To place or to move ----------------------------------------------------------------------


def _act(state: State, typed: str) -> Options:
    as_sex = _sex_first(state, typed)
    if as_sex is not NOTHING and typed.strip()[0].isupper():
        return as_sex
    as_square = _square_first(state, typed)
    return Options(
        complete=as_sex.complete or as_square.complete,
        next=as_sex.next + as_square.next,
        prompt=as_sex.prompt or as_square.prompt,
    )


def _sex_first(state: State, typed: str) -> Options:
    """Go on with a placement in its written order: sex, life turns, square."""
    found = _SEX_FIRST.fullmatch(folded(typed))
    if not found or not legality.can_place(state):
        return NOTHING
    sex, life = Sex(found[1].upper()), int(found[2] or 0)
    if not life:
        return _life(state)
    return _choose(_placements(state, sex, life), typed, ON_WHICH)


def _square_first(state: State, typed: str) -> Options:
    """Go on with what begins with a square, or with nothing yet."""
    text = folded(typed)
    if found := _SQUARE_FIRST.fullmatch(text):
        return _place_on(state, square(found[1]), found[2], found[3])
    if found := _WALK.fullmatch(text):
        return _choose(_walks(state, square(found[1])), typed, WHERE_TO)
    if legality.can_pass(state):
        return _choose([Choice(str(Pass()), "Pass")], typed, STUCK)
    beginnings = () if text else _sexes(state)
    return _choose((*beginnings, *_vacant(state), *_walkers(state)), typed, ACT)


def _sexes(state: State) -> Iterator[Choice]:
    if legality.can_place(state):
        for sex in Sex:
            yield Choice(sex.value, f"Place a {sex.word}")


def _life(state: State) -> Options:
    span = _life_span(state)
    return Options(complete=False, next=(span,), prompt=HOW_LONG, forms=((NumberField(span),),))


def _life_span(state: State) -> Span:
    label = f"Life turns, out of a reserve of {state.reserve}"
    return Span(1, state.reserve, 1, "{:.0f}", label)


def _placements(state: State, sex: Sex, life: int) -> Iterator[Choice]:
    if life <= state.reserve:
        for spot in squares.each(state.population.vacant):
            name = squares.name_of(spot)
            yield Choice(str(Placement(sex, life, spot)), name, (name,))


def _vacant(state: State) -> Iterator[Choice]:
    if legality.can_place(state):
        for name in squares.names(state.population.vacant):
            yield Choice(f"{name}:", f"Place on {name}", (name,))


def _place_on(state: State, spot: Square, sex: str | None, life: str | None) -> Options:
    """Go on with a placement that began with its square."""
    if not state.reserve or not state.population.vacant & squares.bit(spot):
        return NOTHING
    if sex is None:
        sexes = tuple(Choice(sex.value, f"A {sex.word}") for sex in Sex)
        form = (ChoiceField(sexes), NumberField(_life_span(state)))
        return Options(complete=False, next=sexes, prompt=WHICH_SEX, forms=(form,))
    if life is None:
        return _life(state)
    return Options(complete=int(life) <= state.reserve, next=())


def _walkers(state: State) -> Iterator[Choice]:
    for spot in squares.each(state.population.sides[state.mover]):
        if any(state.population.reach(spot)):
            name, piece = squares.name_of(spot), state.population.piece(spot)
            label = f"Move the {piece.sex.word} on {name}, {words.life_turns(piece.life)} left"
            yield Choice(f"{name}-", label, (name,))


def _walks(state: State, origin: Square) -> Iterator[Choice]:
    if not state.population.sides[state.mover] & squares.bit(origin):
        return
    near, far = state.population.reach(origin)
    for target in squares.each(near | far):
        way = near & squares.around(squares.bit(target))
        name, text = squares.name_of(target), str(Walk(origin, target))
        stop = "" if near >> target & 1 else f" by way of {words.any_of(way)}"
        yield Choice(text, f"{name}{stop}", (name,))


# --- Births -----------------------------------------------------------------------------------


def _birth(state: State, typed: str) -> Options:
    text = folded(typed)
    if not text.startswith("+"):
        able = births.free((), state.nurseries)
        passing = Choice(str(Pass()), "Pass: no births")
        return _choose((*_children(able, "+"), passing), typed, BEAR if able else BARREN)
    *before, last = text[1:].split(",")
    is_whole = _CHILD.fullmatch(last) is not None
    more = _more(state, [*before, last] if is_whole else before)
    if more is None:
        return NOTHING
    if not is_whole:
        return _choose(_children(more), last, BEAR)
    return Options(
        complete=True, next=tuple(_children(more, ",")), prompt=BEAR_MORE if more else ""
    )


def _more(state: State, texts: list[str]) -> Mothers | None:
    """Return where births are possible beside some others; ``None`` if those are not."""
    if not all(map(_CHILD.fullmatch, texts)):
        return None
    children = tuple(sorted(map(read_child, texts)))
    if children and legality.why_not(state, Births(children)):
        return None
    return births.free([child.square for child in children], state.nurseries)


def _children(able: Mothers, before: str = "") -> Iterator[Choice]:
    """Yield a birth of either sex on every square, naming who could be the mother."""
    for spot, mothers in able.items():
        name = squares.name_of(spot)
        for sex in Sex:
            label = f"A {sex.word} on {name}, mother {words.any_of(mothers)}"
            yield Choice(f"{before}{Child(spot, sex)}", label, (name,))
