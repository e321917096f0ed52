"""Personal data among boards."""

from datetime import datetime
from typing import Any

from accounts.models import User
from accounts.personal_data import PersonalData
from games.study.models import Study


class StudyData(PersonalData):
    """The boards that a user has saved."""

    def export(self, user: User) -> dict[str, Any]:
        """Return the boards with their lines."""
        rows = Study.objects.filter(owner=user)
        fields = ("title", "name", "names", "tree", "visibility", "created")
        return {"boards": list(rows.values(*fields))}

    def delete(self, user: User, now: datetime) -> None:
        """Delete the boards."""
        Study.objects.filter(owner=user).delete()

    def hand_over(self, guest: User, user: User, now: datetime) -> None:
        """Give the boards of a guest to the account."""
        Study.objects.filter(owner=guest).update(owner=user)

    def delete_guest(self, guest: User, now: datetime) -> None:
        """Delete the boards of a guest."""
        Study.objects.filter(owner=guest).delete()
