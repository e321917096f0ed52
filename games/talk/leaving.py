"""What somebody wrote: all of it for that person, and none of it after the account is deleted."""

from datetime import datetime
from typing import Any

from django.db.models import F, Q

from accounts.models import User
from games.talk.models import Greeting, LastRead, Line, Muting, PrivateNote


def forget(user: User, now: datetime) -> None:
    """Delete what a user has written, in chats and for themselves."""
    Line.objects.filter(author=user).delete()
    LastRead.objects.filter(user=user).delete()
    PrivateNote.objects.filter(user=user).delete()
    Muting.objects.filter(Q(user=user) | Q(muted=user)).delete()
    Greeting.objects.filter(user=user).delete()


def own_data(user: User) -> dict[str, Any]:
    """Return what is stored of what a user has written."""
    lines = Line.objects.filter(author=user)
    notes = PrivateNote.objects.filter(user=user)
    muted = Muting.objects.filter(user=user)
    return {
        "lines": list(lines.values("match", "room", "version", "text", "created", "hidden")),
        "read_up_to": list(LastRead.objects.filter(user=user).values("match", "line")),
        "notes": list(notes.values("match", "text", "changed")),
        "muted_players": list(muted.values("created", player=F("muted__username"))),
        "greeting": Greeting.objects.filter(user=user).values_list("text", flat=True).first(),
    }
