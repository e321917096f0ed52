"""Standing orders: answers to pending questions that a player gives in advance, in private.

An order answers through the same service as a move, after a random delay that is stored when a
sweep finds the question. An answer by hand cancels the order's. An order for forced moves answers
at once: all players can see that the seat has no alternative, so an instant answer reveals only
that an order exists.
"""

import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from django.db.models import F, QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from games.kernel.contract import AnswerPolicy, Seat
from games.kernel.errors import RulesError, quoted
from games.matches import selectors, services
from games.matches.errors import Refused
from games.matches.isolation import IsolatedErrors
from games.matches.log import log_entries
from games.matches.models import Match, StandingOrder, note_plans
from games.matches.play.unreadable import UnreadableSetAside
from games.matches.selectors import MatchSnapshot
from games.matches.table import Table

MIN_DELAY, MAX_DELAY = timedelta(minutes=1), timedelta(minutes=10)
"""The bounds of the delay after which an order answers."""

MARGIN = timedelta(minutes=1)
"""Minimum time between an answer and the deadline. The delay is shortened for it."""

HANDOVER_PERIOD = timedelta(seconds=15)
"""How long before their due time orders are handed to tasks, which answer when they are due."""

CLOCK_SKEW = timedelta(seconds=1)
"""Maximum difference between the clocks of two machines."""


def offered(table: Table) -> Mapping[str, AnswerPolicy]:
    """Return the standing orders that the game of a match offers, by name."""
    return table.title.standing_orders(table.params)


def order_of(table: Table, seat: Seat) -> StandingOrder | None:
    """Return the order that a seat has given. ``None`` without one."""
    return StandingOrder.objects.filter(player=table.players[seat].pk).first()


def answer_of(table: Table, order: StandingOrder, seat: Seat) -> str:
    """Return an order's answer now. Empty without a pending question."""
    policy = offered(table).get(order.name)
    if policy is None or seat not in table.actors:
        return ""
    return policy.answer(table.view(seat), seat)


def give(*, match_id: int, user: User, name: str, now: datetime) -> None:
    """Give a standing order, replacing any earlier one. An empty name cancels it.

    An order for forced moves answers a pending question at once.

    :raises Refused: there is no such order, or the player has left the match.
    """
    snapshot = selectors.snapshot(match_id)
    player = snapshot.players[snapshot.seat_for(user)]
    if not name:
        StandingOrder.objects.filter(player=player).delete()
        note_plans(player)
        return
    if name not in offered(snapshot.table):
        text = _("There is no standing order {name} in this match.")
        raise Refused(text.format(name=quoted(name)))
    if not snapshot.match.is_running or player not in snapshot.seats_still_in():
        raise Refused(_("You don’t play in this match any more."))
    values: dict[str, Any] = {"name": name, "given": now, "seen": None, "called": None, "due": None}
    StandingOrder.objects.update_or_create(player=player, defaults=values)
    note_plans(player)
    if offered(snapshot.table)[name].is_forced:
        run(match_id, now=now)


def look(*, now: datetime) -> None:
    """Schedule answers for newly asked standing orders."""
    StandingOrder.objects.exclude(player__match__status=Match.Status.RUNNING).delete()
    waiting = _active().exclude(seen=F("player__match__version"))
    for pk, match_id in list(waiting.values_list("pk", "player__match_id")):
        with IsolatedErrors(f"Standing order {pk}"), UnreadableSetAside(match_id, now):
            _look(pk)


def _active() -> QuerySet[StandingOrder]:
    """Return the orders whose players are to move, in matches that aren't set aside."""
    return StandingOrder.objects.filter(player__to_move=True, player__match__set_aside=None)


def soon(*, now: datetime) -> list[tuple[int, datetime]]:
    """Return id and due time of the orders that are due before the next sweep."""
    due = _active().filter(due__lte=now + HANDOVER_PERIOD)
    return [(pk, moment) for pk, moment in due.values_list("pk", "due") if moment]


def run(match_id: int, *, now: datetime) -> None:
    """Answer with those orders of a match that answer at once."""
    waiting = _active().filter(player__match_id=match_id)
    for pk in list(waiting.values_list("pk", flat=True)):
        with IsolatedErrors(f"Standing order {pk}"), UnreadableSetAside(match_id, now):
            _look(pk)
        answer(pk, now=now)


def answer(pk: int, *, now: datetime) -> bool:
    """Let an order answer if it is due and still valid, and return whether it did."""
    order = _read(pk)
    if order is None:
        return False
    with IsolatedErrors(f"Standing order {pk}"), UnreadableSetAside(order.player.match_id, now):
        return _answer(order, now)
    return False


def _read(pk: int) -> StandingOrder | None:
    return StandingOrder.objects.select_related("player__user").filter(pk=pk).first()


def _look(pk: int) -> None:
    """Store when an order will answer. Of two concurrent sweeps, one stores it."""
    order = _read(pk)
    if order is None:
        return
    snapshot = selectors.snapshot(order.player.match_id)
    values = {"seen": snapshot.match.version, **_moment(snapshot, order)}
    StandingOrder.objects.filter(pk=pk, seen=order.seen, given=order.given).update(**values)


def _moment(snapshot: MatchSnapshot, order: StandingOrder) -> dict[str, Any]:
    """Return the fields to store for a pending question. An already stored one keeps its time."""
    seat = Seat(order.player.seat)
    if not answer_of(snapshot.table, order, seat):
        return {"called": None, "due": None}
    entry = log_entries.last_event_entry(log_entries.recent(snapshot.match))
    number, since = (entry.number, entry.at) if entry else (0, snapshot.match.created)
    if number == order.called:
        return {}
    begin = max(since, order.given)
    is_forced = offered(snapshot.table)[order.name].is_forced
    due = begin if is_forced else begin + _delay(begin, snapshot.players[seat].deadline)
    return {"called": number, "due": due, "submission": uuid4()}


def _delay(begin: datetime, deadline: datetime | None) -> timedelta:
    """Draw a random delay before a deadline (``None``: no clock)."""
    room = MAX_DELAY if deadline is None else deadline - MARGIN - begin
    most = max(min(MAX_DELAY, room), timedelta())
    least = min(MIN_DELAY, most)
    step = timedelta(milliseconds=1)
    return least + secrets.randbelow((most - least) // step + 1) * step


def _answer(order: StandingOrder, now: datetime) -> bool:
    if order.due is None or order.submission is None or order.due > now + CLOCK_SKEW:
        return False
    snapshot = selectors.snapshot(order.player.match_id)
    text = answer_of(snapshot.table, order, Seat(order.player.seat))
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
