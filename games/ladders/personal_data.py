"""Personal data on ladders."""

from datetime import datetime
from typing import Any

from django.db.models import F, Q

from accounts.models import User
from accounts.personal_data import PersonalData
from games.ladders import services
from games.ladders.models import LadderChallenge, LadderPlace


class LaddersData(PersonalData):
    """The places of a user and their challenges for places."""

    def export(self, user: User) -> dict[str, Any]:
        places = LadderPlace.objects.filter(user=user).order_by("title")
        mine = LadderChallenge.objects.filter(Q(challenger=user) | Q(defender=user))
        names = {"by": F("challenger__username"), "to": F("defender__username")}
        return {
            "ladders": {
                "places": list(places.values("title", "club", "position", "joined", "active")),
                "challenges": list(
                    mine.order_by("pk").values(
                        "title", "club", "created", "outcome", "closed", **names
                    )
                ),
            }
        }

    def delete(self, user: User, now: datetime) -> None:
        """Leave all ladders. The results stay, under the erased account."""
        services.leave_all(user, now)
