"""Editing positions: what a game lets people change, in terms that a page can show.

A position is edited as JSON. A game declares the pieces of its tray, what stands on each space of
its drawing, and the other values as fields, each at a path in the JSON. Whether a match can reach
the result is checked as for every position from outside (``Game.read_position``).
"""

import copy
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from games.kernel.errors import BrokenPosition, quoted
from games.kernel.language import gettext
from games.kernel.views import Json

Path: TypeAlias = tuple[str | int, ...]
"""Where a value is in a position: names of members, and indices of lists."""

Spaces: TypeAlias = Mapping[str, str]
"""What stands on each space: codes of pieces with blanks between them, the lowest first."""


@dataclass(frozen=True)
class TrayPiece:
    """A piece that can be put on a space.

    ``code`` is written there. If ``numbers`` are the lowest and the highest number, one of them
    follows the code: ``rM10``. With ``is_aimed`` the aims of the editor follow: ``D+1.5-3``.
    """

    code: str
    label: str
    numbers: tuple[int, int] | None = None
    is_aimed: bool = False


@dataclass(frozen=True)
class Field:
    """A value of a position, as JSON."""

    path: Path
    label: str

    @property
    def key(self) -> str:
        """Its name in forms."""
        return ".".join(map(str, self.path))

    def read(self, position: Json) -> str:
        """Return the value in a position, as it is typed."""
        return self.text_of(value_at(position, self.path))

    def text_of(self, value: Json) -> str:
        return json.dumps(value, ensure_ascii=False)

    def parse(self, text: str) -> Json:
        """Return the value of a text.

        :raises ValueError: the text has none.
        """
        return json.loads(text)

    def write(self, position: Json, text: str) -> None:
        """Set the value in a position.

        :raises BrokenPosition: the text has no value.
        """
        try:
            value = self.parse(text)
        except (ValueError, KeyError, RecursionError):
            message = gettext("{field}: {text} can't be read.")
            raise BrokenPosition(message.format(field=self.label, text=quoted(text))) from None
        value_at(position, self.path[:-1])[self.path[-1]] = value


@dataclass(frozen=True)
class Number(Field):
    """A whole number from ``low`` to ``high``."""

    low: int
    high: int

    def parse(self, text: str) -> int:
        """Return the number.

        :raises ValueError: the text is no number in the range.
        """
        number = int(text) if text.isascii() and len(text) <= len(str(self.high)) + 1 else None
        if number is None or not self.low <= number <= self.high:
            raise ValueError(text)
        return number


@dataclass(frozen=True)
class Choice(Field):
    """One of some values, each with a name. The values are JSON."""

    choices: Sequence[tuple[Json, str]]

    @property
    def options(self) -> Sequence[tuple[str, str]]:
        """The values as they are sent, and their names."""
        return [(self.text_of(value), name) for value, name in self.choices]

    def parse(self, text: str) -> Json:
        """Return the value of a text.

        :raises KeyError: it is none of the choices.
        """
        return {self.text_of(value): value for value, _ in self.choices}[text]


@dataclass(frozen=True)
class Words(Field):
    """A list of short texts, such as the cards of a hand, with blanks between them."""

    def text_of(self, value: Json) -> str:
        return " ".join(map(str, value))

    def parse(self, text: str) -> Json:
        return text.split()


@dataclass(frozen=True)
class Numbers(Words):
    """A list of whole numbers, with blanks between them."""

    def parse(self, text: str) -> Json:
        """Return the numbers.

        :raises ValueError: something else is in the text.
        """
        return [int(word) for word in text.split()]


@dataclass(frozen=True)
class Seats(Field):
    """A list of seats, each by the letter of its colour, with blanks between them."""

    letters: str

    def text_of(self, value: Json) -> str:
        return " ".join(self.letters[seat] for seat in value)

    def parse(self, text: str) -> Json:
        """Return the seats.

        :raises KeyError: a word is no letter of a seat.
        """
        seats = {letter: seat for seat, letter in enumerate(self.letters)}
        return [seats[word] for word in text.split()]


@dataclass(frozen=True)
class Aim:
    """A number that says how a piece is dropped. It follows the code, as in ``+1.5``."""

    label: str
    low: float
    high: float
    step: float

    def code_of(self, number: float) -> str:
        """Return a number as it follows a code, with its sign. It may be out of range."""
        digits = len(f"{self.step:g}".partition(".")[2])
        return f"{number:+.{digits}f}"


@dataclass(frozen=True)
class Editor:
    """What can be changed in a position.

    ``spaces`` says what stands on each space of the drawing now. With ``stacks`` several pieces may
    stand on one. With ``aims`` pieces are dropped on what stands there. The game replaces their
    codes by where they come to rest, so ``with_spaces`` must read both. ``hint`` says how.
    """

    fields: Sequence[Field]
    tray: Sequence[TrayPiece] = ()
    spaces: Spaces = field(default_factory=dict)
    stacks: bool = False
    aims: Sequence[Aim] = ()
    hint: str = ""
    names: Mapping[str, str] = field(default_factory=dict)


def value_at(position: Json, path: Path) -> Any:
    """Return the value at a path. An empty path is the whole position."""
    for step in path:
        position = position[step]
    return position


def seat_choices(names: Sequence[str]) -> list[tuple[Json, str]]:
    """Return the choices of a seat by its colour."""
    return [(seat, name) for seat, name in enumerate(names)]


def yes_or_no(path: Path, label: str) -> Choice:
    """Return a field whose value is ``true`` or ``false``."""
    return Choice(path, label, [(True, gettext("Yes")), (False, gettext("No"))])


def with_fields(position: Json, editor: Editor, values: Mapping[str, str]) -> Json:
    """Return a position with other values of some fields, by their keys.

    :raises BrokenPosition: a text has no value.
    """
    changed = copy.deepcopy(position)
    for one in editor.fields:
        if one.key in values:
            one.write(changed, values[one.key])
    return changed
