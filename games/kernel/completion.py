"""Move entry for games whose moves are a short, flat list."""

import re
import string
from collections.abc import Iterable

from games.kernel.errors import MalformedMove, quoted
from games.kernel.language import gettext
from games.kernel.options import Choice, Options

_NOT_BETWEEN_DIGITS = re.compile("(?<![0-9]) | (?![0-9])")
_SMALL = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def complete(texts: Iterable[str], typed: str, *, prompt: str = "") -> Options:
    """Complete ``typed`` to each of ``texts``, ignoring blanks and case.

    Each choice has the whole move as its label and mark.

    :raises MalformedMove: there are texts, but no text begins with ``typed``.
    """
    start = folded(typed)
    rests = {text: rest for text in texts if (rest := rest_of(text, start, typed)) is not None}
    if start and not rests:
        raise no_move_begins_with(typed)
    choices = (Choice(rest, text, (text,)) for text, rest in rests.items() if rest)
    return Options("" in rests.values(), tuple(choices), prompt)


def no_move_begins_with(typed: str) -> MalformedMove:
    """Return the refusal of a text that begins no legal move."""
    message = gettext("No move begins with {text} here.")
    return MalformedMove(message.format(text=quoted(typed.strip())))


def folded(text: str) -> str:
    """Normalise a text: drop what parsers ignore, blanks and capitals.

    One blank between two digits stays, since it ends a number. Letters beyond ASCII stay as they
    are, even if Python has a small ASCII letter for them, as for the Kelvin sign.
    """
    return small(_NOT_BETWEEN_DIGITS.sub("", " ".join(text.split())))


def small(text: str) -> str:
    """Lower-case ASCII letters only."""
    return text.translate(_SMALL)


def rest_of(text: str, start: str, typed: str) -> str | None:
    """Return what follows the beginning ``start`` of a text. ``None`` if it begins otherwise."""
    if not start:
        return text.lstrip() if typed else text
    if not folded(text).startswith(start):
        return None
    letters = [at for at, letter in enumerate(text) if not letter.isspace()]
    rest = text[letters[len(start.replace(" ", "")) - 1] + 1 :]
    rest = rest.lstrip() if typed[-1:].isspace() else rest
    return rest if folded(typed + rest) == folded(text) else None
