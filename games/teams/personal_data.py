"""Personal data in team matches."""

from datetime import datetime
from typing import Any

from django.db.models import F

from accounts.models import User
from accounts.personal_data import PersonalData
from games.teams import services
from games.teams.models import TeamMatch, TeamPlayer


class TeamsData(PersonalData):
    """The team matches for which a user has signed up, and the challenges they made.

    Those that have begun are among the tournaments. Boards in a line-up are a secret of the
    leaders until then.
    """

    def export(self, user: User) -> dict[str, Any]:
        own = TeamPlayer.objects.filter(user=user).order_by("joined")
        made = TeamMatch.objects.filter(challenger=user).order_by("created")
        clubs = {"club": "first", "other_club": "second"}
        names = {name: F(f"{side}__name") for name, side in clubs.items()}
        of_match = {name: F(f"team_match__{side}__name") for name, side in clubs.items()}
        return {
            "team_matches": {
                "signed_up": list(own.values("team_match", "team", "joined", **of_match)),
                "challenges": list(made.values("id", "title", "status", "created", **names)),
            }
        }

    def delete(self, user: User, now: datetime) -> None:
        """Take the user out of team matches that haven't begun."""
        services.drop_all(user, now=now)
