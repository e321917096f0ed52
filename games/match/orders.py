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
from games.match import selectors, services, viewing
from games.match.errors import Refused
from games.match.models import Match, StandingOrder
from games.match.quietly import quietly
from games.match.selectors import Table

SHORTEST, LONGEST = timedelta(minutes=1), timedelta(minutes=10)
"""The bounds of the delay after which an order answers."""

MARGIN = timedelta(minutes=1)
"""An order answers at least so long before the deadline, whatever else its delay would be."""

AHEAD = timedelta(seconds=15)
"""Orders are handed out so long before they are due, to be answered at the very moment."""

EARLY = timedelta(seconds=1)
"""Clocks of machines differ by as much."""


def offered(at: Table) -> Mapping[str, AnswerPolicy]:
    """Return the standing orders of a match by name."""
    return at.title.standing_orders(at.match.params)


def order_of(at: Table, seat: Seat) -> StandingOrder | None:
    """Return the order that a seat has given."""
    return StandingOrder.objects.filter(player=at.players[seat]).first()


def answer_of(at: Table, order: StandingOrder, seat: Seat) -> str:
    """Return the move by which an order would answer now; empty while nothing is asked."""
    policy = offered(at).get(order.name)
    if policy is None or seat not in at.actors:
        return ""
    return policy.answer(viewing.view_of(at, seat), seat)


def give(*, match_id: int, user: User, name: str, now: datetime) -> None:
    """Give a standing order, in place of any before it; with no name, give none.

    :raises Refused: there is no such order, or the player plays no more.
    """
    at = selectors.table(match_id)
    player = at.players[at.seat_for(user)]
    if not name:
        StandingOrder.objects.filter(player=player).delete()
        return
    if name not in offered(at):
        raise Refused(f"There is no standing order {name!r} in this match.")
    if not at.match.is_running or player not in at.seats_still_in():
        raise Refused("You play in this match no more.")
    anew: dict[str, Any] = {"name": name, "given": now, "seen": None, "called": None, "due": None}
    StandingOrder.objects.update_or_create(player=player, defaults=anew)


def look() -> None:
    """See which orders are called since they were last looked at, and say when each answers."""
    StandingOrder.objects.exclude(player__match__status=Match.Status.RUNNING).delete()
    waiting = StandingOrder.objects.filter(player__to_move=True)
    waiting = waiting.exclude(seen=F("player__match__version"))
    for pk in list(waiting.values_list("pk", flat=True)):
        quietly(f"Standing order {pk}", partial(_look, pk))


def soon(*, now: datetime) -> list[tuple[int, datetime]]:
    """Return the ids of the orders that are due by the next sweep, and when each is."""
    due = StandingOrder.objects.filter(due__lte=now + AHEAD, player__to_move=True)
    return [(pk, moment) for pk, moment in due.values_list("pk", "due") if moment]


def answer(pk: int, *, now: datetime) -> bool:
    """Let an order answer, if it is due and still stands; twice is harmless."""
    return bool(quietly(f"Standing order {pk}", partial(_answer, pk, now)))


def _read(pk: int) -> StandingOrder | None:
    return StandingOrder.objects.select_related("player__user").filter(pk=pk).first()


def _look(pk: int) -> None:
    """Note when an order will answer; two sweeps at once note it once."""
    order = _read(pk)
    if order is None:
        return
    at = selectors.table(order.player.match_id)
    found = {"seen": at.match.version, **_moment(at, order)}
    StandingOrder.objects.filter(pk=pk, seen=order.seen, given=order.given).update(**found)


def _moment(at: Table, order: StandingOrder) -> dict[str, Any]:
    """Return what to note of a call; one that was noted before keeps its moment."""
    seat = Seat(order.player.seat)
    if not answer_of(at, order, seat):
        return {"called": None, "due": None}
    entry = viewing.last_event_entry(selectors.log(at.match))
    number, since = (entry.number, entry.at) if entry else (0, at.match.created)
    if number == order.called:
        return {}
    begin = max(since, order.given)
    due = begin + _delay(begin, at.players[seat].deadline)
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
    at = selectors.table(order.player.match_id)
    text = answer_of(at, order, Seat(order.player.seat))
    if not text or order.seen != at.match.version:
        return False
    try:
        services.play_move(
            match_id=at.match.pk,
            user=order.player.user,
            texts=[text],
            version=at.match.version,
            submission=order.submission,
            now=now,
        )
    except (Refused, RulesError):
        # Somebody was faster; what is asked now is seen by the next look.
        return False
    return True
