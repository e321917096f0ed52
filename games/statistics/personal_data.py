"""Personal data in statistics."""

from datetime import datetime
from typing import Any

from django.db.models import F

from accounts.models import User
from accounts.personal_data import PersonalData
from games.statistics import counting
from games.statistics.models import PairCount, PlayerCount, Streak


class StatisticsData(PersonalData):
    """The counts of a user, of pairs with each opponent, and streaks."""

    def export(self, user: User) -> dict[str, Any]:
        counts = PlayerCount.objects.filter(user=user, number__gt=0)
        pairs = PairCount.objects.filter(user=user).order_by("title", "opponent")
        streaks = Streak.objects.filter(user=user).order_by("company")
        results = ("won", "tied", "lost")
        return {
            "statistics": {
                "counts": list(
                    counts.order_by("title", "kind", "key").values(
                        "title", "company", "kind", "key", "number"
                    )
                ),
                "opponents": list(
                    pairs.values("title", "company", *results, player=F("opponent__username"))
                ),
                "streaks": list(streaks.values("company", "result", "length", "longest")),
            }
        }

    def delete(self, user: User, now: datetime) -> None:
        """Delete the user's own counts. Opponents keep theirs, which refer to the erased row."""
        counting.forget(user.pk)

    def hand_over(self, guest: User, user: User, now: datetime) -> None:
        """Mark the account and its opponents to be counted again."""
        counting.mark_merged(guest, user)

    def delete_guest(self, guest: User, now: datetime) -> None:
        """Delete the guest's own counts; the totals of games stay."""
        counting.forget(guest.pk)
