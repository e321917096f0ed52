"""Personal data in clubs."""

from datetime import datetime
from typing import Any

from django.db.models import F

from accounts.models import User
from accounts.personal_data import PersonalData
from games.clubs import services
from games.clubs.models import Candidate, Club, Exclusion, LeaderAct, Membership, Message


class ClubsData(PersonalData):
    """The clubs of a user, and what they wrote there."""

    def export(self, user: User) -> dict[str, Any]:
        own = Membership.objects.filter(user=user).order_by("joined")
        founded = Club.objects.filter(founder=user).order_by("created")
        pending = Candidate.objects.filter(user=user).order_by("created")
        excluded = Exclusion.objects.filter(user=user).order_by("since")
        messages = Message.objects.filter(author=user).order_by("created")
        acts = LeaderAct.objects.filter(actor=user).order_by("at")
        name = F("club__name")
        return {
            "clubs": {
                "memberships": list(own.values("club", "joined", "led_since", name=name)),
                "founded": list(founded.values("id", "name", "about", "created", "closed")),
                "requests_and_invitations": list(
                    pending.values("club", "kind", "text", "created", "declined", name=name)
                ),
                "removed_from": list(
                    excluded.values("club", "reason", "since", "until", name=name)
                ),
                "acts_as_leader": list(
                    acts.values("club", "at", "kind", "title", "team_match", "reason", name=name)
                ),
                "messages": list(messages.values("club", "text", "created", name=name)),
            }
        }

    def delete(self, user: User, now: datetime) -> None:
        """Leave all clubs, which pass on to other members, and delete what the user wrote.

        The text of a club that goes on stays, since it is that of the club.
        """
        services.leave_all(user, now=now)
        Exclusion.objects.filter(user=user).delete()
        Message.objects.filter(author=user).delete()
        LeaderAct.objects.filter(actor=user).update(reason="")
        for club in Club.objects.filter(founder=user):
            if not club.is_open:
                services.clear_texts(club_id=club.pk)
        Club.objects.filter(founder=user).update(founder=None)
