"""Where a player loses, as the own profile shows it: three sentences and a picture a game."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import (
    gettext,
    gettext_lazy,
    gettext_noop,
    ngettext,
    pgettext_lazy,
)

from accounts.models import User
from games.kernel import registry
from games.study import habits
from games.study.habits import DICE, FIGHTS, OWN, THIRDS, Habits
from games.study.reviewing import WHOLE
from games.web.statistics import charts
from games.web.study.review import percent

NAMES = {
    "opening": pgettext_lazy("match", "Opening"),
    "middle": pgettext_lazy("match", "Middle"),
    "end": pgettext_lazy("match", "End"),
    # Translators: beside a bar of a chart, which has room for 16 letters.
    FIGHTS: gettext_lazy("Fights, captures"),
    # Translators: beside a bar of a chart, which has room for 16 letters.
    DICE: gettext_lazy("Unlucky dice"),
}
LUCK = gettext_lazy("Bad luck")
"""The name of ``DICE`` in games in which chance is more than dice."""

LOSE_MOST = {
    "opening": gettext_noop(
        "You lose most in the first third of a match: {share} of these points."
    ),
    "middle": gettext_noop(
        "You lose most in the middle third of a match: {share} of these points."
    ),
    "end": gettext_noop("You lose most in the last third of a match: {share} of these points."),
    FIGHTS: gettext_noop("You lose most in fights and captures: {share} of these points."),
}


@dataclass(frozen=True)
class ShownHabits:
    """Where a player loses in one game."""

    habits: Habits

    @property
    def rows(self) -> Sequence[tuple[str, int]]:
        """The points lost in a match on average, by part of the match."""
        title = registry.get(self.habits.title)
        own = OWN if title.fights else THIRDS
        parts = (*own, DICE) if title.meta.has_chance else own
        names = dict(NAMES)
        if not title.meta.has_dice_alone:
            names[DICE] = LUCK
        return [(str(names[part]), self._mean(self.habits.lost[part])) for part in parts]

    @property
    def picture(self) -> SafeString:
        label = gettext("Points of the chance to win lost in a match. See the table.")
        return charts.bars(self.rows, label)

    @property
    def sentences(self) -> Sequence[str]:
        """What the numbers mean, apart from the most expensive move."""
        one, count = self.habits, self.habits.matches
        if not one.own:
            text = ngettext(
                "In {count} reviewed match, no move of yours cost 10 points of your chance to win.",
                "In {count} reviewed matches, no move of yours cost 10 points of your chance to"
                " win.",
                count,
            )
            return [text.format(count=count)]
        cost = self._mean(one.own)
        share = percent(WHOLE * one.lost[one.weakest] // one.own)
        text = ngettext(
            "In {count} reviewed match, mistakes cost you {points} points of your chance to win on"
            " average.",
            "In {count} reviewed matches, mistakes cost you {points} points of your chance to win"
            " on average.",
            count,
        )
        return [
            text.format(count=count, points=cost),
            gettext(LOSE_MOST[one.weakest]).format(share=share),
        ]

    @property
    def before(self) -> str:
        """The chance before the most expensive move. Empty if there is none."""
        return percent(self.habits.worst.before) if self.habits.worst else ""

    @property
    def after(self) -> str:
        """The chance after it."""
        return percent(self.habits.worst.after) if self.habits.worst else ""

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
