"""What becomes of the matches of somebody whose account is deleted, and what is stored of them."""

from datetime import datetime
from typing import Any
from uuid import uuid4

from accounts.models import User
from games.kernel.errors import GameError
from games.matches import services
from games.matches.models import LogEntry, Match, Player, Queue, StandingOrder, Vacation


def leave_all(user: User, now: datetime) -> None:
    """Resign from every match that is running; plans go, what was played stays."""
    Queue.objects.filter(player__user=user).delete()
    StandingOrder.objects.filter(player__user=user).delete()
    Vacation.objects.filter(user=user).delete()
    running = Player.objects.filter(user=user, ended=None, dropped="")
    for match in Match.objects.filter(pk__in=running.values("match")):
        _leave(match, user, now)


def _leave(match: Match, user: User, now: datetime) -> None:
    """Resign, or leave it to the clock where that is refused now."""
    try:
        services.resign(
            match_id=match.pk, user=user, version=match.version, submission=uuid4(), now=now
        )
    except GameError:
        return


def own_data(user: User) -> list[dict[str, Any]]:
    """Return the seats of a user, with what was played from them and what is planned."""
    seats = Player.objects.filter(user=user).select_related("match").order_by("match_id")
    return [_seat(player) for player in seats]


def own_vacations(user: User) -> Any:
    """Return the vacations of a user."""
    return list(Vacation.objects.filter(user=user).values("begin", "end", "shows_end", "automatic"))


def _seat(player: Player) -> dict[str, Any]:
    entries = LogEntry.objects.filter(match=player.match, seat=player.seat).order_by("number")
    queue = Queue.objects.filter(player=player).first()
    order = StandingOrder.objects.filter(player=player).first()
    return {
        "match": player.match_id,
        "game": player.match.title,
        "seat": player.seat,
        "created": player.match.created,
        "ended": player.ended,
        "result": player.result,
        "entries": list(entries.values("number", "kind", "text", "at")),
        "queue": queue.moves if queue else [],
        "standing_order": order.name if order else "",
    }
