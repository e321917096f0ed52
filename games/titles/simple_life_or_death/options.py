"""Move entry: how what is typed may go on to a move, word by word.

A piece can be chosen together with what it is to do, so that a click on it begins a move. Where
one text is the beginning of another, as ``c1`` is of ``c12``, the shorter one is offered with a
blank behind it, which says that it ends there.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import TypeAlias

from games.kernel.contract import Seat
from games.kernel.errors import MalformedMove
from games.kernel.options import Choice, Options, Requirement
from games.kernel.views import View
from games.titles.simple_life_or_death import aim, deck, forecast, legality, words
from games.titles.simple_life_or_death.meta import META
from games.titles.simple_life_or_death.moves import OFF, Defend, End, Go, Land
from games.titles.simple_life_or_death.notation import parse
from games.titles.simple_life_or_death.pieces import SIZES, Piece, Size
from games.titles.simple_life_or_death.position import (
    ACT,
    FREE,
    PLACE,
    Duel,
    Landing,
    State,
)
from games.titles.simple_life_or_death.sights import arrow_mark
from games.titles.simple_life_or_death.squares import Board, Direction

NOTHING = Options(complete=False, next=())

DUTY_ONE = "Place a piece from your stock. Attacks may come first."
DUTY_TWO = "Move a piece, or place one more. Attacks may come first."
LAST_DUTY = "Move a piece. Attacks may come first."
NO_DUTY = "Attack, or end your turn."


@dataclass(frozen=True, slots=True)
class Word:
    """A word that may come next.

    ``more`` gives the words after it, for which ``prompt`` asks, those at least that go on from
    what is typed of them; a last word has none, and its prompt says what may come of the move.
    ``show`` gives what the board shows once the word is said.
    """

    text: str
    label: str
    marks: tuple[str, ...] = ()
    more: "Callable[[str], Iterable[Word]] | None" = None
    prompt: str = ""
    show: Callable[[], View] | None = None


Words: TypeAlias = Iterable[Word]


def options(state: State, seat: Seat, typed: str) -> Options:
    """Return how what is typed may go on to a legal move.

    :raises MalformedMove: no legal move begins so.
    """
    found = NOTHING if state.ranks or seat != state.actor else _go_on(state, typed)
    if typed.strip() and not found.complete and not found.next:
        raise MalformedMove(f"No move begins with {typed.strip()!r} here.")
    return found


def stock_mark(seat: int, size: Size) -> str:
    """Return the name of the part of the drawing that shows a stock."""
    return f"stock-{META.colours[seat].letter}{size}"


def die_mark(sides: int) -> str:
    """Return the name of the part of the drawing that shows a die."""
    return f"die-{sides}"


def _go_on(state: State, typed: str) -> Options:
    """Follow the words that were typed, and return what may come after them."""
    rest = " ".join(f"{typed}.".split())[:-1].lower()
    following, said = list(_first(state)), Word("", "", prompt=_prompt(state))
    while taken := next((word for word in following if _is_taken(word, rest)), None):
        rest = rest[len(taken.text) :]
        following, said = list(taken.more(rest) if taken.more else ()), taken
    choices = tuple(
        Choice(word.text[len(rest) :], word.label, word.marks)
        for word in following
        if word.text.lower().startswith(rest) and len(word.text) > len(rest)
    )
    is_whole = _is_whole(state, typed)
    if is_whole:
        said = next((word for word in following if word.text.strip().lower() == rest.strip()), said)
    prompt = said.prompt if choices or is_whole else ""
    shown = said.show() if said.show else None
    return Options(is_whole, choices, prompt, shown, _duties(state))


def _is_taken(word: Word, rest: str) -> bool:
    return word.more is not None and rest.startswith(word.text.lower())


def _is_whole(state: State, typed: str) -> bool:
    try:
        return not legality.why_not(state, parse(typed))
    except MalformedMove:
        return False


def _ended(texts: Sequence[str]) -> list[str]:
    """Return texts with a blank behind those with which longer ones begin."""
    beginnings = {text[:length] for text in texts for length in range(1, len(text))}
    return [f"{text} " if text in beginnings else text for text in texts]


def _prompt(state: State) -> str:
    pending = state.pending
    if isinstance(pending, Landing):
        return f"Where does {pending.piece} stop?"
    if isinstance(pending, Duel):
        spot = state.squares[pending.target]
        return f"{pending.attacker} attacks {pending.target} on {spot}: defend with which card?"
    second = DUTY_TWO if any(state.stock[state.turn]) else LAST_DUTY
    return {PLACE: DUTY_ONE, ACT: second, FREE: NO_DUTY}[state.phase]


def _duties(state: State) -> tuple[Requirement, ...]:
    """Return what the turn asks of its seat; nothing of who answers an attack."""
    if isinstance(state.pending, Duel):
        return ()
    has_stock = any(state.stock[state.turn])
    return (
        Requirement("Place a piece", is_done=state.phase != PLACE),
        Requirement(
            "Move a piece, or place one more" if has_stock else "Move a piece", state.phase == FREE
        ),
    )


def _first(state: State) -> Iterator[Word]:
    """Yield the words with which a move may begin."""
    if isinstance(state.pending, Landing):
        yield from _landings(state, state.pending)
    elif isinstance(state.pending, Duel):
        for card in deck.red(state.hands[state.actor]):
            yield Word(str(Defend(card)), words.card(card), (str(card),))
    else:
        if state.phase != FREE:
            yield from _stock(state)
        if state.phase == ACT:
            yield from _walkers(state)
        yield from _fighters(state)
        if state.phase == FREE:
            yield Word(str(End()), "End the turn")


def _landings(state: State, landing: Landing) -> Iterator[Word]:
    texts = _ended([str(Land(end)) for end in landing.ends])
    for text, end in zip(texts, landing.ends, strict=True):
        if end is None:
            yield Word(text, "Go on, off the board", (OFF,))
        else:
            stack = state.stacks.get(end)
            on = f", on top of {stack[-1]}" if stack else ""
            yield Word(text, f"Stop on {end}{on}", (str(end),))


# --- Placing ----------------------------------------------------------------------------------


def _stock(state: State) -> Iterator[Word]:
    for size, left in zip(SIZES, state.stock[state.turn], strict=True):
        if left:
            yield Word(
                f"place {size} ",
                f"Place a {size.word} piece, {left} in stock",
                (stock_mark(state.turn, size),),
                partial(_squares, state),
                "On which square?",
            )


def _squares(state: State, typed: str) -> Iterator[Word]:
    tops = {str(square): stack[-1] for square, stack in state.stacks.items()}
    names = _names(state.terms.board)
    for text, name in ((text, name) for text, name in names if text.startswith(typed)):
        yield Word(text, f"{name}, on top of {tops[name]}" if name in tops else name, (name,))


@cache
def _names(board: Board) -> tuple[tuple[str, str], ...]:
    """Return the squares of a board, each as it is typed and by its name."""
    names = list(map(str, board.squares()))
    return tuple(zip(_ended(names), names, strict=True))


# --- Moving -----------------------------------------------------------------------------------


def _walkers(state: State) -> Iterator[Word]:
    for piece in state.pieces_of(state.turn):
        carried = list(map(str, state.carried(piece)))
        load = f", carrying {words.listed(carried)}" if carried else ""
        spot = str(state.squares[piece])
        yield Word(
            f"move {piece} ",
            f"Move {piece} from {spot}{load}",
            _marks_of(state, piece),
            partial(_directions, state, piece),
            "In which direction?",
            partial(aim.in_hand, state, piece),
        )


def _marks_of(state: State, piece: Piece) -> tuple[str, ...]:
    """Return the marks that stand for a piece: its square, and its level where there are more."""
    square = state.squares[piece]
    return (str(square), str(piece)) if len(state.stacks[square]) > 1 else (str(square),)


def _directions(state: State, piece: Piece, _typed: str) -> Iterator[Word]:
    dice = [die for die in state.terms.dice(piece.size) if die is not None]
    texts = [f"{direction} " if dice else str(direction) for direction in Direction]
    for direction, text in zip(Direction, _ended(texts), strict=True):
        yield _direction(state, Go(piece, direction), text, dice)


def _direction(state: State, go: Go, text: str, dice: Sequence[int]) -> Word:
    name = words.sentence(words.DIRECTIONS[go.direction])
    reached = forecast.within_reach(state, go.piece, go.direction)
    marks = (arrow_mark(go.direction), *(map(str, reached[1:]) if reached else (OFF,)))
    show = partial(aim.on_its_way, state, go)
    if not dice:
        known = forecast.forecast(state, go)
        return Word(text, f"{name}: {known}", marks, prompt=_coming(known), show=show)
    return Word(
        text,
        f"{name}: {forecast.ahead(state, go.piece, go.direction)}",
        marks,
        lambda _typed: (_die(state, replace(go, die=die)) for die in dice),
        "With which die?",
        show,
    )


def _die(state: State, go: Go) -> Word:
    sides, known = go.die or 0, forecast.forecast(state, go)
    show = partial(aim.on_its_way, state, go)
    label = f"d{sides} – {known}"
    return Word(f"d{sides}", label, (die_mark(sides),), prompt=_coming(known), show=show)


def _coming(known: str) -> str:
    return f"The roll decides – {known}."


# --- Attacking --------------------------------------------------------------------------------


def _fighters(state: State) -> Iterator[Word]:
    for piece in state.pieces_of(state.turn) if legality.weapons(state, state.turn) else ():
        targets = list(state.open_targets(piece))
        if targets:
            spot = str(state.squares[piece])
            names = words.listed(list(map(str, targets)), "or")
            yield Word(
                f"attack {piece} ",
                f"Attack {names} with {piece} from {spot}",
                _marks_of(state, piece),
                partial(_targets, state, targets),
                "Attack which piece?",
            )


def _targets(state: State, targets: list[Piece], _typed: str) -> Iterator[Word]:
    return (_target(state, target) for target in targets)


def _target(state: State, target: Piece) -> Word:
    spot = str(state.squares[target])
    label = f"{words.piece(target)}, on {spot}"
    marks = _marks_of(state, target)
    if not state.terms.has_cards:
        return Word(str(target), label, marks)
    return Word(f"{target} ", label, marks, partial(_weapons, state), "With which black card?")


def _weapons(state: State, _typed: str) -> Iterator[Word]:
    for card in deck.black(state.hands[state.turn]):
        yield Word(str(card), words.card(card), (str(card),))
