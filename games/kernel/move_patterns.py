"""Parsing of moves, for games whose moves have several forms."""

import re
from collections.abc import Callable, Mapping
from typing import TypeAlias, TypeVar

from games.kernel.completion import folded
from games.kernel.errors import MalformedMove, quoted
from games.kernel.language import gettext

M = TypeVar("M")

MovePatterns: TypeAlias = Mapping[re.Pattern[str], Callable[[re.Match[str]], M]]
"""Patterns of moves, lower-case and without blanks except between two digits, and what makes a

move of each match. That may raise :class:`ValueError` with a sentence that continues *no move:*.
"""


def parse_move(text: str, forms: MovePatterns[M], hint: str) -> M:
    """Parse a move, ignoring blanks and case.

    :raises MalformedMove: it has another form (``hint`` names them), or isn't a move in spite
        of its form.
    """
    words = folded(text)
    for form, read in forms.items():
        if match := form.fullmatch(words):
            return _made(read, match, text)
    message = gettext("{text} is no move. {hint}")
    raise MalformedMove(message.format(text=quoted(text.strip()), hint=hint))


def _made(read: Callable[[re.Match[str]], M], match: re.Match[str], text: str) -> M:
    try:
        return read(match)
    except ValueError as error:
        message = gettext("{text} is no move: {reason}")
        raise MalformedMove(message.format(text=quoted(text.strip()), reason=error)) from error
