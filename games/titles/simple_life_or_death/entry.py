"""Move entry: how what is typed may go on to a move, word by word.

A piece can be chosen together with what it is to do, so that a click on it begins a move. Where
one text is the beginning of another, as ``c1`` is of ``c12``, the shorter one is offered with a
blank behind it, which says that it ends there. Which words there are stands with the phases.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import asdict

from games.kernel.completion import small
from games.kernel.options import Choice, Options
from games.titles.simple_life_or_death.components import Piece, Square
from games.titles.simple_life_or_death.position import EndName, Position, SeatView, view


@dataclass(frozen=True, slots=True)
class Word:
    """A word that may come next.

    ``more`` returns the words after it, for which ``prompt`` asks, those at least that go on from
    what is typed of them; a last word has none (``None``), and its prompt says what may come of
    the move. ``show`` returns what the board shows once the word is typed.
    """

    text: str
    label: str
    marks: tuple[str, ...] = ()
    more: "Callable[[str], Iterable[Word]] | None" = None
    prompt: str = ""
    show: "Callable[[], EntryView] | None" = None

    def is_typed(self, text: str) -> bool:
        """Whether a text begins with this word and may go on after it."""
        return self.more is not None and text.startswith(self.text.lower())


Words: TypeAlias = Iterable[Word]


class Selection(Struct, frozen=True, omit_defaults=True):
    """A piece that is being moved: where it is, and at which results of the dice it ends where.

    ``direction`` is empty and ``ends`` has nothing before a direction is chosen.
    """

    piece: Piece
    at: Square
    direction: str = ""
    ends: tuple[tuple[EndName, str], ...] = ()


class EntryView(SeatView, frozen=True, kw_only=True, rename={"selection": "aim"}):
    """What the mover sees while a piece is being moved."""

    selection: Selection


def entry_view(state: Position, selection: Selection) -> EntryView:
    """Return the mover's view with a piece selected."""
    return EntryView(**asdict(view(state, state.turn)), selection=selection)


def follow(words: Words, typed: str, prompt: str, *, is_complete: bool) -> Options:
    """Follow the words that were typed, and return what may come after them.

    ``words`` are those with which a move may begin, for which ``prompt`` asks; ``is_complete``
    says that what was typed is a legal move.
    """
    rest = small(" ".join(f"{typed}.".split())[:-1])
    following, last = list(words), Word("", "", prompt=prompt)
    while taken := next((word for word in following if word.is_typed(rest)), None):
        rest = rest[len(taken.text) :]
        following, last = list(taken.more(rest) if taken.more else ()), taken
    choices = tuple(
        Choice(word.text[len(rest) :], word.label, word.marks)
        for word in following
        if word.text.lower().startswith(rest) and len(word.text) > len(rest)
    )
    if is_complete:
        last = next((word for word in following if word.text.strip().lower() == rest.strip()), last)
    asked = last.prompt if choices or is_complete else ""
    return Options(is_complete, choices, asked, last.show() if last.show else None)


def ended(texts: Sequence[str]) -> list[str]:
    """Return texts with a blank behind those with which longer ones begin."""
    beginnings = {text[:length] for text in texts for length in range(1, len(text))}
    return [f"{text} " if text in beginnings else text for text in texts]


def piece_marks(state: Position, piece: Piece) -> tuple[str, ...]:
    """Return the marks that stand for a piece: its square, and itself where it is in a stack."""
    square = state.squares[piece]
    return (square, str(piece)) if len(state.stacks[square]) > 1 else (square,)
