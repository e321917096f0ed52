"""The four kinds of move; ``str`` gives each its canonical text."""

from dataclasses import dataclass
from typing import TypeAlias

from games.titles.grim_reaper import squares
from games.titles.grim_reaper.population import Sex
from games.titles.grim_reaper.squares import Square


@dataclass(frozen=True, slots=True)
class Placement:
    """A piece from the reserve; its text is ``M10a1``."""

    sex: Sex
    life: int
    square: Square

    def __str__(self) -> str:
        return f"{self.sex}{self.life}{squares.name_of(self.square)}"


@dataclass(frozen=True, slots=True)
class Walk:
    """A piece that goes one or two steps; its text is ``b4-a4``."""

    origin: Square
    target: Square

    def __str__(self) -> str:
        return f"{squares.name_of(self.origin)}-{squares.name_of(self.target)}"


@dataclass(frozen=True, slots=True, order=True)
class Child:
    """A birth: where, and of which sex; its text is ``Ma2``."""

    square: Square
    sex: Sex

    def __str__(self) -> str:
        return f"{self.sex}{squares.name_of(self.square)}"


@dataclass(frozen=True, slots=True)
class Births:
    """The births of one step, by column, then row; their text is ``+Ma2,Fc4``."""

    children: tuple[Child, ...]

    def __str__(self) -> str:
        return "+" + ",".join(map(str, self.children))


@dataclass(frozen=True, slots=True)
class Pass:
    """Nothing done."""

    def __str__(self) -> str:
        return "pass"


Move: TypeAlias = Placement | Walk | Births | Pass
