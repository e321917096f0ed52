"""Move entry: words and pictures of unfinished moves that several phases share.

A piece is chosen first, and then its action: its way, or its target. If one text is the beginning
of another, as ``c1`` is of ``c12``, the shorter one is offered with a blank at its end, which
completes it. The phases define the words.
"""

from collections.abc import Callable, Container, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import asdict

from games.kernel.contract import Seat
from games.kernel.language import gettext
from games.titles.simple_life_or_death.components import OFF, Piece, Role, Square
from games.titles.simple_life_or_death.state import EndName, SeatView, State, view

Show: TypeAlias = "Callable[[], EntryView]"


class Selection(Struct, frozen=True, omit_defaults=True):
    """A chosen piece: its square, and its possible or chosen targets.

    ``ends`` are the results of the dice by end, once a ``direction`` is chosen. ``target`` is the
    piece to attack, once that is chosen.
    """

    piece: Piece
    at: Square
    targets: tuple[Piece, ...] = ()
    target: Piece | None = None
    direction: str = ""
    ends: tuple[tuple[EndName, str], ...] = ()


class EntryView(SeatView, frozen=True, kw_only=True, rename={"selection": "aim"}):
    """The mover's view once a piece has been chosen."""

    selection: Selection


def entry_view(state: State, selection: Selection) -> EntryView:
    """Return the mover's view with a piece selected."""
    return EntryView(**asdict(view(state, state.turn)), selection=selection)


def ended(texts: Sequence[str]) -> list[str]:
    """Return texts, with a blank after those that are the beginnings of longer ones."""
    beginnings = {text[:length] for text in texts for length in range(1, len(text))}
    return [f"{text} " if text in beginnings else text for text in texts]


def arrow_distances(line: Sequence[Square], taken: Container[Square], count: int) -> list[int]:
    """Return how many squares from a piece the arrows of a direction are drawn.

    They are on the nearest squares without pieces. If these are too few, the rest are on others.
    After the last square of the line comes the frame.
    """
    every = range(1, len(line) + 2)
    is_taken = [square in taken for square in line] + [False]
    return sorted(sorted(every, key=lambda at: (is_taken[at - 1], at))[:count])


def piece_at(state: State, mark: str) -> Piece | None:
    """Return the piece of a mark: itself, or the top one of a square."""
    if mark in state.squares:
        return Piece.parse(mark)
    stack = state.stacks.get(Square(mark))
    return stack[-1] if stack else None


def on_its_square(state: State, piece: Piece, role: Role) -> str:
    """Return a piece as the mover calls it, as in ``your small piece on e4``."""
    return on_square(piece.owned(state.mover, role), state.squares[piece])


def on_square(piece: str, square: Square) -> str:
    """Return a piece in words with its square."""
    # Translators: as in "your small piece on e4".
    return gettext("{piece} on {square}").format(piece=piece, square=square)


def in_its_stack(state: State, piece: Piece) -> str:
    """Return a piece to attack on its square and under which one: ``…, under your large piece``."""
    target = on_its_square(state, piece, Role.OBJECT)
    if above := state.carried(piece):
        # Translators: as in "Red’s small piece on e4, under your large piece".
        message = gettext("{piece}, under {other}")
        return message.format(piece=target, other=above[0].owned(state.mover, Role.AFTER))
    return target


def stop_on(state: State, end: Square, viewer: Seat | None) -> str:
    """Return a landing as a viewer is asked to choose or to confirm it."""
    if end == OFF:
        return gettext("Go on, off the board")
    if not (stack := state.stacks.get(end)):
        return gettext("Stop on {square}").format(square=end)
    message = gettext("Stop on {square}, on top of {piece}")
    return message.format(square=end, piece=stack[-1].owned(viewer, Role.AFTER))


def piece_marks(state: State, piece: Piece) -> tuple[str, ...]:
    """Return the marks of a piece: its square, and itself if it is in a stack."""
    square = state.squares[piece]
    return (square, str(piece)) if len(state.stacks[square]) > 1 else (square,)
