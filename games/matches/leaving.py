"""What becomes of the matches of somebody whose account is deleted, and what is stored of them."""

from datetime import datetime
from typing import Any
from uuid import uuid4

from accounts.models import User
from games.kernel.errors import GameError
from games.matches import services
from games.matches.errors import Busy, OutOfTime, StaleMove
from games.matches.models import (
    FormerPlayer,
    LogEntry,
    Match,
    Pace,
    Player,
    Queue,
    StandingOrder,
    Vacation,
    Watch,
)
from games.matches.update import ATTEMPTS


def leave_all(user: User, now: datetime) -> None:
    """Resign from every match that is running; plans go, what was played stays.

    :raises Busy: some are changing too fast, and wait for the next time.
    """
    Queue.objects.filter(player__user=user).delete()
    StandingOrder.objects.filter(player__user=user).delete()
    Vacation.objects.filter(user=user).delete()
    Pace.objects.filter(user=user).delete()
    Watch.objects.filter(user=user).delete()
    running = Player.objects.filter(user=user, ended=None, dropped="").order_by("match_id")
    matches = list(running.values_list("match_id", flat=True))
    if stayed := [pk for pk in matches if not _leave(pk, user, now)]:
        raise Busy(f"User {user.pk} could not leave the matches {stayed}.")


def _leave(match_id: int, user: User, now: datetime) -> bool:
    """Resign, also where others move meanwhile; ``False`` if they always do.

    What cannot be resigned from, because it has ended or is unreadable, waits for nobody.
    """
    for _ in range(ATTEMPTS):
        version = Match.objects.values_list("version", flat=True).get(pk=match_id)
        how: dict[str, Any] = {"version": version, "user": user, "now": now}
        try:
            services.resign(match_id=match_id, submission=uuid4(), **how)
        except (StaleMove, Busy, OutOfTime):
            continue
        except GameError:
            return True
        return True
    return False


def own_data(user: User) -> list[dict[str, Any]]:
    """Return the seats of a user, with what was played from them and what is planned."""
    seats = Player.objects.filter(user=user).select_related("match").order_by("match_id")
    left = FormerPlayer.objects.filter(user=user).select_related("match").order_by("match_id")
    return [*map(_seat, seats), *map(_left_seat, left)]


def own_vacations(user: User) -> Any:
    """Return the vacations of a user."""
    return list(Vacation.objects.filter(user=user).values("begin", "end", "shows_end", "automatic"))


def own_pace(user: User) -> Any:
    """Return how fast a user usually answers, as it was worked out last."""
    return Pace.objects.filter(user=user).values("median", "answers").first()


def _seat(player: Player) -> dict[str, Any]:
    queue = Queue.objects.filter(player=player).first()
    order = StandingOrder.objects.filter(player=player).first()
    return {
        "match": player.match_id,
        "game": player.match.title,
        "seat": player.seat,
        "created": player.match.created,
        "ended": player.ended,
        "result": player.result,
        "entries": _entries(player.match_id, player.seat, number__gt=player.since),
        "queue": queue.moves if queue else [],
        "standing_order": order.name if order else "",
    }


def _left_seat(left: FormerPlayer) -> dict[str, Any]:
    """Return a seat that a substitute took over, with what was played from it before."""
    return {
        "match": left.match_id,
        "game": left.match.title,
        "seat": left.seat,
        "created": left.match.created,
        "taken_over": left.at,
        "entries": _entries(left.match_id, left.seat, number__lt=left.until),
    }


def _entries(match_id: int, seat: int, **which: int) -> list[dict[str, Any]]:
    entries = LogEntry.objects.filter(match=match_id, seat=seat, **which).order_by("number")
    return list(entries.values("number", "kind", "text", "at"))


def own_watches(user: User) -> list[Any]:
    """Return the matches that a user watches."""
    return list(Watch.objects.filter(user=user).values("match", "since", "tells_end"))
