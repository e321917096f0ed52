"""Abandoned seats: opponents are notified and choose how the match continues.

Until all of them choose the same, the clock of the seat keeps running.
"""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.models import User
from games.events import selectors as events
from games.kernel.contract import Seat
from games.kernel.errors import GameError
from games.matches import services
from games.matches.clocks import standstill
from games.matches.models import Player
from games.moderation import notifications
from games.moderation.errors import ModerationRefused, NoSuchSubject
from games.moderation.models import AbandonedSeat, OpponentChoice
from games.moderation.notifications import said

LOOKING = timedelta(days=7)
"""How long clocks are stopped while a moderator looks for a substitute."""

Outcome = AbandonedSeat.Outcome


def declare(player: Player, *, moderator: User, reason: str, now: datetime) -> AbandonedSeat:
    """Mark a seat as abandoned and ask the opponents, unless they were asked already."""
    how = {"user": player.user, "moderator": moderator, "reason": reason, "opened": now}
    abandoned, is_new = AbandonedSeat.objects.get_or_create(
        match_id=player.match_id, seat=player.seat, outcome="", defaults=how
    )
    if is_new:
        _tell(abandoned, "opponent-gone", now)
    return abandoned


def notify_player(abandoned: AbandonedSeat, now: datetime) -> None:
    """Notify the player of the seat, who can come back."""
    notifications.notify(
        [abandoned.user_id],
        subject=said("seat-abandoned", match=abandoned.match_id),
        text=said("opponents-choose", reason=abandoned.reason),
        url=abandoned.get_absolute_url(),
        now=now,
    )


def declare_all(user: User, *, moderator: User, reason: str, now: datetime) -> None:
    """Mark all seats of a user in running matches as abandoned, except in tournaments.

    Running tournaments take the player out. Opponents read the ``reason``.
    """
    seats = Player.objects.filter(user=user, ended=None, dropped="").select_related("user")
    for player in seats.exclude(match__in=events.matches_in_play()):
        declare(player, moderator=moderator, reason=reason, now=now)


@transaction.atomic
def take_back(user: User, *, moderator: User, now: datetime) -> None:
    """Close the open choices and searches about a user's seats, as they can play again."""
    for abandoned in _undone().filter(user=user).select_for_update().order_by("pk"):
        if _plays(abandoned):
            _void(abandoned, moderator=moderator, now=now)


@transaction.atomic
def come_back(abandoned: AbandonedSeat, *, now: datetime) -> None:
    """Let the player of a seat play on, and notify the opponents.

    :raises ModerationRefused: the seat is no longer theirs.
    """
    locked = _undone().select_for_update().filter(pk=abandoned.pk).first()
    if locked is None or not _plays(locked):
        raise ModerationRefused(_("This seat is not yours to play any more."))
    _void(locked, moderator=locked.moderator, now=now)
    _tell(locked, "opponent-returned", now, text="nothing-to-choose")


def _undone() -> QuerySet[AbandonedSeat]:
    """Return the abandoned seats whose players can come back."""
    lasting = ("", Outcome.SUBSTITUTE, Outcome.WAIT)
    return AbandonedSeat.objects.filter(outcome__in=lasting)


def _void(abandoned: AbandonedSeat, *, moderator: User, now: datetime) -> None:
    """Mark a seat as no longer abandoned.

    The caller holds the row locked, as does a substitute who takes the seat over.
    """
    if abandoned.outcome == Outcome.SUBSTITUTE:
        how: Any = {"match_id": abandoned.match_id, "moderator": moderator, "now": now}
        _if_possible(
            partial(standstill.resume_clocks, reason=gettext_noop("The player is back."), **how)
        )
    abandoned.outcome = Outcome.VOID
    abandoned.decided = now
    abandoned.save(update_fields=["outcome", "decided"])


def awaiting_substitutes(user: User) -> QuerySet[Player]:
    """Return the seats of a user for which all opponents want a substitute."""
    wanted = wanting_substitutes().filter(match=OuterRef("match"), seat=OuterRef("seat"), user=user)
    return Player.objects.filter(Exists(wanted), user=user, ended=None, dropped="")


def wanting_substitutes() -> QuerySet[AbandonedSeat]:
    """Return the seats for which all opponents have chosen a substitute."""
    return AbandonedSeat.objects.filter(outcome=Outcome.SUBSTITUTE)


def opponents(abandoned: AbandonedSeat) -> QuerySet[User]:
    """Return the opponents who choose: people still playing whose seats aren't abandoned."""
    gone = _undone().filter(match=abandoned.match_id).values("user")
    seats = Player.objects.filter(match=abandoned.match_id, dropped="", is_bot=False)
    people = User.objects.filter(pk__in=seats.values("user"), is_active=True)
    return people.exclude(pk__in=gone).exclude(pk=abandoned.user_id)


def asked_of(user: User) -> QuerySet[AbandonedSeat]:
    """Return the abandoned seats about which a user can choose."""
    mine = {"user": user, "ended": None, "dropped": ""}
    seated = {f"match__players__{key}": value for key, value in mine.items()}
    undecided = AbandonedSeat.objects.filter(outcome="", **seated).exclude(user=user)
    return undecided.select_related("user").order_by("pk")


def get_for(pk: int, user: User) -> AbandonedSeat:
    """Return an abandoned seat for one of its opponents.

    :raises NoSuchSubject: it doesn't exist, or the user isn't one of the opponents.
    """
    abandoned = AbandonedSeat.objects.select_related("match", "user").filter(pk=pk).first()
    if abandoned is None or not opponents(abandoned).filter(pk=user.pk).exists():
        raise NoSuchSubject(_("There is nothing here for you to choose."))
    return abandoned


def get_own(pk: int, user: User) -> AbandonedSeat | None:
    """Return the abandoned seat of a user. ``None`` if it isn't theirs."""
    return AbandonedSeat.objects.select_related("match", "user").filter(pk=pk, user=user).first()


def is_open(abandoned: AbandonedSeat) -> bool:
    return not abandoned.outcome and _plays(abandoned)


def can_come_back(abandoned: AbandonedSeat) -> bool:
    return _plays(abandoned) and _undone().filter(pk=abandoned.pk).exists()


def _plays(abandoned: AbandonedSeat) -> bool:
    """Whether the match is running and the seat still belongs to the absent player."""
    seat = Player.objects.filter(
        match=abandoned.match_id, seat=abandoned.seat, user=abandoned.user_id
    )
    return seat.filter(ended=None, dropped="").exists()


@transaction.atomic
def choose(abandoned: AbandonedSeat, *, user: User, choice: str, now: datetime) -> None:
    """Store the choice of an opponent, and carry it out once all have chosen the same.

    :raises ModerationRefused: it is decided already, or the choice or the user isn't valid.
    :raises GameError: the match has changed, so the choice can't be carried out.
    """
    locked = AbandonedSeat.objects.select_for_update().get(pk=abandoned.pk)
    people = set(opponents(locked).values_list("pk", flat=True))
    if user.pk not in people or choice not in AbandonedSeat.CHOICES or not is_open(locked):
        raise ModerationRefused(_("This cannot be chosen any more."))
    OpponentChoice.objects.update_or_create(
        abandoned=locked, user=user, defaults={"choice": choice}
    )
    choices = dict(locked.choices.filter(user__in=people).values_list("user", "choice"))
    if len(choices) == len(people) and set(choices.values()) == {choice}:
        _carry_out(locked, Outcome(choice), now)


def _carry_out(abandoned: AbandonedSeat, outcome: Outcome, now: datetime) -> None:
    abandoned.outcome = outcome
    abandoned.decided = now
    abandoned.save(update_fields=["outcome", "decided"])
    reason = gettext_noop("All opponents have chosen this.")
    how: Any = {
        "match_id": abandoned.match_id,
        "moderator": abandoned.moderator,
        "reason": reason,
        "now": now,
    }
    if outcome == Outcome.REMOVE:
        services.remove(seat=Seat(abandoned.seat), **how)
    elif outcome == Outcome.SUBSTITUTE:
        _if_possible(partial(standstill.stop_clocks, until=now + LOOKING, **how))
        _tell(abandoned, "substitute-sought", now, text="clocks-stand-still")


def _if_possible(change_clocks: Callable[[], object]) -> None:
    """Change clocks, unless they are in the wanted state already."""
    with suppress(GameError):
        change_clocks()


def _tell(abandoned: AbandonedSeat, subject: str, now: datetime, text: str = "choose") -> None:
    notifications.notify(
        opponents(abandoned).values_list("pk", flat=True),
        subject=said(subject),
        text=said(text, name=abandoned.user.shown_name),
        url=abandoned.get_absolute_url(),
        now=now,
    )
