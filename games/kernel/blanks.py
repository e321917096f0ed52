"""Rows of blanks: words that one small form asks for together, as a sex and its life turns.

Options ask for one word at a time. Where numbers and short choices follow one another whatever
is filled in, nothing is gained by asking one by one: a row has them all.
"""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from games.kernel.contract import Choice, Options, Span
from games.kernel.errors import MalformedMove

FEW = 8
"""Up to so many choices fit into a form."""

MOST = 6
"""No row is longer."""

_NUMBER = re.compile(r"\s*[+-]?\d+(?:\.\d+)?")

Give: TypeAlias = Callable[[str], Options]
"""How a text may go on; raises MalformedMove where it is the beginning of no move."""


@dataclass(frozen=True, slots=True)
class Pick:
    """A blank for one of a few choices that no part of the board stands for."""

    choices: tuple[Choice, ...]

    @property
    def samples(self) -> tuple[str, ...]:
        """Words after which all must go on alike."""
        return tuple(choice.text for choice in self.choices)

    def is_like(self, other: "Blank") -> bool:
        """Whether another blank asks for the same."""
        return self.samples == other.samples

    def word(self, value: str) -> str:
        """Return the word for what was filled in.

        :raises MalformedMove: it is not among the choices.
        """
        if value not in self.samples:
            raise MalformedMove(f"{value!r} is not among the choices.")
        return value

    def read(self, text: str) -> str:
        """Return what of this blank a text begins with; empty if nothing."""
        return max((word for word in self.samples if text.startswith(word)), key=len, default="")

    def value(self, word: str) -> str:
        """Return what is filled in to have a word."""
        return word


@dataclass(frozen=True, slots=True)
class Number:
    """A blank for a number in a range."""

    span: Span

    @property
    def samples(self) -> tuple[str, ...]:
        """Words after which all must go on alike: the ends of the range."""
        return self.word(str(self.span.low)), self.word(str(self.span.high))

    def is_like(self, other: "Blank") -> bool:
        """Whether another blank asks for the same."""
        return self.samples == other.samples

    def word(self, value: str) -> str:
        """Return the word for what was filled in: the nearest number of the range.

        :raises MalformedMove: it is no number, or not one between the ends.
        """
        span, number = self.span, _float(value)
        if not span.low <= number <= span.high:
            raise MalformedMove(f"{value!r} is not a number from {span.low:g} to {span.high:g}.")
        nearest = span.low + round((number - span.low) / span.step) * span.step
        return span.format.format(nearest if isinstance(span.step, float) else int(nearest))

    def read(self, text: str) -> str:
        """Return what of this blank a text begins with; empty if nothing."""
        found = _NUMBER.match(text)
        return found[0] if found else ""

    def value(self, word: str) -> str:
        """Return what is filled in to have a word: a number as fields for numbers take it."""
        return word.strip().removeprefix("+")


Blank: TypeAlias = Pick | Number
Row: TypeAlias = tuple[Blank, ...]


def rows(offered: Sequence[Choice | Span], typed: str, give: Give) -> tuple[Row, ...]:
    """Return the rows with a number in them that begin with what is offered after ``typed``.

    Every range on offer begins one, or else all choices together.
    """
    spans = tuple(Number(option) for option in offered if isinstance(option, Span))
    alone = _blank(offered)
    begun: Sequence[Blank] = spans or ((alone,) if alone else ())
    found = (tuple(_row(blank, typed, give, MOST)) for blank in begun)
    return tuple(row for row in found if any(isinstance(blank, Number) for blank in row))


def fill(row: Row, values: Sequence[str]) -> str:
    """Return the words for what was filled in, as one.

    :raises MalformedMove: a blank was left, or cannot hold what it was given.
    """
    if len(values) != len(row):
        raise MalformedMove("The form did not arrive whole. Please try again.")
    return "".join(blank.word(value) for blank, value in zip(row, values, strict=True))


def read(row: Row, text: str) -> tuple[str, ...]:
    """Return what to fill into a row to have the words of a text; empty where that is unknown."""
    values = []
    for blank in row:
        found = blank.read(text)
        text = text[len(found) :]
        values.append(blank.value(found))
    return tuple(values)


def _row(blank: Blank, typed: str, give: Give, most: int) -> Iterator[Blank]:
    """Yield a blank, and those that follow whatever is filled in."""
    yield blank
    following = [_after(typed + word, give) for word in blank.samples]
    first = following[0]
    if most > 1 and first and all(other and first.is_like(other) for other in following):
        yield from _row(first, typed + blank.samples[0], give, most - 1)


def _after(typed: str, give: Give) -> Blank | None:
    """Return the blank that must be filled in after a text, if that is all that may follow."""
    try:
        found = give(typed)
    except MalformedMove:
        return None
    return None if found.complete else _blank(found.next)


def _blank(offered: Sequence[Choice | Span]) -> Blank | None:
    if len(offered) == 1 and isinstance(offered[0], Span):
        return Number(offered[0])
    choices = tuple(
        option for option in offered[: FEW + 1] if isinstance(option, Choice) and not option.marks
    )
    return Pick(choices) if 0 < len(choices) == len(offered) <= FEW else None


def _float(value: str) -> float:
    try:
        return float(value)
    except ValueError:
        return math.nan
