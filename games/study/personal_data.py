"""Personal data among boards."""

from datetime import datetime
from typing import Any

from accounts.models import User
from accounts.personal_data import PersonalData
from games.study.models import PrivateBoard, Study


class StudyData(PersonalData):
    """The boards that a user has saved."""

    def export(self, user: User) -> dict[str, Any]:
        """Return the boards with their lines."""
        rows = Study.objects.filter(owner=user)
        fields = ("title", "name", "names", "tree", "visibility", "created")
        thoughts = PrivateBoard.objects.filter(owner=user)
        return {
            "boards": list(rows.values(*fields)),
            "boards_on_matches": list(thoughts.values("match", "root", "tree", "created")),
        }

    def delete(self, user: User, now: datetime) -> None:
        """Delete the boards."""
        PrivateBoard.objects.filter(owner=user).delete()
        Study.objects.filter(owner=user).delete()

    def hand_over(self, guest: User, user: User, now: datetime) -> None:
        """Give the boards of a guest to the account."""
        Study.objects.filter(owner=guest).update(owner=user)
        taken = PrivateBoard.objects.filter(owner=user).values("match")
        PrivateBoard.objects.filter(owner=guest).exclude(match__in=taken).update(owner=user)

    def delete_guest(self, guest: User, now: datetime) -> None:
        """Delete the boards of a guest."""
        PrivateBoard.objects.filter(owner=guest).delete()
        Study.objects.filter(owner=guest).delete()
