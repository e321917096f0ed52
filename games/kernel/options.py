"""Move entry as completion: how the text typed so far may continue.

The same :class:`Options` serve clicks on the board, the list of choices, typing, the keyboard,
forms without JavaScript, the API and bots.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from games.kernel.errors import MalformedMove, quoted
from games.kernel.language import gettext
from games.kernel.views import View

FEW_NUMBERS = 12
"""Maximum size of a range that is offered as buttons. Larger ranges get a field."""

NUMBER_FORMAT = re.compile(r"[^{}]*\{:\+?(?:d|\.\df)\}[^{}]*")
"""The formats of numbers: whole, or with a fixed number of decimals, with or without a plus."""

_NUMBER = re.compile(r"\s*[+-]?\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Choice:
    """One way in which the text may continue.

    ``text`` is appended verbatim, blanks included. ``marks`` name the parts of the drawing that
    stand for it. ``sign`` is a letter or a number of at most two digits, such as the number of
    steps to a space. The dot on the first mark shows it.
    """

    text: str
    label: str
    marks: tuple[str, ...] = ()
    sign: str = ""


@dataclass(frozen=True, slots=True)
class Span:
    """A number in a range, ends included, as the next thing to type.

    ``format`` is a :meth:`str.format` template for the number, such as ``"{:+.1f}"``. Programs in
    any language write numbers by it, so only the few forms of ``NUMBER_FORMAT`` are allowed.
    """

    low: float
    high: float
    step: float
    format: str
    label: str
    marks: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """:raises ValueError: the format isn't one of those that programs can read."""
        if not NUMBER_FORMAT.fullmatch(self.format):
            raise ValueError(f"{self.format!r} is no format of numbers.")

    @property
    def count(self) -> int:
        return round((self.high - self.low) / self.step) + 1

    def text(self, index: int) -> str:
        """Return number ``index`` of the range, from 0, as it is typed."""
        number = self.low + index * self.step
        return self.format.format(number if isinstance(self.step, float) else int(number))


@dataclass(frozen=True, slots=True)
class ChoiceField:
    """A form field for one of a few choices that no part of the board stands for."""

    choices: tuple[Choice, ...]

    def text(self, value: str) -> str:
        """Return the text for a value of the field.

        :raises MalformedMove: it isn't among the choices.
        """
        texts = [choice.text for choice in self.choices]
        if value not in texts:
            message = gettext("{text} is not among the choices.")
            raise MalformedMove(message.format(text=quoted(value)))
        return value

    def match(self, text: str) -> str:
        """Return the part of this field with which a text begins. Empty without one."""
        texts = (choice.text for choice in self.choices)
        return max(filter(text.startswith, texts), key=len, default="")

    def value(self, text: str) -> str:
        """Return the value of the field that gives a text."""
        return text


@dataclass(frozen=True, slots=True)
class NumberField:
    """A form field for a number in a range."""

    span: Span

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The numbers of the range if there are few enough for buttons. Otherwise empty."""
        span = self.span
        if span.count > FEW_NUMBERS:
            return ()
        numbers = [f"{span.low + span.step * number:g}" for number in range(span.count)]
        return tuple(Choice(number, number) for number in numbers)

    def text(self, value: str) -> str:
        """Return the text for a value of the field: the nearest number of the range.

        :raises MalformedMove: it isn't a number between the ends of the range.
        """
        span = self.span
        number = _float(value)
        if not span.low <= number <= span.high:
            message = gettext("{text} is not a number from {low} to {high}.")
            parts = {"low": f"{span.low:g}", "high": f"{span.high:g}"}
            raise MalformedMove(message.format(text=quoted(value), **parts))
        return span.text(round((number - span.low) / span.step))

    def match(self, text: str) -> str:
        """Return the part of this field with which a text begins. Empty without one."""
        digits = _NUMBER.match(text)
        return digits[0] if digits else ""

    def value(self, text: str) -> str:
        """Return the value of the field that gives a text, as number inputs take it."""
        return text.strip().removeprefix("+")


Field: TypeAlias = ChoiceField | NumberField

FieldGroup: TypeAlias = tuple[Field, ...]
"""Fields of one small form, such as a sex and its life turns."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """Something that a turn needs: in words, and whether it is done."""

    label: str
    is_done: bool


@dataclass(frozen=True, slots=True)
class Options:
    """How the text typed so far may continue.

    ``complete`` says that it is a whole move already. ``prompt`` is the sentence that asks for the
    next part. ``forecast`` says in sentences what is known of the outcome of a whole move, beyond
    the events that the rules give before chance decides: what must follow, the stakes and the odds.
    ``view`` is the position as the text so far would leave it, if that is worth drawing. It holds
    what the seat may see of it and nothing else, and may be a subclass of the title's view with
    additional fields for the drawing. It is ``None`` before anything has been typed: then the board
    shows the last move. ``requirements`` are what the turn asks for, in order. ``forms`` are groups
    of fields whose joined texts may follow the typed text, whatever is filled in. A title that
    offers a :class:`Span` declares one for it. ``mark_prompt`` asks which of the choices that share
    a clicked mark is meant; ``{}`` in it is the mark.
    """

    complete: bool
    next: tuple[Choice | Span, ...]
    prompt: str = ""
    view: View | None = None
    requirements: tuple[Requirement, ...] = ()
    forms: tuple[FieldGroup, ...] = ()
    forecast: str = ""
    mark_prompt: str = ""


def with_mark(options: Options, mark: str) -> Iterator[str]:
    """Yield what might follow if a mark replaced others.

    Beside the choice ``a1-b1`` with the mark b1, the mark a2 gives ``a1-a2``.
    """
    for choice in options.next:
        if isinstance(choice, Choice):
            parts = (choice.text.rpartition(other) for other in choice.marks)
            yield from (f"{before}{mark}{after}" for before, named, after in parts if named)


def fill(group: FieldGroup, values: Sequence[str]) -> str:
    """Return the joined texts of the values of a group.

    :raises MalformedMove: a field is missing or has an invalid value.
    """
    if len(values) != len(group):
        raise MalformedMove(gettext("The form did not arrive whole. Please try again."))
    return "".join(field.text(value) for field, value in zip(group, values, strict=True))


def values(group: FieldGroup, text: str) -> tuple[str, ...]:
    """Return the values of a group that give a text. Empty strings if that is unknown."""
    parsed = []
    for field in group:
        part = field.match(text)
        text = text[len(part) :]
        parsed.append(field.value(part))
    return tuple(parsed)


def _float(value: str) -> float:
    try:
        return float(value)
    except ValueError:
        return math.nan
