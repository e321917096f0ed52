"""Personal data in matches: seats, plans, vacations, watched matches, usual time to answer."""

from datetime import datetime
from typing import Any
from uuid import uuid4

from accounts.models import User
from accounts.personal_data import PersonalData
from games.kernel.errors import GameError
from games.matches import services
from games.matches.errors import Busy, OutOfTime, StaleMove
from games.matches.models import (
    ConditionalMoves,
    FormerPlayer,
    LogEntry,
    Match,
    Pace,
    Player,
    StandingOrder,
    Vacation,
    Watch,
)
from games.matches.update import ATTEMPTS


class MatchesData(PersonalData):
    """The seats of a user, and what belongs to them."""

    def export(self, user: User) -> dict[str, Any]:
        seats = Player.objects.filter(user=user).select_related("match").order_by("match_id")
        former = FormerPlayer.objects.filter(user=user).select_related("match").order_by("match_id")
        vacations = Vacation.objects.filter(user=user)
        watched = Watch.objects.filter(user=user)
        return {
            "matches": [*map(_seat, seats), *map(_former_seat, former)],
            "vacations": list(vacations.values("begin", "end", "shows_end", "automatic")),
            "watched_matches": list(watched.values("match", "since", "tells_end")),
            "usual_time_to_answer": Pace.objects.filter(user=user)
            .values("median", "answers")
            .first(),
        }

    def delete(self, user: User, now: datetime) -> None:
        """Resign from all running matches. See :func:`leave_all`."""
        leave_all(user, now)


def leave_all(user: User, now: datetime) -> None:
    """Delete plans, vacations, watches and pace, and resign from all running matches.

    :raises Busy: others kept moving in some of the matches. Call it again later.
    """
    ConditionalMoves.objects.filter(player__user=user).delete()
    StandingOrder.objects.filter(player__user=user).delete()
    Vacation.objects.filter(user=user).delete()
    Pace.objects.filter(user=user).delete()
    Watch.objects.filter(user=user).delete()
    running = Player.objects.filter(user=user, ended=None, dropped="").order_by("match_id")
    matches = list(running.values_list("match_id", flat=True))
    if stayed := [pk for pk in matches if not _resign(pk, user, now)]:
        raise Busy(f"User {user.pk} could not leave the matches {stayed}.")


def _resign(match_id: int, user: User, now: datetime) -> bool:
    """Resign, retrying if others move meanwhile. ``False`` if they always do.

    Nobody can resign from a match that has ended or is unreadable, so it counts as left.
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


def _seat(player: Player) -> dict[str, Any]:
    plan = ConditionalMoves.objects.filter(player=player).first()
    order = StandingOrder.objects.filter(player=player).first()
    return {
        "match": player.match_id,
        "game": player.match.title,
        "seat": player.seat,
        "created": player.match.created,
        "ended": player.ended,
        "result": player.result,
        "entries": _entries(player.match_id, player.seat, number__gt=player.since),
        "conditional_moves": plan.nodes if plan else [],
        "standing_order": order.name if order else "",
    }


def _former_seat(left: FormerPlayer) -> dict[str, Any]:
    """Return a seat that a substitute took over, with the moves before that."""
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
