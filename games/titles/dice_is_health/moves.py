"""The kinds of move; ``str`` gives each its canonical text."""

from dataclasses import dataclass
from typing import TypeAlias

from games.titles.dice_is_health.events import name_of
from games.titles.dice_is_health.spaces import NAMES, Space

MONSTERS = ("M1", "M2", "M3", "M4", "M5", "M6", "M7", "M8")


@dataclass(frozen=True, slots=True)
class Walk:
    """A step of a piece, as in ``P>o1`` or ``M1>o7``; ``monster`` 0 is the player's piece."""

    monster: int
    to: Space

    def __str__(self) -> str:
        return _WALKS[self.monster][self.to]


_WALKS = [[f"{piece}>{name}" for name in NAMES] for piece in ("P", *MONSTERS)]
"""The texts of all steps of pieces: a movement has many, and movements are many."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The fan turns by one sector, ``F+`` up or ``F-`` down."""

    by: int

    def __str__(self) -> str:
        return "F+" if self.by > 0 else "F-"


Step: TypeAlias = Walk | Turn


@dataclass(frozen=True, slots=True)
class Movement:
    """All steps of a turn in order, as in ``P>i1 F+ P>o1 M1>o8``."""

    steps: tuple[Step, ...]

    def __str__(self) -> str:
        return " ".join(map(str, self.steps))


@dataclass(frozen=True, slots=True)
class Wall:
    """A die given for walls; its text is ``wall``."""

    def __str__(self) -> str:
        return "wall"


@dataclass(frozen=True, slots=True)
class Walls:
    """Where walls are put up, in the order of spaces, as in ``walls o1 i2``; or ``walls``."""

    spaces: tuple[Space, ...]

    def __str__(self) -> str:
        return " ".join(("walls", *map(str, self.spaces)))


@dataclass(frozen=True, slots=True)
class Summon:
    """A die given for a new monster, as in ``summon o5``."""

    space: Space

    def __str__(self) -> str:
        return f"summon {self.space}"


@dataclass(frozen=True, slots=True)
class Fight:
    """A fight with a monster, as in ``fight M2``."""

    monster: int

    def __str__(self) -> str:
        return f"fight M{self.monster}"


@dataclass(frozen=True, slots=True)
class Challenge:
    """A fight with a player, as in ``fight blue``."""

    seat: int

    def __str__(self) -> str:
        return f"fight {name_of(self.seat).lower()}"


@dataclass(frozen=True, slots=True)
class Attack:
    """The player at whom a monster is sent on, as in ``attack blue``."""

    seat: int

    def __str__(self) -> str:
        return f"attack {name_of(self.seat).lower()}"


@dataclass(frozen=True, slots=True)
class Go:
    """Where a piece steps away to after a fight, as in ``go o5``."""

    space: Space

    def __str__(self) -> str:
        return f"go {self.space}"


@dataclass(frozen=True, slots=True)
class Strip:
    """The walls that the loser of a fight loses, in the order of spaces, as in ``strip o1 o4``."""

    spaces: tuple[Space, ...]

    def __str__(self) -> str:
        return " ".join(("strip", *map(str, self.spaces)))


@dataclass(frozen=True, slots=True)
class Done:
    """No more of what is offered; its text is ``done``."""

    def __str__(self) -> str:
        return "done"


Move: TypeAlias = Movement | Wall | Walls | Summon | Fight | Challenge | Attack | Go | Strip | Done
