"""Numbers and words in a drawing: short, and safe in a page."""

import re
from collections.abc import Iterable
from functools import lru_cache
from xml.sax.saxutils import escape

KNOWN = 8192
"""Size of the caches of numbers and words. Drawings mostly repeat those of the one before."""

_UNPRINTABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PLAIN_WORDS = re.compile(r'[^"&<>\x00-\x1f\x7f-\U0010ffff]*')


@lru_cache(KNOWN)
def number(value: float) -> str:
    """At most two decimals."""
    if isinstance(value, int):
        return str(value)
    trimmed = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if trimmed == "-0" else trimmed


def pairs(points: Iterable[tuple[float, float]]) -> str:
    """Return points as an outline lists them: ``0,0 1.5,2``."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in points)


@lru_cache(KNOWN)
def quoted(words: str) -> str:
    """Escape words for use between tags or quotes, without unprintable characters."""
    if _PLAIN_WORDS.fullmatch(words):
        return words
    return escape(_UNPRINTABLE.sub("", words), {'"': "&quot;"})
