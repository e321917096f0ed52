"""Seats whose players are gone for good: their opponents are told, and choose what follows.

Until all of them choose the same, the clock of the seat runs as was agreed when the match began.
"""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from accounts.models import User
from games.kernel.contract import Seat
from games.kernel.errors import GameError
from games.matches import services
from games.matches.clocks import standstill
from games.matches.models import Player
from games.moderation import notifications
from games.moderation.errors import NoSuchSubject, Refused
from games.moderation.models import AbandonedSeat, OpponentChoice

LOOKING = timedelta(days=7)
"""For how long clocks stand still while a substitute is looked for."""

Outcome = AbandonedSeat.Outcome

CHOOSE = (
    "The seat of {name} is abandoned. Choose what follows: go on with a substitute whom the "
    "moderators look for, take the player out, or let the clock run, as it does until all "
    "opponents have chosen the same."
)
YOURS = (
    "{reason}\n\nYour opponents choose what follows: a substitute, going on without you, or "
    "letting your clock run. If you want to play on, say so before it is done."
)
BACK = "{name} is back and plays on. There is nothing to choose any more."
LOOKED_FOR = (
    "All opponents want to go on with a substitute. The moderators look for one; the clocks stand "
    "still for up to 7 days."
)


def declare(player: Player, *, moderator: User, reason: str, now: datetime) -> AbandonedSeat:
    """Note that a seat is abandoned and ask the opponents; nothing where they are asked already."""
    how = {"user": player.user, "moderator": moderator, "reason": reason, "opened": now}
    found, is_new = AbandonedSeat.objects.get_or_create(
        match_id=player.match_id, seat=player.seat, outcome="", defaults=how
    )
    if is_new:
        _tell(found, "An opponent is gone: choose what follows", now)
    return found


def tell_player(found: AbandonedSeat, now: datetime) -> None:
    """Tell whose seat it is, who may only have been slow, and can come back."""
    notifications.tell(
        [found.user_id],
        subject=f"Your seat in match {found.match_id} is called abandoned",
        text=YOURS.format(reason=found.reason),
        url=found.get_absolute_url(),
        now=now,
    )


def declare_all(user: User, *, moderator: User, reason: str, now: datetime) -> None:
    """Note that all seats of somebody are abandoned, in matches that are running."""
    for player in Player.objects.filter(user=user, ended=None, dropped="").select_related("user"):
        declare(player, moderator=moderator, reason=reason, now=now)


@transaction.atomic
def take_back(user: User, *, moderator: User, reason: str, now: datetime) -> None:
    """Note that somebody can play on: nothing more is asked, and no substitute looked for."""
    for found in _undone().filter(user=user).select_for_update().order_by("pk"):
        if _plays(found):
            _void(found, moderator=moderator, reason=reason, now=now)


@transaction.atomic
def come_back(found: AbandonedSeat, *, now: datetime) -> None:
    """Let who was gone play on, as they ask; the opponents are told.

    :raises Refused: the seat is not theirs to play any more.
    """
    locked = _undone().select_for_update().filter(pk=found.pk).first()
    if locked is None or not _plays(locked):
        raise Refused("This seat is not yours to play any more.")
    reason = "The player is back."
    _void(locked, moderator=locked.moderator, reason=reason, now=now)
    _tell(locked, "An opponent is back", now, text=BACK)


def _undone() -> QuerySet[AbandonedSeat]:
    """Return the abandoned seats that their players can come back to."""
    lasting = ("", Outcome.SUBSTITUTE, Outcome.WAIT)
    return AbandonedSeat.objects.filter(outcome__in=lasting)


def _void(found: AbandonedSeat, *, moderator: User, reason: str, now: datetime) -> None:
    """Note that nobody is gone.

    The caller holds the row locked, as does whoever takes the seat over.
    """
    if found.outcome == Outcome.SUBSTITUTE:
        how: Any = {"match_id": found.match_id, "moderator": moderator, "now": now}
        _if_possible(partial(standstill.run_on, reason=reason, **how))
    found.outcome, found.decided = Outcome.VOID, now
    found.save(update_fields=["outcome", "decided"])


def awaiting_substitutes(user: User) -> QuerySet[Player]:
    """Return the seats of somebody for which all opponents want a substitute."""
    wanted = wanting_substitutes().filter(match=OuterRef("match"), seat=OuterRef("seat"), user=user)
    return Player.objects.filter(Exists(wanted), user=user, ended=None, dropped="")


def wanting_substitutes() -> QuerySet[AbandonedSeat]:
    """Return the seats for which all opponents have chosen a substitute."""
    return AbandonedSeat.objects.filter(outcome=Outcome.SUBSTITUTE)


def opponents(found: AbandonedSeat) -> QuerySet[User]:
    """Return who has a say: the people who still play, but those whose seats are abandoned too."""
    gone = _undone().filter(match=found.match_id).values("user")
    seats = Player.objects.filter(match=found.match_id, dropped="", is_bot=False)
    people = User.objects.filter(pk__in=seats.values("user"), is_active=True)
    return people.exclude(pk__in=gone).exclude(pk=found.user_id)


def asked_of(user: User) -> QuerySet[AbandonedSeat]:
    """Return the abandoned seats in matches of a user that are not decided."""
    mine = {"user": user, "ended": None, "dropped": ""}
    seated = {f"match__players__{key}": value for key, value in mine.items()}
    undecided = AbandonedSeat.objects.filter(outcome="", **seated).exclude(user=user)
    return undecided.select_related("user").order_by("pk")


def get_for(pk: int, user: User) -> AbandonedSeat:
    """Read an abandoned seat as one of those who have a say.

    :raises NoSuchSubject: there is none, or the user has no say in it.
    """
    found = AbandonedSeat.objects.select_related("match", "user").filter(pk=pk).first()
    if found is None or not opponents(found).filter(pk=user.pk).exists():
        raise NoSuchSubject("There is nothing here for you to choose.")
    return found


def get_own(pk: int, user: User) -> AbandonedSeat | None:
    """Read the abandoned seat of a user; ``None`` if it is another's."""
    return AbandonedSeat.objects.select_related("match", "user").filter(pk=pk, user=user).first()


def is_open(found: AbandonedSeat) -> bool:
    """Whether it can still be chosen what becomes of a seat."""
    return not found.outcome and _plays(found)


def can_come_back(found: AbandonedSeat) -> bool:
    """Whether the player of a seat can still go on."""
    return _plays(found) and _undone().filter(pk=found.pk).exists()


def _plays(found: AbandonedSeat) -> bool:
    """Whether a seat is still that of the player who was gone, in a match that is running."""
    seat = Player.objects.filter(match=found.match_id, seat=found.seat, user=found.user_id)
    return seat.filter(ended=None, dropped="").exists()


@transaction.atomic
def choose(found: AbandonedSeat, *, user: User, choice: str, now: datetime) -> None:
    """Note what an opponent chooses, and carry it out if all have chosen the same.

    :raises Refused: it is decided already, there is no such choice, or the user has no say.
    :raises GameError: the match has changed so that it cannot be carried out.
    """
    locked = AbandonedSeat.objects.select_for_update().get(pk=found.pk)
    people = set(opponents(locked).values_list("pk", flat=True))
    if user.pk not in people or choice not in AbandonedSeat.CHOICES or not is_open(locked):
        raise Refused("This cannot be chosen any more.")
    OpponentChoice.objects.update_or_create(
        abandoned=locked, user=user, defaults={"choice": choice}
    )
    given = dict(locked.choices.filter(user__in=people).values_list("user", "choice"))
    if len(given) == len(people) and set(given.values()) == {choice}:
        _carry_out(locked, Outcome(choice), now)


def _carry_out(found: AbandonedSeat, outcome: Outcome, now: datetime) -> None:
    found.outcome, found.decided = outcome, now
    found.save(update_fields=["outcome", "decided"])
    reason = "All opponents have chosen this."
    how: Any = {
        "match_id": found.match_id,
        "moderator": found.moderator,
        "reason": reason,
        "now": now,
    }
    if outcome == Outcome.REMOVE:
        services.remove(seat=Seat(found.seat), **how)
    elif outcome == Outcome.SUBSTITUTE:
        _if_possible(partial(standstill.stand_still, until=now + LOOKING, **how))
        _tell(found, "A substitute is looked for", now, text=LOOKED_FOR)


def _if_possible(change_clocks: Callable[[], object]) -> None:
    """Change clocks, unless they stand or run already as they should."""
    with suppress(GameError):
        change_clocks()


def _tell(found: AbandonedSeat, subject: str, now: datetime, text: str = CHOOSE) -> None:
    notifications.tell(
        opponents(found).values_list("pk", flat=True),
        subject=subject,
        text=text.format(name=found.user.shown_name),
        url=found.get_absolute_url(),
        now=now,
    )
