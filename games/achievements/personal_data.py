"""Personal data in achievements."""

from datetime import datetime
from typing import Any

from accounts.models import User
from accounts.personal_data import PersonalData
from games.achievements import giving
from games.achievements.models import Award


class AchievementsData(PersonalData):
    """The achievements of a user, with the matches in which they were earned."""

    def export(self, user: User) -> dict[str, Any]:
        awards = Award.objects.filter(user=user).order_by("at", "match", "title", "key")
        return {"achievements": list(awards.values("title", "key", "match", "at", "is_first"))}

    def delete(self, user: User, now: datetime) -> None:
        """Delete the achievements. They count no longer, and the matches stay."""
        giving.forget(user.pk)
