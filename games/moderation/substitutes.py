"""Substitutes for abandoned seats: a moderator asks a user, who accepts or declines."""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext

from accounts import blocks
from accounts.models import User
from accounts.sanctions import standing, traces
from config.addresses import path_of
from games.kernel.contract import Seat
from games.lobby import reliability
from games.matches.models import Player
from games.matches.play import substitutes
from games.matches.update import MatchUpdate
from games.moderation import abandoned, cases, log, notifications
from games.moderation.errors import ModerationRefused, NoSuchSubject, NotYours
from games.moderation.models import Case, SubstituteOffer
from games.moderation.notifications import said

OPEN_FOR = timedelta(days=3)
"""How long an offer is open."""

State = SubstituteOffer.State


@transaction.atomic
def ask(
    case: Case, match_id: int, user: User | None, *, moderator: User, reason: str, now: datetime
) -> None:
    """Ask a user to take over an abandoned seat of the suspect of a case.

    :raises NotYours: the moderator may not work on the case or the match, or asks themselves.
    :raises ModerationRefused: the opponents have not chosen it, or the user can't take the seat.
    """
    cases.claim(case, moderator=moderator, now=now)
    seat = _seat(case, match_id)
    if user is None or user.is_bot or user.is_program or standing.stops(user, now):
        raise ModerationRefused("There is no such player who could be asked.")
    if user == moderator or Player.objects.filter(match=match_id, user=moderator).exists():
        raise NotYours("You have a part in this match. Leave it to somebody else.")
    _check(match_id, seat, user, now)
    how = {"case": case, "moderator": moderator, "reason": reason}
    offer, _ = SubstituteOffer.objects.update_or_create(
        match_id=match_id,
        seat=seat,
        user=user,
        state=State.OPEN,
        defaults={**how, "created": now, "expires": now + OPEN_FOR},
    )
    _log("ask-substitute", offer, f"asked {user.username}", now)
    subject = said("substitute-wanted")
    url = offer.get_absolute_url()
    notifications.notify([user.pk], subject=subject, text=reason, url=url, now=now)


def _seat(case: Case, match_id: int) -> Seat:
    """Return the seat of a suspect for which the opponents want a substitute.

    :raises ModerationRefused: they don't want one.
    """
    abandoned_seat = abandoned.awaiting_substitutes(case.suspect).filter(match=match_id).first()
    if abandoned_seat is None:
        raise ModerationRefused(
            "The opponents have not chosen to go on with a substitute on this seat."
        )
    return Seat(abandoned_seat.seat)


def _check(match_id: int, seat: Seat, user: User, now: datetime) -> None:
    """:raises GameError: the user can't take this seat over."""
    update = MatchUpdate.load(match_id, now)
    substitutes.check_can_take_over(update, seat, user)
    if _is_apart(match_id, seat, user):
        raise ModerationRefused(
            "This player and one of the others do not want to play with each other."
        )
    if traces.share_a_browser(user, [p.user_id for p in update.snapshot.players if not p.is_bot]):
        raise ModerationRefused(
            "This player was seen in the same browser as one who plays in the match."
        )
    reliability.check_may_begin(user, now)


def _is_apart(match_id: int, seat: Seat, user: User) -> bool:
    """Whether a block separates a user from one of the other players."""
    others = Player.objects.filter(match=match_id, is_bot=False).exclude(seat=seat)
    return bool(blocks.apart(user, list(others.values_list("user", flat=True))))


def get_for(pk: int, user: User) -> SubstituteOffer:
    """Return an offer made to a user.

    :raises NoSuchSubject: it isn't an offer to this user.
    """
    offers = SubstituteOffer.objects.select_related("match", "moderator", "case__suspect")
    offer = offers.filter(pk=pk, user=user).first()
    if offer is None:
        raise NoSuchSubject(gettext("There is no such offer for you."))
    return offer


def is_open(offer: SubstituteOffer, now: datetime) -> bool:
    if offer.state != State.OPEN or now >= offer.expires:
        return False
    wanted = abandoned.awaiting_substitutes(offer.case.suspect).filter(match=offer.match_id)
    return wanted.exists() and not _is_apart(offer.match_id, Seat(offer.seat), offer.user)


@transaction.atomic
def take(offer: SubstituteOffer, now: datetime) -> None:
    """Accept an offer: take the seat over and notify all players.

    :raises ModerationRefused: the offer is no longer open.
    :raises GameError: the match has changed, so the seat can't be taken over.
    """
    locked = _locked(offer, now)
    _check(locked.match_id, Seat(locked.seat), locked.user, now)
    substitutes.swap_in(
        match_id=locked.match_id,
        seat=Seat(locked.seat),
        user=locked.user,
        moderator=locked.moderator,
        reason=locked.reason,
        now=now,
    )
    _answer(locked, State.TAKEN)
    _log("substitute", locked, f"{locked.user.username} agreed", now)
    _notify_players(locked, now)


def _notify_players(offer: SubstituteOffer, now: datetime) -> None:
    """Notify the other players and the former player that a substitute plays on."""
    former = offer.case.suspect
    players = Player.objects.filter(match=offer.match_id, is_bot=False).exclude(user=offer.user)
    notifications.notify(
        {*players.values_list("user", flat=True), former.pk},
        subject=said("substitute-plays", name=offer.user.username, former=former.shown_name),
        text=offer.reason,
        url=path_of("match", offer.match_id),
        now=now,
    )


def _log(action: str, offer: SubstituteOffer, details: str, now: datetime) -> None:
    log.write(
        action,
        moderator=offer.moderator,
        case=offer.case,
        match_id=offer.match_id,
        reason=offer.reason,
        now=now,
        details=details,
    )


@transaction.atomic
def decline(offer: SubstituteOffer, now: datetime) -> None:
    """Decline an offer, and notify the moderator who made it.

    :raises ModerationRefused: it was answered already.
    """
    locked = _locked(offer, now)
    _answer(locked, State.DECLINED)
    notifications.notify(
        [locked.moderator_id],
        subject=said("substitute-declined", name=locked.user.username),
        text=said("match", match=locked.match_id),
        url=locked.case.get_absolute_url(),
        now=now,
    )


def _locked(offer: SubstituteOffer, now: datetime) -> SubstituteOffer:
    """Lock an offer and the abandoned seat, as its player may come back concurrently.

    :raises ModerationRefused: it was answered, or the seat is no longer abandoned.
    """
    locked = SubstituteOffer.objects.select_for_update().get(pk=offer.pk)
    seats = abandoned.wanting_substitutes().filter(match=offer.match_id, seat=offer.seat)
    if not seats.select_for_update() or not is_open(locked, now):
        raise ModerationRefused(gettext("This seat is not to be taken over any more."))
    return locked


def _answer(offer: SubstituteOffer, state: SubstituteOffer.State) -> None:
    SubstituteOffer.objects.filter(pk=offer.pk).update(state=state)
