"""Personal data in chats and notes."""

from datetime import datetime
from typing import Any

from django.db.models import F, Q

from accounts.models import User
from accounts.personal_data import PersonalData
from games.talk.models import Greeting, LastRead, Line, Muting, PrivateNote


class TalkData(PersonalData):
    """What a user has written, read and muted."""

    def export(self, user: User) -> dict[str, Any]:
        lines = Line.objects.filter(author=user)
        notes = PrivateNote.objects.filter(user=user)
        muted = Muting.objects.filter(user=user)
        return {
            "talk": {
                "lines": list(
                    lines.values("match", "room", "version", "text", "created", "hidden")
                ),
                "read_up_to": list(LastRead.objects.filter(user=user).values("match", "line")),
                "notes": list(notes.values("match", "text", "changed")),
                "muted_players": list(muted.values("created", player=F("muted__username"))),
                "greeting": Greeting.objects.filter(user=user)
                .values_list("text", flat=True)
                .first(),
            }
        }

    def delete(self, user: User, now: datetime) -> None:
        """Delete all of it, and other users' mutes of the user."""
        Line.objects.filter(author=user).delete()
        LastRead.objects.filter(user=user).delete()
        PrivateNote.objects.filter(user=user).delete()
        Muting.objects.filter(Q(user=user) | Q(muted=user)).delete()
        Greeting.objects.filter(user=user).delete()
