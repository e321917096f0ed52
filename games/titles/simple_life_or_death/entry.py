"""Move entry: how what is typed may go on to a move, word by word.

A piece is chosen first, and then what it is to do: where it goes, or what it attacks. Where one
text is the beginning of another, as ``c1`` is of ``c12``, the shorter one is offered with a blank
behind it, which says that it ends there. Which words there are stands with the phases.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import asdict

from games.kernel.completion import small
from games.kernel.options import Choice, Options
from games.titles.simple_life_or_death.components import Piece, Square
from games.titles.simple_life_or_death.state import EndName, SeatView, State, view


@dataclass(frozen=True, slots=True)
class Word:
    """A word that may come next.

    ``more`` returns the words after it, for which ``prompt`` asks, those at least that go on from
    what is typed of them; a last word has none (``None``), and its ``forecast`` says what may come
    of the move. ``show`` returns what the board shows once the word is typed. One that is not
    ``is_offered`` may be typed all the same.
    """

    text: str
    label: str
    marks: tuple[str, ...] = ()
    more: "Callable[[str], Iterable[Word]] | None" = None
    prompt: str = ""
    show: "Show | None" = None
    is_offered: bool = True
    forecast: str = ""

    def is_typed(self, text: str) -> bool:
        """Whether a text begins with this word and may go on after it."""
        return self.more is not None and text.startswith(self.text.lower())

    def continues(self, text: str) -> bool:
        """Whether this word is offered after a text with which it begins."""
        begins = self.text.lower().startswith(text) and len(self.text) > len(text)
        return begins and (self.is_offered or bool(text))


Words: TypeAlias = Iterable[Word]
Show: TypeAlias = "Callable[[], EntryView]"


class Selection(Struct, frozen=True, omit_defaults=True):
    """A piece that is chosen: where it stands, and what it may attack, or does.

    ``ends`` says at which results of the dice it ends where, once a ``direction`` is chosen;
    ``target`` is the piece that it is to attack, once that is.
    """

    piece: Piece
    at: Square
    targets: tuple[Piece, ...] = ()
    target: Piece | None = None
    direction: str = ""
    ends: tuple[tuple[EndName, str], ...] = ()


class EntryView(SeatView, frozen=True, kw_only=True, rename={"selection": "aim"}):
    """What the mover sees once a piece has been chosen."""

    selection: Selection


def entry_view(state: State, selection: Selection) -> EntryView:
    """Return the mover's view with a piece selected."""
    return EntryView(**asdict(view(state, state.turn)), selection=selection)


def follow(words: Words, typed: str, prompt: str, *, is_complete: bool) -> Options:
    """Follow the words that were typed, and return what may come after them.

    ``words`` are those with which a move may begin, for which ``prompt`` asks; ``is_complete``
    says that what was typed is a legal move.
    """
    rest = small(" ".join(f"{typed}.".split())[:-1])
    following = list(words)
    last = Word("", "", prompt=prompt)
    while taken := next((word for word in following if word.is_typed(rest)), None):
        rest = rest[len(taken.text) :]
        following = list(taken.more(rest) if taken.more else ())
        last = taken
    choices = tuple(
        Choice(word.text[len(rest) :], word.label, word.marks)
        for word in following
        if word.continues(rest)
    )
    if is_complete:
        last = next((word for word in following if word.text.strip().lower() == rest.strip()), last)
    asked = last.prompt if choices else ""
    shown = last.show() if last.show else None
    return Options(is_complete, choices, asked, shown, forecast=last.forecast)


def ended(texts: Sequence[str]) -> list[str]:
    """Return texts with a blank behind those with which longer ones begin."""
    beginnings = {text[:length] for text in texts for length in range(1, len(text))}
    return [f"{text} " if text in beginnings else text for text in texts]


def piece_at(state: State, mark: str) -> Piece | None:
    """Return the piece that a mark stands for: itself, or the top one of a square."""
    if mark in state.squares:
        return Piece.parse(mark)
    stack = state.stacks.get(Square(mark))
    return stack[-1] if stack else None


def on_its_square(state: State, piece: Piece) -> str:
    """Return a piece as the mover says it, as in ``your small piece on e4``."""
    return f"{piece.owned(state.mover)} on {state.squares[piece]}"


def on_top_of(state: State, square: Square) -> str:
    """Return the piece on which one would come to stand; empty for an empty square."""
    stack = state.stacks.get(square)
    return f", on top of {stack[-1].owned(state.mover)}" if stack else ""


def piece_marks(state: State, piece: Piece) -> tuple[str, ...]:
    """Return the marks that stand for a piece: its square, and itself where it is in a stack."""
    square = state.squares[piece]
    return (square, str(piece)) if len(state.stacks[square]) > 1 else (square,)
