"""Where a player loses, as the own profile shows it: three sentences and a picture a game."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.safestring import SafeString

from accounts.models import User
from games.kernel import registry
from games.study import habits
from games.study.habits import DICE, THIRDS, Habits
from games.study.reviewing import WHOLE
from games.web.statistics import charts
from games.web.study.review import percent

NAMES = {"opening": "Opening", "middle": "Middle", "end": "End", DICE: "Unlucky dice"}

IN_WORDS = {"opening": "the first third", "middle": "the middle third", "end": "the last third"}


@dataclass(frozen=True)
class ShownHabits:
    """Where a player loses in one game."""

    habits: Habits

    @property
    def rows(self) -> Sequence[tuple[str, int]]:
        """The points lost in a match on average, by part of the match."""
        rolls = registry.get(self.habits.title).meta.has_chance
        parts = (*THIRDS, DICE) if rolls else THIRDS
        return [(NAMES[part], self._mean(self.habits.lost[part])) for part in parts]

    @property
    def picture(self) -> SafeString:
        return charts.bars(self.rows, "Points of the chance to win lost in a match. See the table.")

    @property
    def sentences(self) -> Sequence[str]:
        """What the numbers mean, apart from the most expensive move."""
        one, count = self.habits, self.habits.matches
        reviewed = f"{count} reviewed match{'es' if count > 1 else ''}"
        if not one.own:
            return [f"In {reviewed}, no move of yours cost 10 points of your chance to win."]
        cost = self._mean(one.own)
        share = percent(WHOLE * one.lost[one.weakest] // one.own)
        return [
            f"In {reviewed}, mistakes cost you {cost} points of your chance to win on average.",
            f"You lose most in {IN_WORDS[one.weakest]} of a match: {share} of these points.",
        ]

    @property
    def worst(self) -> str:
        """What the most expensive move cost. Empty if there is none."""
        worst = self.habits.worst
        if worst is None:
            return ""
        return f"took your chance from {percent(worst.before)} to {percent(worst.after)}."

    @property
    def address(self) -> str:
        """The address of the position after the most expensive move, in its review."""
        worst = self.habits.worst
        return f"{reverse('match-review', args=[worst.match])}?at={worst.number}" if worst else ""

    def _mean(self, lost: int) -> int:
        """Return points lost in a match on average."""
        return round(100 * lost / WHOLE / self.habits.matches)


def of_player(user: User) -> Sequence[ShownHabits]:
    return [ShownHabits(one) for one in habits.of_player(user)]
