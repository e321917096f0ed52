"""Where a player loses: the turning points of the latest reviewed matches, added up."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db.models import F

from accounts.models import User
from games.kernel import registry
from games.kernel.contract import Seat
from games.matches import listing
from games.matches.models import Match
from games.study import reviews
from games.study.models import Review
from games.study.reviewing import TurningPoint

LATEST = 50
"""Maximum number of reviewed matches that are added up."""

SEARCHED = 500
"""Number of the latest matches among which these are found."""

OPENING, MIDDLE, END = "opening", "middle", "end"
FIGHTS, DICE = "fights", "dice"

THIRDS = (OPENING, MIDDLE, END)
"""The parts of a match, each a third of its entries."""

OWN = (*THIRDS, FIGHTS)
"""What a player's own moves count for: the fights of a match, and the other moves of its thirds."""


@dataclass(frozen=True)
class Mistake:
    """A move that lowered its player's own chance, in thousandths, on average over its dice."""

    match: int
    number: int
    before: int
    after: int

    @property
    def cost(self) -> int:
        return self.before - self.after


@dataclass
class Habits:
    """What turning points cost a player in matches of one game.

    ``lost`` is the sum in thousandths of the chance to win: for the player's own moves under
    ``FIGHTS`` or by part of the match, and under ``DICE`` for unlucky rolls of anybody.
    """

    title: str
    matches: int = 0
    lost: dict[str, int] = field(default_factory=lambda: dict.fromkeys((*OWN, DICE), 0))
    worst: Mistake | None = None

    @property
    def own(self) -> int:
        """What the player's own moves cost."""
        return sum(self.lost[part] for part in OWN)

    @property
    def weakest(self) -> str:
        """What cost most: the fights, or a part of the match."""
        return max(OWN, key=lambda part: self.lost[part])

    def add(self, review: Review, seat: Seat) -> None:
        """Add the review of a match that the player played from a seat."""
        self.matches += 1
        for point in reviews.points_of(review):
            if point.seat == seat and point.is_move:
                self._add_point(review, point)

    def _add_point(self, review: Review, point: TurningPoint) -> None:
        worth = point.after if point.expected is None else point.expected
        if point.expected is not None:
            self.lost[DICE] += max(0, worth - point.after)
        if point.mover != point.seat:
            return
        mistake = Mistake(review.match_id or 0, point.number, point.before, worth)
        if mistake.cost > 0:
            third = THIRDS[len(THIRDS) * (point.number - 1) // max(review.length, 1)]
            self.lost[FIGHTS if point.is_fight else third] += mistake.cost
            if self.worst is None or mistake.cost > self.worst.cost:
                self.worst = mistake


def of_player(user: User) -> Sequence[Habits]:
    """Return where a player loses, by game, the one with most reviewed matches first.

    It takes one query, and counts only matches whose review is ready.
    """
    latest = listing.ended(user).filter(status=Match.Status.OVER).values("pk")[:SEARCHED]
    found = Review.objects.filter(
        match__in=latest, status=Review.Status.READY, match__players__user=user
    )
    own = found.annotate(title=F("match__title"), seat=F("match__players__seat"))
    ordered = own.order_by("-match__players__ended", "-pk").defer("values", "closer")
    habits: dict[str, Habits] = {}
    known = registry.titles()
    for review in ordered[:LATEST]:
        if review.title in known:
            habits.setdefault(review.title, Habits(review.title)).add(review, review.seat)
    return sorted(habits.values(), key=lambda one: (-one.matches, one.title))
