"""Phrases that entry, drawings and logs of several games share."""

from collections.abc import Sequence
from typing import Literal

from babel.lists import format_list

from games.kernel import language
from games.kernel.language import gettext


def between(low: int, high: int) -> str:
    """``2 to 6``, or ``2`` if both are equal."""
    return str(low) if low == high else gettext("{low} to {high}").format(low=low, high=high)


def listed(names: Sequence[str], last: Literal["and", "or"] = "and") -> str:
    """``rS1, bM2 and yL3``. Empty if there are no names."""
    style: Literal["standard", "or"] = "or" if last == "or" else "standard"
    return format_list(names, style, language.locale())


def sentence(text: str) -> str:
    """Capitalise the first letter."""
    return text[:1].upper() + text[1:]


def refusal_sentence(reason: str) -> str:
    """Turn a reason into a sentence. A place at its beginning, such as ``c4``, stays lower-case."""
    return sentence(reason) if reason.partition(" ")[0].isalpha() else reason


def with_full_stop(text: str) -> str:
    """Add the full stop to a sentence that headlines show without one."""
    # Translators: a whole sentence with its full stop.
    return gettext("{sentence}.").format(sentence=text)
