"""The levels of bots, the lowest first.

The ``Heuristics`` of each game (``games/titles/<game>/bot.py``) say how strong they are.
"""

from dataclasses import dataclass

from django.utils.translation import pgettext_lazy

from games.kernel.language import gettext_noop

LABELS = {
    gettext_noop("beginner"): pgettext_lazy("level of a bot", "Beginner"),
    gettext_noop("casual"): pgettext_lazy("level of a bot", "Casual"),
    gettext_noop("strong"): pgettext_lazy("level of a bot", "Strong"),
    gettext_noop("expert"): pgettext_lazy("level of a bot", "Expert"),
}


@dataclass(frozen=True)
class Level:
    """A level: its number from 0, and its name as in ``bot-casual``."""

    number: int
    name: str

    @property
    def label(self) -> str:
        """The level as shown to people."""
        return str(LABELS[self.name])

    @property
    def resigns(self) -> bool:
        """Whether it resigns lost matches.

        Lower levels play to the end, so that newcomers see how a win comes about.
        """
        return self.number > 1


LEVELS = tuple(Level(number, name) for number, name in enumerate(LABELS))


def named(name: str) -> Level:
    """Return the level with this name. The lowest for an unknown name."""
    return next((level for level in LEVELS if level.name == name), LEVELS[0])


def above(level: Level) -> Level | None:
    """Return the next higher level. ``None`` above the highest."""
    return next((other for other in LEVELS if other.number == level.number + 1), None)


def below(level: Level) -> Level | None:
    """Return the next lower level. ``None`` below the lowest."""
    return next((other for other in LEVELS if other.number == level.number - 1), None)
