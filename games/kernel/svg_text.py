"""How numbers and words are written in a drawing: short, and safe in a page."""

import re
from collections.abc import Iterable
from functools import lru_cache
from xml.sax.saxutils import escape

KNOWN = 8192
"""Numbers and words that are kept: those of one drawing are mostly those of the next."""

_UNPRINTABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PLAIN_WORDS = re.compile(r'[^"&<>\x00-\x1f\x7f-\U0010ffff]*')


@lru_cache(KNOWN)
def number(value: float) -> str:
    """Return a number with at most two decimals."""
    if isinstance(value, int):
        return str(value)
    trimmed = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if trimmed == "-0" else trimmed


def pairs(points: Iterable[tuple[float, float]]) -> str:
    """Return points as an outline lists them: ``0,0 1.5,2``."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in points)


@lru_cache(KNOWN)
def quoted(words: str) -> str:
    """Return words as they may stand between tags or quotes; what cannot be printed is left out."""
    if _PLAIN_WORDS.fullmatch(words):
        return words
    return escape(_UNPRINTABLE.sub("", words), {'"': "&quot;"})
