"""Move entry: what words, and the pictures of a move half entered, have in common.

A piece is chosen first, and then what it is to do: where it goes, or what it attacks. Where one
text is the beginning of another, as ``c1`` is of ``c12``, the shorter one is offered with a blank
behind it, which says that it ends there. Which words there are stands with the phases.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import asdict

from games.titles.simple_life_or_death.components import Piece, Square
from games.titles.simple_life_or_death.state import EndName, SeatView, State, view

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
