"""Standing orders: a player lets calls be answered, and nobody else can tell.

An order answers through the same service as a move, after a random delay that is stored when the
call is seen. Whatever a player does by hand comes first and makes it void.
"""

import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from uuid import uuid4

from django.db.models import F

from accounts.models import User
from games.kernel.contract import AnswerPolicy, Seat
from games.kernel.errors import RulesError
from games.matches import presentation, selectors, services
from games.matches.errors import Refused
from games.matches.isolation import isolate_errors
from games.matches.models import Match, StandingOrder
from games.matches.selectors import MatchSnapshot

SHORTEST, LONGEST = timedelta(minutes=1), timedelta(minutes=10)
"""The bounds of the delay after which an order answers."""

MARGIN = timedelta(minutes=1)
"""An order answers at least so long before the deadline, whatever else its delay would be."""

AHEAD = timedelta(seconds=15)
"""Orders are handed out so long before they are due, to be answered at the very moment."""

EARLY = timedelta(seconds=1)
"""Clocks of machines differ by as much."""


def offered(snapshot: MatchSnapshot) -> Mapping[str, AnswerPolicy]:
    """Return the standing orders of a match by name."""
    return snapshot.title.standing_orders(snapshot.match.params)


def order_of(snapshot: MatchSnapshot, seat: Seat) -> StandingOrder | None:
    """Return the order that a seat has given."""
    return StandingOrder.objects.filter(player=snapshot.players[seat]).first()


def answer_of(snapshot: MatchSnapshot, order: StandingOrder, seat: Seat) -> str:
    """Return the move by which an order would answer now; empty while nothing is asked."""
    policy = offered(snapshot).get(order.name)
    if policy is None or seat not in snapshot.actors:
        return ""
    return policy.answer(presentation.view_of(snapshot, seat), seat)


def give(*, match_id: int, user: User, name: str, now: datetime) -> None:
    """Give a standing order, in place of any before it; with no name, give none.

    :raises Refused: there is no such order, or the player plays no more.
    """
    snapshot = selectors.snapshot(match_id)
    player = snapshot.players[snapshot.seat_for(user)]
    if not name:
        StandingOrder.objects.filter(player=player).delete()
        return
    if name not in offered(snapshot):
        raise Refused(f"There is no standing order {name!r} in this match.")
    if not snapshot.match.is_running or player not in snapshot.seats_still_in():
        raise Refused("You play in this match no more.")
    anew: dict[str, Any] = {"name": name, "given": now, "seen": None, "called": None, "due": None}
    StandingOrder.objects.update_or_create(player=player, defaults=anew)


def look() -> None:
    """See which orders are called since they were last looked at, and say when each answers."""
    StandingOrder.objects.exclude(player__match__status=Match.Status.RUNNING).delete()
    waiting = StandingOrder.objects.filter(player__to_move=True)
    waiting = waiting.exclude(seen=F("player__match__version"))
    for pk in list(waiting.values_list("pk", flat=True)):
        isolate_errors(f"Standing order {pk}", partial(_look, pk))


def soon(*, now: datetime) -> list[tuple[int, datetime]]:
    """Return the ids of the orders that are due by the next sweep, and when each is."""
    due = StandingOrder.objects.filter(due__lte=now + AHEAD, player__to_move=True)
    return [(pk, moment) for pk, moment in due.values_list("pk", "due") if moment]


def answer(pk: int, *, now: datetime) -> bool:
    """Let an order answer, if it is due and still stands; twice is harmless."""
    return bool(isolate_errors(f"Standing order {pk}", partial(_answer, pk, now)))


def _read(pk: int) -> StandingOrder | None:
    return StandingOrder.objects.select_related("player__user").filter(pk=pk).first()


def _look(pk: int) -> None:
    """Note when an order will answer; two sweeps at once note it once."""
    order = _read(pk)
    if order is None:
        return
    snapshot = selectors.snapshot(order.player.match_id)
    found = {"seen": snapshot.match.version, **_moment(snapshot, order)}
    StandingOrder.objects.filter(pk=pk, seen=order.seen, given=order.given).update(**found)


def _moment(snapshot: MatchSnapshot, order: StandingOrder) -> dict[str, Any]:
    """Return what to note of a call; one that was noted before keeps its moment."""
    seat = Seat(order.player.seat)
    if not answer_of(snapshot, order, seat):
        return {"called": None, "due": None}
    entry = presentation.last_event_entry(selectors.log(snapshot.match))
    number, since = (entry.number, entry.at) if entry else (0, snapshot.match.created)
    if number == order.called:
        return {}
    begin = max(since, order.given)
    due = begin + _delay(begin, snapshot.players[seat].deadline)
    return {"called": number, "due": due, "submission": uuid4()}


def _delay(begin: datetime, deadline: datetime | None) -> timedelta:
    """Draw the delay of an answer, so that it comes in time."""
    room = LONGEST if deadline is None else deadline - MARGIN - begin
    most = max(min(LONGEST, room), timedelta())
    least = min(SHORTEST, most)
    step = timedelta(milliseconds=1)
    return least + secrets.randbelow((most - least) // step + 1) * step


def _answer(pk: int, now: datetime) -> bool:
    order = _read(pk)
    if order is None or order.due is None or order.submission is None or order.due > now + EARLY:
        return False
    snapshot = selectors.snapshot(order.player.match_id)
    text = answer_of(snapshot, order, Seat(order.player.seat))
    if not text or order.seen != snapshot.match.version:
        return False
    try:
        services.play_move(
            match_id=snapshot.match.pk,
            user=order.player.user,
            texts=[text],
            version=snapshot.match.version,
            submission=order.submission,
            now=now,
        )
    except (Refused, RulesError):
        # Somebody was faster; what is asked now is seen by the next look.
        return False
    return True
