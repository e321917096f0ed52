"""The moves as values, and their texts. ``str(move)`` is the inverse of :func:`parse`.

A movement is written as its steps, as in ``P>i1 F+ P>o1 M1>o8``. All other moves begin with a word.
"""

import re
from collections.abc import Mapping
from itertools import chain
from typing import TypeAlias

from msgspec import Struct

from games.kernel.language import gettext, gettext_noop
from games.kernel.move_patterns import MovePatterns, parse_move
from games.titles.dice_is_health.board import ORDER, SPACE_PATTERN, SPACES, Space
from games.titles.dice_is_health.meta import META
from games.titles.dice_is_health.state import MAX_MONSTERS

_COLOURS = tuple(colour.name.lower() for colour in META.colours)
"""What moves call each seat."""

MAX_STEPS = 18
"""Three sixes: no movement has more steps."""


class Walk(Struct, frozen=True):
    """A step of a piece, as in ``P>o1`` or ``M1>o7``. ``monster`` 0 is the player's piece."""

    monster: int
    to: Space

    def __str__(self) -> str:
        return f"M{self.monster}>{self.to}" if self.monster else f"P>{self.to}"


class Turn(Struct, frozen=True):
    """A turn of the fan by one sector, ``F+`` (1) up or ``F-`` (-1) down."""

    by: int

    def __str__(self) -> str:
        return "F+" if self.by > 0 else "F-"


Step: TypeAlias = Walk | Turn

UP = Turn(1)
DOWN = Turn(-1)
_WALKS = (Walk(n, space) for n in range(MAX_MONSTERS + 1) for space in SPACES)
STEPS: Mapping[str, Step] = {str(step): step for step in chain[Step]((UP, DOWN), _WALKS)}
"""All steps by their texts."""


class Movement(Struct, frozen=True):
    """All steps of a turn in order, by their text, as in ``P>i1 F+ P>o1 M1>o8``."""

    text: str

    @property
    def steps(self) -> tuple[Step, ...]:
        return tuple(STEPS[word] for word in self.text.split())

    def __str__(self) -> str:
        return self.text


class Wall(Struct, frozen=True):
    """A die paid for walls. Its text is ``wall``."""

    def __str__(self) -> str:
        return "wall"


class Walls(Struct, frozen=True):
    """The spaces of new walls, in the order of spaces, as in ``walls o1 i2``, or ``walls``."""

    spaces: tuple[Space, ...]

    def __str__(self) -> str:
        return " ".join(("walls", *self.spaces))


class Summon(Struct, frozen=True):
    """A die paid for a new monster, as in ``summon o5``."""

    space: Space

    def __str__(self) -> str:
        return f"summon {self.space}"


class Fight(Struct, frozen=True):
    """A fight with a monster, as in ``fight M2``."""

    monster: int

    def __str__(self) -> str:
        return f"fight M{self.monster}"


class Challenge(Struct, frozen=True):
    """A fight with a player, as in ``fight blue``."""

    seat: int

    def __str__(self) -> str:
        return f"fight {_COLOURS[self.seat]}"


class Attack(Struct, frozen=True):
    """The player whom a monster attacks next, as in ``attack blue``."""

    seat: int

    def __str__(self) -> str:
        return f"attack {_COLOURS[self.seat]}"


class Go(Struct, frozen=True):
    """The space to which a piece steps away after a fight, as in ``go o5``."""

    space: Space

    def __str__(self) -> str:
        return f"go {self.space}"


class Strip(Struct, frozen=True):
    """The walls that the loser of a fight loses, in the order of spaces, as in ``strip o1 o4``."""

    spaces: tuple[Space, ...]

    def __str__(self) -> str:
        return " ".join(("strip", *self.spaces))


class Done(Struct, frozen=True):
    """The end of a phase. Its text is ``done``."""

    def __str__(self) -> str:
        return "done"


Move: TypeAlias = Movement | Wall | Walls | Summon | Fight | Challenge | Attack | Go | Strip | Done

_STEP = f"p>{SPACE_PATTERN}|m[1-8]>{SPACE_PATTERN}|f[+-]"
_SEATS = {name: seat for seat, name in enumerate(_COLOURS)}
_COLOUR = "|".join(_SEATS)


def _movement(match: re.Match[str]) -> Movement:
    return Movement(" ".join(step.capitalize() for step in re.findall(_STEP, match[0])))


def _spaces(match: re.Match[str]) -> tuple[Space, ...]:
    """Return the spaces in a text, in their order.

    :raises ValueError: one is named twice.
    """
    names = re.findall(SPACE_PATTERN, match[1])
    if len(set(names)) < len(names):
        raise ValueError(gettext("one space is named twice."))
    return tuple(sorted(map(Space, names), key=ORDER.__getitem__))


_PATTERNS: MovePatterns[Move] = {
    re.compile(f"(?:{_STEP}){{1,{MAX_STEPS}}}"): _movement,
    re.compile("wall"): lambda _: Wall(),
    re.compile(f"walls((?:{SPACE_PATTERN})*)"): lambda match: Walls(_spaces(match)),
    re.compile(f"summon({SPACE_PATTERN})"): lambda match: Summon(Space(match[1])),
    re.compile("fightm([1-8])"): lambda match: Fight(int(match[1])),
    re.compile(f"fight({_COLOUR})"): lambda match: Challenge(_SEATS[match[1]]),
    re.compile(f"attack({_COLOUR})"): lambda match: Attack(_SEATS[match[1]]),
    re.compile(f"go({SPACE_PATTERN})"): lambda match: Go(Space(match[1])),
    re.compile(f"strip((?:{SPACE_PATTERN})+)"): lambda match: Strip(_spaces(match)),
    re.compile("done"): lambda _: Done(),
}

_HINT = gettext_noop(
    "P>o1 F+ M1>o7 moves your piece, the fan and a monster; wall, walls o1 i2 and summon o5 spend"
    " dice; fight M2, fight blue and attack blue fight; go o5 steps away, strip o1 o4 takes walls,"
    " and done wants no more."
)


def parse(text: str) -> Move:
    """Parse a move, ignoring blanks and case.

    :raises MalformedMove: it isn't a move of this game.
    """
    return parse_move(text, _PATTERNS, gettext(_HINT))
