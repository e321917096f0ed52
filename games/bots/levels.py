"""The levels of computer players, the lowest first.

How well each plays is said by the ``Heuristics`` of each game (``games/titles/<game>/bot.py``).
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Level:
    """A level: its number from 0, and its name as in ``bot-casual``."""

    number: int
    name: str

    @property
    def label(self) -> str:
        """The level as people read it."""
        return self.name.capitalize()


LEVELS = tuple(
    Level(number, name) for number, name in enumerate(("beginner", "casual", "strong", "expert"))
)


def named(name: str) -> Level:
    """Return the level of a name; the lowest where there is none of that name."""
    return next((level for level in LEVELS if level.name == name), LEVELS[0])


def above(level: Level) -> Level | None:
    """Return the next higher level; ``None`` above the highest."""
    return next((other for other in LEVELS if other.number == level.number + 1), None)


def below(level: Level) -> Level | None:
    """Return the next lower level; ``None`` below the lowest."""
    return next((other for other in LEVELS if other.number == level.number - 1), None)
