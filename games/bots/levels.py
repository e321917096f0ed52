"""The levels of computer players, the lowest first."""

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
