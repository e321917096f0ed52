"""Personal data in tournaments."""

from datetime import datetime
from typing import Any

from django.db.models import F

from accounts.models import User
from accounts.personal_data import PersonalData
from games.events import services
from games.events.models import Entry, Tournament, Waiting


class EventsData(PersonalData):
    """The tournaments a user has entered, waits for or has organised."""

    def export(self, user: User) -> dict[str, Any]:
        """Return entries with their places, waiting lists, and what the user has announced."""
        entered = Entry.objects.filter(user=user).order_by("joined")
        waiting = Waiting.objects.filter(user=user).order_by("joined")
        organised = Tournament.objects.filter(organiser=user).order_by("created")
        return {
            "tournaments": {
                "entered": list(
                    entered.values(
                        "tournament", "joined", "left", "place", name=F("tournament__name")
                    )
                ),
                "waiting_for": list(
                    waiting.values("tournament", "joined", name=F("tournament__name"))
                ),
                "organised": list(
                    organised.values("id", "name", "about", "title", "status", "created")
                ),
            }
        }

    def delete(self, user: User, now: datetime) -> None:
        """Leave open and running tournaments, and cancel one's own that haven't begun.

        The results stay under the erased account, since those of others depend on them. What the
        user wrote in names and descriptions goes.
        """
        Waiting.objects.filter(user=user).delete()
        mine = Entry.objects.filter(user=user, left=None, tournament__status__in=Tournament.CURRENT)
        for pk in mine.order_by("tournament").values_list("tournament", flat=True):
            services.leave(tournament_id=pk, user=user, now=now)
        services.clear_texts(organiser=user, now=now)
        Tournament.objects.filter(organiser=user).update(organiser=None)
