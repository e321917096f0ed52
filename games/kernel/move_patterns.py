"""Texts to moves, for games whose moves have several forms."""

import re
from collections.abc import Callable, Mapping
from typing import TypeAlias, TypeVar

from games.kernel.completion import folded
from games.kernel.errors import MalformedMove, quoted

M = TypeVar("M")

MovePatterns: TypeAlias = Mapping[re.Pattern[str], Callable[[re.Match[str]], M]]
"""How moves are written, without capitals and blanks but for those between two digits, and what
makes a move of each form; it may raise :class:`ValueError` with a sentence that goes on after
*no move:*."""


def parse_move(text: str, forms: MovePatterns[M], hint: str) -> M:
    """Return the move that a text stands for; blanks and case do not matter.

    :raises MalformedMove: it has none of the forms (``hint`` says which there are), or is no move
        all the same.
    """
    words = folded(text)
    for form, read in forms.items():
        if match := form.fullmatch(words):
            return _made(read, match, text)
    raise MalformedMove(f"{quoted(text.strip())} is no move. {hint}")


def _made(read: Callable[[re.Match[str]], M], match: re.Match[str], text: str) -> M:
    try:
        return read(match)
    except ValueError as error:
        raise MalformedMove(f"{quoted(text.strip())} is no move: {error}") from error
