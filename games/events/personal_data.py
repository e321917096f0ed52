"""Personal data in tournaments."""

from datetime import datetime
from typing import Any

from django.db.models import F, QuerySet

from accounts.models import User
from accounts.personal_data import PersonalData
from games.events import acts, organising, services
from games.events.models import (
    ByeRequest,
    CoOrganiser,
    Entry,
    EntryInvitation,
    OrganiserAct,
    Tournament,
    Waiting,
)


def _with_names(rows: QuerySet[Any], *columns: str) -> list[dict[str, Any]]:
    """Return columns of rows about tournaments, with the names of these."""
    return [
        {"tournament": one.tournament_id, "name": one.tournament.name}
        | {column: getattr(one, column) for column in columns}
        for one in rows.select_related("tournament")
    ]


class EventsData(PersonalData):
    """The tournaments a user has entered, waits for or has organised."""

    def export(self, user: User) -> dict[str, Any]:
        entered = Entry.objects.filter(user=user).order_by("joined")
        waiting = Waiting.objects.filter(user=user).order_by("joined")
        organised = Tournament.objects.filter(organiser=user).order_by("created")
        return {
            "tournaments": {
                "entered": _with_names(entered, "joined", "left", "place", "word"),
                "waiting_for": _with_names(waiting, "joined"),
                "organised": [
                    {"id": one.pk, "name": one.name}
                    | {name: getattr(one, name) for name in ("about", "title", "status", "created")}
                    for one in organised
                ],
                "organised_with_others": _with_names(
                    CoOrganiser.objects.filter(user=user), "asked", "accepted"
                ),
                "invitations": _with_names(
                    EntryInvitation.objects.filter(user=user), "created", "declined"
                ),
                "byes_asked_for": list(
                    ByeRequest.objects.filter(entry__user=user).values(
                        "round", "asked", "granted", tournament=F("entry__tournament")
                    )
                ),
                "acts": [
                    {
                        "tournament": act.tournament_id,
                        "at": act.at,
                        "did": acts.did(acts.stored(act)),
                        "reason": act.reason,
                    }
                    for act in OrganiserAct.objects.filter(actor=user).select_related(
                        "tournament", "actor", "about", "undoes__about"
                    )
                ],
            }
        }

    def delete(self, user: User, now: datetime) -> None:
        """Leave open and running tournaments, and hand over or cancel one's own.

        A co-organiser becomes the organiser. Otherwise tournaments that haven't begun are
        cancelled, and moderators look after the others.

        The results stay under the erased account, since those of others depend on them. What the
        user wrote in names and descriptions goes.
        """
        Waiting.objects.filter(user=user).delete()
        mine = Entry.objects.filter(user=user, left=None, tournament__status__in=Tournament.CURRENT)
        for pk in mine.order_by("tournament").values_list("tournament", flat=True):
            services.leave(tournament_id=pk, user=user, now=now)
        organising.hand_over_all(user, now)
        services.clear_texts(organiser=user, now=now)
        Tournament.objects.filter(organiser=user).update(organiser=None)
        CoOrganiser.objects.filter(user=user).delete()
        EntryInvitation.objects.filter(user=user).delete()
        OrganiserAct.objects.filter(actor=user).update(reason="")
        OrganiserAct.objects.filter(actor=user).update(actor=None)
        OrganiserAct.objects.filter(about=user).update(about=None)
