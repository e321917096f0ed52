"""Personal data in ratings."""

from datetime import datetime
from typing import Any

from accounts.models import User
from accounts.personal_data import PersonalData
from games.ratings.models import Rating, RatingChange, RatingPreferences


class RatingsData(PersonalData):
    """The ratings of a user with their history, and the preference for leaderboards."""

    def export(self, user: User) -> dict[str, Any]:
        changes = RatingChange.objects.filter(user=user).order_by("ended", "match")
        numbers = ("matches", "mu", "sigma")
        before = ("mu_before", "sigma_before")
        return {
            "ratings": {
                "now": list(
                    Rating.objects.filter(user=user)
                    .order_by("title")
                    .values("title", "ended", *numbers)
                ),
                "history": list(
                    changes.values("title", "match", "ended", "timed_out", *before, *numbers)
                ),
                "preferences": list(
                    RatingPreferences.objects.filter(user=user).values("is_listed")
                ),
            }
        }

    def delete(self, user: User, now: datetime) -> None:
        """Delete the preference. Ratings stay with the matches, under the erased account.

        The ratings of others depend on them. No page shows them any more.
        """
        RatingPreferences.objects.filter(user=user).delete()
