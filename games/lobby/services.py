"""Actions on challenges. All functions take ``now`` and raise errors to refuse."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts import blocks
from accounts.models import User
from games.kernel import params as parameters
from games.kernel import registry
from games.kernel.contract import Meta, Seat
from games.kernel.dice import SIZE
from games.kernel.errors import GameError
from games.kernel.views import Json
from games.lobby import (
    commitments,
    follows,
    notifications,
    preferences,
    reliability,
    reveals,
    seating,
    selectors,
    strength,
)
from games.lobby.changes import announce_end, change
from games.lobby.commitments import CommitmentRefused, PendingSecret
from games.lobby.errors import ChallengeClosed, NotInvited
from games.lobby.models import Challenge, Invitation, StandingChallenge
from games.lobby.newcomers import check_may_accept, check_may_challenge, is_among_bots, most_open
from games.matches.clock import Clock
from games.matches.errors import Refused
from games.matches.isolation import IsolatedErrors, secret_transaction
from games.matches.models import Match, Player
from games.matches.notify import push
from games.matches.selectors import MatchSnapshot, snapshot_of
from games.talk import writing

MAX_OPEN = 20
"""Maximum number of open challenges of a user."""

CHALLENGE_LIFETIME = timedelta(days=14)
"""How long a challenge stays open by default."""

MAX_CHALLENGE_LIFETIME = timedelta(days=60)
"""How long a challenge may stay open."""


def challenge(
    *,
    creator: User,
    title: str,
    params: Mapping[str, Json],
    clock: Clock | None,
    seats: int,
    audience: Challenge.Audience,
    now: datetime,
    invited: Sequence[User] = (),
    seating: Challenge.Seating = Challenge.Seating.RANDOM,
    message: str = "",
    lifetime: timedelta = CHALLENGE_LIFETIME,
    pending: PendingSecret | None = None,
    nonce: bytes = b"",
    nonce_commitment: str = "",
    strict_dice: bool = False,
    rated: bool = False,
    rating_within: int | None = None,
    least_reliability: int = 0,
    rematch_of: Match | None = None,
    bots_from: datetime | None = None,
    bot_level: str = "",
    renewal: StandingChallenge | None = None,
    subject: Mapping[str, Any] | None = None,
) -> Challenge:
    """Create a challenge with a seat for its creator.

    ``pending`` is the secret whose commitment the creator saw before drawing the nonce. Without it
    the server draws both. With ``strict_dice`` a ``nonce_commitment`` replaces the nonce. From
    ``bots_from`` on, bots of a level may take the free seats. ``rating_within`` is the maximum
    difference from the creator's rating. ``subject`` replaces the usual subject of the notification
    to invited users.

    :raises BadParams: the game doesn't offer these parameters or this number of seats.
    :raises Refused: the number of invited users doesn't fit, too many challenges are open, the game
        has no strict dice, the users may not challenge or be challenged yet, or the creator left
        too many matches at the first move.
    :raises CommitmentRefused: ``pending`` was used before.
    """
    game = registry.get(title)
    complete = parameters.for_match(game, seats, params)
    _check_terms(game.meta, lifetime, strict_dice=strict_dice)
    check_may_challenge(creator, invited, audience, is_rematch=rematch_of is not None)
    _check_people(creator, audience, invited, seats)
    if (nonce or nonce_commitment) and pending is None:
        raise CommitmentRefused(
            _("A nonce counts only with the commitment that was shown before it.")
        )
    is_open = audience == Challenge.Audience.OPEN
    low, high = strength.bounds(creator, title, rating_within if is_open else None, now) or (
        None,
        None,
    )
    new = Challenge(
        title=title,
        params=complete,
        clock=clock.dump() if clock else None,
        seats=seats,
        creator=creator,
        audience=audience,
        seating=seating,
        message=message,
        strict_dice=strict_dice,
        rated=rated,
        lowest_rating=low,
        highest_rating=high,
        created=now,
        expires=now + lifetime,
        rematch_of=rematch_of,
        bots_from=bots_from,
        bot_level=bot_level,
        least_reliability=least_reliability,
        renewal=renewal,
    )
    _open(
        new, pending or commitments.make(creator), nonce, nonce_commitment, invited, subject=subject
    )
    return new


def _check_terms(meta: Meta, lifetime: timedelta, *, strict_dice: bool) -> None:
    if strict_dice:
        reveals.check_offered(meta)
    if not timedelta() < lifetime <= MAX_CHALLENGE_LIFETIME:
        days = MAX_CHALLENGE_LIFETIME.days
        text = ngettext(
            "A challenge stays open for at most {count} day.",
            "A challenge stays open for at most {count} days.",
            days,
        )
        raise Refused(text.format(count=days))


def _check_people(
    creator: User, audience: Challenge.Audience, invited: Sequence[User], seats: int
) -> None:
    pending = (Challenge.Status.OPEN, Challenge.Status.REVEALING)
    mine = Challenge.objects.filter(creator=creator, status__in=pending)
    most = most_open(creator, MAX_OPEN)
    if mine.count() >= most:
        text = ngettext(
            "You have {count} open challenge already: withdraw it first.",
            "You have {count} open challenges already: withdraw one first.",
            most,
        )
        raise Refused(text.format(count=most))
    if audience != Challenge.Audience.NAMED:
        if invited:
            raise Refused(_("Only a challenge to named players names them."))
        return
    names = {user.pk for user in invited}
    if creator.pk in names:
        raise Refused(_("You cannot challenge yourself."))
    _check_together(creator, invited)
    if len(names) != len(invited) or len(names) != seats - 1:
        text = ngettext(
            "A match for {seats} needs the names of another player.",
            "A match for {seats} needs the names of {count} different players.",
            seats - 1,
        )
        raise Refused(text.format(seats=seats, count=seats - 1))


def _check_together(creator: User, invited: Sequence[User]) -> None:
    strangers = blocks.apart(creator, [user.pk for user in invited])
    for user in invited:
        if user.pk in strangers:
            own = blocks.has_blocked(creator, user)
            why = (
                _("You have blocked {player}.").format(player=user)
                if own
                else _("{player} takes no challenges from you.").format(player=user)
            )
            raise Refused(why)


def _open(
    new: Challenge,
    pending: PendingSecret,
    nonce: bytes,
    nonce_commitment: str,
    invited: Sequence[User],
    *,
    subject: Mapping[str, Any] | None,
) -> None:
    """Insert a challenge, its creator's seat and its invitations."""
    creator = new.creator
    now = new.created
    writing.check_may_write(creator, new.message, now)
    preferences.check_invited(creator, invited, is_rematch=new.rematch_of is not None, now=now)
    _check_may_begin(creator, invited, Challenge.Audience(new.audience), now)
    new.token = secrets.token_urlsafe(SIZE)
    new.commitment = pending.commitment
    new.secret = pending.secret
    with commitments.once(pending), secret_transaction():
        new.save()
        seating.take(new, creator, nonce, nonce_commitment, now)
        for user in invited:
            Invitation.objects.create(challenge=new, user=user, state=Invitation.State.INVITED)
            notifications.notify(
                notifications.CHALLENGE_RECEIVED, new, user, creator, now, subject=subject
            )
        if new.audience == Challenge.Audience.OPEN:
            follows.notify_followers(new, now)
        push.challenge_changed([creator.pk, *(user.pk for user in invited)])


def _check_may_begin(
    creator: User, invited: Sequence[User], audience: Challenge.Audience, now: datetime
) -> None:
    """Check that a user may play another match, unless only bots can take the other seats.

    :raises Refused: the user left too many matches, or wants no more.
    """
    if not is_among_bots(invited, audience):
        reliability.check_may_begin(creator, now)
        preferences.check_room(creator)


def accept(
    *,
    challenge_id: int,
    user: User,
    now: datetime,
    token: str = "",
    nonce: bytes = b"",
    nonce_commitment: str = "",
) -> Challenge:
    """Take a seat. The last seat taken starts the match. Accepting twice has no effect.

    With strict dice a ``nonce_commitment`` replaces the nonce, and all players have to reveal their
    nonces once the last seat is taken.

    :raises ChallengeClosed: it is no longer open.
    :raises NotInvited: it is meant for others.
    :raises Refused: the commitment of strict dice is missing, a guest may not take this seat, or
        the rating or reliability of the user isn't what the challenge asks for.
    """
    action = partial(
        _accept, user=user, now=now, token=token, nonce=nonce, nonce_commitment=nonce_commitment
    )
    return _change_or_started(challenge_id, user, action, now)


def _accept(
    challenge: Challenge,
    *,
    user: User,
    now: datetime,
    token: str,
    nonce: bytes,
    nonce_commitment: str,
) -> None:
    if seating.has_seat(challenge, user):
        return
    if not challenge.is_open:
        raise ChallengeClosed(challenge.closed_sentence)
    check_may_accept(challenge, user)
    if not selectors.may_accept(challenge, user, token):
        raise NotInvited(_("This challenge is meant for others."))
    _check_may_sit(challenge, user, now)
    seating.take(challenge, user, nonce, nonce_commitment, now)
    if seating.taken(challenge).count() == challenge.seats:
        seating.fill(challenge, user, now)
    else:
        notifications.notify(
            notifications.CHALLENGE_ACCEPTED, challenge, challenge.creator, user, now
        )


def _check_may_sit(challenge: Challenge, user: User, now: datetime) -> None:
    """:raises Refused: the user can't play with the seated players, or not on these terms."""
    if blocks.apart(user, [seat.user_id for seat in challenge.invitations.all() if seat.is_taken]):
        raise NotInvited(_("You cannot take a seat with these players."))
    strength.check_range(challenge, user, now)
    reliability.check_least(challenge, user, now)
    reliability.check_may_begin(user, now)
    if not challenge.creator.is_bot:
        preferences.check_room(user)


def refusal(challenge: Challenge, user: User, now: datetime) -> str:
    """Return why a user can't accept a challenge that is shown to them. Empty if they can."""
    try:
        _check_may_sit(challenge, user, now)
    except Refused as refused:
        return str(refused)
    return ""


def reveal(*, challenge_id: int, user: User, nonce: bytes, now: datetime) -> Challenge:
    """Reveal a nonce. The last one starts the match. Revealing twice has no effect.

    :raises ChallengeClosed: the time to reveal is over, or a player has left.
    :raises NotInvited: the user has no seat.
    :raises Refused: a seat is still free, or the nonce doesn't match its commitment.
    """
    action = partial(_reveal, user=user, nonce=nonce, now=now)
    return _change_or_started(challenge_id, user, action, now)


def _reveal(challenge: Challenge, *, user: User, nonce: bytes, now: datetime) -> None:
    invitation = selectors.invitation_of(challenge, user)
    if invitation is None or invitation.state != Invitation.State.TAKEN:
        raise NotInvited(_("You have no seat in this challenge."))
    if not challenge.is_revealing:
        raise Refused(_("Nonces are revealed when all seats are taken."))
    reveals.check_nonce(invitation, nonce)
    invitation.nonce = nonce
    invitation.nonce_is_own = True
    invitation.save(update_fields=["nonce", "nonce_is_own"])
    if not reveals.awaited(challenge):
        seating.start(challenge, seating.taken(challenge).order_by("seat"), user, now)


def _change_or_started(
    challenge_id: int, user: User, action: Callable[[Challenge], None], now: datetime
) -> Challenge:
    """Change a challenge. Return it unchanged if its match has started with this user."""
    try:
        return change(challenge_id, action, now=now)
    except ChallengeClosed:
        challenge = selectors.get(challenge_id)
        if challenge.status == Challenge.Status.STARTED and seating.has_seat(challenge, user):
            return challenge
        raise


def decline(*, challenge_id: int, user: User, now: datetime, reason: str = "") -> Challenge:
    """Decline an invitation, or give a seat back.

    This ends challenges to named players, and challenges whose nonces are being revealed, as
    nobody else can commit to a nonce any more.

    :raises ChallengeClosed: it is no longer open.
    :raises NotInvited: the user has neither an invitation nor a seat.
    :raises Refused: it was declined before, or a muted user gives a reason.
    """
    writing.check_may_write(user, reason, now)
    return change(challenge_id, partial(_decline, user=user, reason=reason, now=now), now=now)


def _decline(challenge: Challenge, *, user: User, reason: str, now: datetime) -> None:
    invitation = selectors.invitation_of(challenge, user)
    if invitation is None or user.pk == challenge.creator_id:
        raise NotInvited(_("You have not been invited to this challenge."))
    if invitation.state == Invitation.State.DECLINED:
        raise Refused(_("You have declined this challenge already."))
    invitation.state = Invitation.State.DECLINED
    invitation.reason = reason
    invitation.answered = now
    invitation.save()
    if challenge.audience == Challenge.Audience.NAMED or challenge.is_revealing:
        challenge.status = Challenge.Status.DECLINED
    notifications.notify(notifications.CHALLENGE_DECLINED, challenge, challenge.creator, user, now)


def withdraw(*, challenge_id: int, user: User, now: datetime) -> Challenge:
    """:raises ChallengeClosed: it is no longer open."""
    return change(challenge_id, partial(_withdraw, user=user), now=now)


def _withdraw(challenge: Challenge, *, user: User) -> None:
    if user.pk != challenge.creator_id:
        raise Refused(_("Only its creator withdraws a challenge."))
    challenge.status = Challenge.Status.WITHDRAWN


def expire(*, now: datetime) -> int:
    """Close the expired challenges and return how many there were."""
    pending = (Challenge.Status.OPEN, Challenge.Status.REVEALING)
    late = Challenge.objects.filter(status__in=pending, expires__lte=now)
    closed = 0
    for pk in list(late.values_list("pk", flat=True)):
        with IsolatedErrors(f"Challenge {pk}"):
            closed += _expire(pk, now)
    return closed


def _expire(pk: int, now: datetime) -> int:
    """Close a challenge. Return 0 if another change was committed first."""
    challenge = selectors.get(pk)
    if not challenge.is_pending or challenge.expires > now:
        return 0
    with transaction.atomic():
        mine = Challenge.objects.filter(pk=pk, version=challenge.version)
        closed = mine.update(status=Challenge.Status.EXPIRED, version=challenge.version + 1)
        if closed and challenge.is_revealing:
            reveals.notify_expired(challenge, now)
        if closed:
            announce_end(challenge)
            push.challenge_changed(invitation.user_id for invitation in challenge.invitations.all())
    return closed


def rematch(
    *,
    match: Match,
    user: User,
    now: datetime,
    pending: PendingSecret | None = None,
    nonce: bytes = b"",
    nonce_commitment: str = "",
) -> Challenge:
    """Challenge the other players of an ended match to a rematch with reversed seats.

    If another player has asked already, accept that challenge. If the rematch has begun, return it.

    :raises Refused: the match is running, the user didn't play in it, or another player has deleted
        their account.
    """
    snapshot = snapshot_of(match)
    seat = snapshot.seat_for(user)
    if match.is_running:
        raise Refused(_("A rematch comes after the end of the match."))
    dice: dict[str, Any] = {"nonce": nonce, "nonce_commitment": nonce_commitment}
    try:
        challenge = selectors.lasting_rematch_of(match) or _challenge_again(
            snapshot, user, seat, now, pending=pending, **dice
        )
    except (IntegrityError, CommitmentRefused):
        # another player asked concurrently: accept that challenge
        again = selectors.lasting_rematch_of(match)
        if again is None:
            raise
        challenge = again
    is_asked = challenge.is_pending and challenge.strict_dice
    if is_asked and pending and pending.commitment != challenge.commitment:
        raise Refused(_("Somebody has asked for this rematch already: press again to accept it."))
    return accept(challenge_id=challenge.pk, user=user, now=now, **dice)


def decline_rematch(*, match: Match, user: User, now: datetime) -> None:
    """Decline the rematch of a match, or withdraw it if the user asked for it.

    Does nothing if no rematch is pending.

    :raises NotInvited: the user didn't play in the match.
    """
    asked = selectors.rematch_of(match)
    if asked is not None:
        leave = withdraw if asked.creator_id == user.pk else decline
        leave(challenge_id=asked.pk, user=user, now=now)


def rematch_refusal(players: Sequence[Player], user: User, now: datetime) -> str:
    """Return why a user can't ask these players for a rematch. Empty if they can."""
    others = _others(players, user)
    try:
        _check_present(players)
        _check_together(user, others)
        preferences.check_invited(user, others, is_rematch=True, now=now)
        _check_may_begin(user, others, Challenge.Audience.NAMED, now)
    except Refused as refused:
        return str(refused)
    return ""


def _check_present(players: Sequence[Player]) -> None:
    if not all(player.user.is_active for player in players):
        raise Refused(_("A player of this match has no account any more."))


def _others(players: Sequence[Player], user: User) -> list[User]:
    return [player.user for player in players if player.user_id != user.pk]


@transaction.atomic
def _challenge_again(
    snapshot: MatchSnapshot, user: User, seat: Seat, now: datetime, **dice: Any
) -> Challenge:
    _check_present(snapshot.players)
    made = challenge(
        creator=user,
        title=snapshot.match.title,
        params=snapshot.match.params,
        clock=snapshot.match.time_control,
        seats=len(snapshot.players),
        audience=Challenge.Audience.NAMED,
        invited=_others(snapshot.players, user),
        seating=Challenge.Seating.LAST if seat == 0 else Challenge.Seating.FIRST,
        strict_dice=snapshot.match.strict_dice,
        rated=snapshot.match.rated,
        rematch_of=snapshot.match,
        now=now,
        **dice,
    )
    # The database refuses a second pending rematch, but not one beside a rematch that has begun.
    if selectors.begun_rematch_of(snapshot.match):
        raise CommitmentRefused(commitments.ALREADY_SENT)
    return made


def leave_pending(user: User, now: datetime) -> None:
    """Withdraw or decline all pending challenges of an absent user.

    A challenge that can't be left now stays until it expires.
    """
    StandingChallenge.objects.filter(user=user).delete()
    pending = (Challenge.Status.OPEN, Challenge.Status.REVEALING)
    invitations = Invitation.objects.filter(user=user).exclude(state=Invitation.State.DECLINED)
    for challenge in Challenge.objects.filter(
        status__in=pending, pk__in=invitations.values("challenge")
    ):
        leave = withdraw if challenge.creator_id == user.pk else decline
        with suppress(GameError):
            leave(challenge_id=challenge.pk, user=user, now=now)
