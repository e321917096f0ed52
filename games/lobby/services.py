"""What can be done with a challenge. All take ``now`` and refuse by raising."""

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from accounts.models import User
from games.kernel import params as parameters
from games.kernel import registry
from games.kernel.contract import Seat
from games.kernel.dice import SIZE
from games.kernel.errors import BadParams
from games.kernel.views import Json
from games.lobby import commitments, notifications, reveals, selectors
from games.lobby.commitments import CommitmentRefused, PendingSecret
from games.lobby.errors import ChallengeClosed, NotInvited
from games.lobby.models import Challenge, Invitation
from games.matches import push
from games.matches import services as match_services
from games.matches.clock import Clock
from games.matches.errors import Busy, Refused
from games.matches.models import Match
from games.matches.selectors import MatchSnapshot, snapshot_of
from games.matches.services import Participant
from games.matches.update import ATTEMPTS

MOST_OPEN = 20
"""How many open challenges of their own a person may have."""

LIFETIME = timedelta(days=14)
"""How long a challenge stays open unless its creator says otherwise."""

LONGEST = timedelta(days=60)
"""How long a challenge may stay open at most."""


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
    lifetime: timedelta = LIFETIME,
    pending: PendingSecret | None = None,
    nonce: bytes = b"",
    nonce_commitment: str = "",
    strict_dice: bool = False,
    rematch_of: Match | None = None,
) -> Challenge:
    """Offer a match and take the first seat in it.

    ``pending`` is the secret whose commitment the creator saw before making the nonce; without it
    the server makes both. With ``strict_dice`` a ``nonce_commitment`` comes instead of the nonce.

    :raises BadParams: the game does not offer these parameters or so many seats.
    :raises Refused: the people named do not fit the seats, too many are open already, or strict
        dice are not to be had.
    :raises CommitmentRefused: ``pending`` was used before.
    """
    meta = registry.get(title).meta
    low, high = meta.seats
    if not low <= seats <= high:
        raise BadParams(f"{meta.name} is for {low} to {high} players, not for {seats}.")
    _check_people(creator, audience, invited, seats)
    if strict_dice:
        reveals.check_offered(meta)
    if (nonce or nonce_commitment) and pending is None:
        raise CommitmentRefused("A nonce counts only with the commitment that was shown before it.")
    pending = pending or commitments.make(creator)
    if not timedelta() < lifetime <= LONGEST:
        raise Refused(f"A challenge stays open for at most {LONGEST.days} days.")
    with commitments.once(pending), transaction.atomic():
        made = Challenge.objects.create(
            title=title,
            params=dict(parameters.complete(meta, params)),
            clock=clock.dump() if clock else None,
            seats=seats,
            creator=creator,
            audience=audience,
            seating=seating,
            message=message,
            token=secrets.token_urlsafe(SIZE),
            commitment=pending.commitment,
            secret=pending.secret,
            strict_dice=strict_dice,
            created=now,
            expires=now + lifetime,
            rematch_of=rematch_of,
        )
        _take(made, creator, nonce, nonce_commitment, now)
        for user in invited:
            Invitation.objects.create(challenge=made, user=user, state=Invitation.State.INVITED)
            notifications.tell(notifications.CHALLENGE_RECEIVED, made, user, creator, now)
        push.challenge_changed([creator.pk, *(user.pk for user in invited)])
    return made


def _check_people(
    creator: User, audience: Challenge.Audience, invited: Sequence[User], seats: int
) -> None:
    mine = Challenge.objects.filter(creator=creator, status=Challenge.Status.OPEN)
    if mine.count() >= MOST_OPEN:
        raise Refused(f"You have {MOST_OPEN} open challenges already: withdraw one first.")
    if audience != Challenge.Audience.NAMED:
        if invited:
            raise Refused("Only a challenge to named players names them.")
        return
    names = {user.pk for user in invited}
    if creator.pk in names:
        raise Refused("You cannot challenge yourself.")
    if len(names) != len(invited) or len(names) != seats - 1:
        others = "another player" if seats - 1 == 1 else f"{seats - 1} different players"
        raise Refused(f"A match for {seats} needs the names of {others}.")


def accept(
    *,
    challenge_id: int,
    user: User,
    now: datetime,
    token: str = "",
    nonce: bytes = b"",
    nonce_commitment: str = "",
) -> Challenge:
    """Take a seat; the last one taken starts the match, once. Accepting twice is harmless.

    With strict dice a ``nonce_commitment`` comes instead of the nonce, and the last seat taken
    has everybody reveal theirs.

    :raises ChallengeClosed: it is not open any more.
    :raises NotInvited: it is meant for others.
    :raises Refused: strict dice, and no commitment.
    """

    def sit(found: Challenge) -> None:
        if _sits(found, user):
            return
        _check_open(found)
        if not selectors.may_accept(found, user, token):
            raise NotInvited("This challenge is meant for others.")
        _take(found, user, nonce, nonce_commitment, now)
        if (
            Invitation.objects.filter(challenge=found, state=Invitation.State.TAKEN).count()
            == found.seats
        ):
            _fill(found, user, now)
        else:
            notifications.tell(notifications.CHALLENGE_ACCEPTED, found, found.creator, user, now)

    try:
        return _change(challenge_id, sit, now)
    except ChallengeClosed:
        found = selectors.get(challenge_id)
        if found.status == Challenge.Status.STARTED and _sits(found, user):
            return found
        raise


def reveal(*, challenge_id: int, user: User, nonce: bytes, now: datetime) -> Challenge:
    """Reveal the nonce that was committed to; the last one starts the match, once.

    Revealing twice is harmless.

    :raises ChallengeClosed: the time to reveal is over, or a player has left.
    :raises NotInvited: the person has no seat.
    :raises Refused: a seat is still free, or the nonce is not the one committed to.
    """
    try:
        return _change(challenge_id, partial(_reveal, user=user, nonce=nonce, now=now), now)
    except ChallengeClosed:
        found = selectors.get(challenge_id)
        if found.status == Challenge.Status.STARTED and _sits(found, user):
            return found
        raise


def _reveal(found: Challenge, *, user: User, nonce: bytes, now: datetime) -> None:
    invitation = selectors.invitation_of(found, user)
    if invitation is None or invitation.state != Invitation.State.TAKEN:
        raise NotInvited("You have no seat in this challenge.")
    if not found.is_revealing:
        raise Refused("Nonces are revealed when all seats are taken.")
    reveals.check_nonce(invitation, nonce)
    invitation.nonce, invitation.nonce_is_own = nonce, True
    invitation.save(update_fields=["nonce", "nonce_is_own"])
    if not reveals.awaited(found):
        _start(found, _taken(found).order_by("seat"), user, now)


def _sits(found: Challenge, user: User) -> bool:
    invitation = selectors.invitation_of(found, user)
    return invitation is not None and invitation.state == Invitation.State.TAKEN


def decline(*, challenge_id: int, user: User, now: datetime, reason: str = "") -> Challenge:
    """Decline an invitation, or give a seat back; one that cannot fill up any more is over.

    So is one in which nonces are being revealed: nobody else can commit any more.

    :raises ChallengeClosed: it is not open any more.
    :raises NotInvited: there is nothing to decline.
    """

    def leave(found: Challenge) -> None:
        invitation = selectors.invitation_of(found, user)
        if invitation is None or user.pk == found.creator_id:
            raise NotInvited("You have not been invited to this challenge.")
        if invitation.state == Invitation.State.DECLINED:
            raise Refused("You have declined this challenge already.")
        invitation.state, invitation.reason, invitation.answered = (
            Invitation.State.DECLINED,
            reason,
            now,
        )
        invitation.save()
        if found.audience == Challenge.Audience.NAMED or found.is_revealing:
            found.status = Challenge.Status.DECLINED
        notifications.tell(notifications.CHALLENGE_DECLINED, found, found.creator, user, now)

    return _change(challenge_id, leave, now)


def withdraw(*, challenge_id: int, user: User, now: datetime) -> Challenge:
    """Withdraw one's own challenge.

    :raises ChallengeClosed: it is not open any more.
    """

    def end(found: Challenge) -> None:
        if user.pk != found.creator_id:
            raise Refused("Only its creator withdraws a challenge.")
        found.status = Challenge.Status.WITHDRAWN

    return _change(challenge_id, end, now)


def expire(*, now: datetime) -> int:
    """Close the challenges whose time is over and return how many there were."""
    pending = (Challenge.Status.OPEN, Challenge.Status.REVEALING)
    late = Challenge.objects.filter(status__in=pending, expires__lte=now)
    return sum(_expire(pk, now) for pk in list(late.values_list("pk", flat=True)))


def _expire(pk: int, now: datetime) -> int:
    """Close one; whoever accepted it at the same moment has refused it for being late."""
    found = selectors.get(pk)
    if not found.is_pending or found.expires > now:
        return 0
    with transaction.atomic():
        mine = Challenge.objects.filter(pk=pk, version=found.version)
        closed = mine.update(status=Challenge.Status.EXPIRED, version=found.version + 1)
        if closed and found.is_revealing:
            reveals.tell_expired(found, now)
        if closed:
            push.challenge_changed(invitation.user_id for invitation in found.invitations.all())
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
    """Challenge the others of an ended match to the same again, seats the other way round.

    Whoever asks second accepts the challenge of the first.

    :raises Refused: the match still runs, or the person did not play in it.
    """
    snapshot = snapshot_of(match)
    seat = snapshot.seat_for(user)
    if match.is_running:
        raise Refused("A rematch comes after the end of the match.")
    given: dict[str, Any] = {"nonce": nonce, "nonce_commitment": nonce_commitment}
    try:
        found = selectors.rematch_of(match) or _challenge_again(
            snapshot, user, seat, now, pending=pending, **given
        )
    except (IntegrityError, CommitmentRefused):
        # Somebody asked for it at the same moment: theirs is the one.
        again = selectors.rematch_of(match)
        if again is None:
            raise
        found = again
    if found.strict_dice and pending and pending.commitment != found.commitment:
        raise Refused("Somebody has asked for this rematch already: press again to accept it.")
    return accept(challenge_id=found.pk, user=user, now=now, **given)


def _challenge_again(
    snapshot: MatchSnapshot, user: User, seat: Seat, now: datetime, **dice: Any
) -> Challenge:
    return challenge(
        creator=user,
        title=snapshot.match.title,
        params=snapshot.match.params,
        clock=snapshot.match.time_control,
        seats=len(snapshot.players),
        audience=Challenge.Audience.NAMED,
        invited=[player.user for player in snapshot.players if player.user_id != user.pk],
        seating=Challenge.Seating.LAST if seat == 0 else Challenge.Seating.FIRST,
        strict_dice=snapshot.match.strict_dice,
        rematch_of=snapshot.match,
        now=now,
        **dice,
    )


def _take(found: Challenge, user: User, nonce: bytes, nonce_commitment: str, now: datetime) -> None:
    """Seat a person; a nonce that the browser did not send is drawn here, but for strict dice."""
    if found.strict_dice:
        reveals.check_commitment(found, nonce_commitment)
        given = {"nonce": b"", "nonce_is_own": False, "nonce_commitment": nonce_commitment}
    else:
        drawn = nonce or secrets.token_bytes(SIZE)
        given = {"nonce": drawn, "nonce_is_own": bool(nonce), "nonce_commitment": ""}
    Invitation.objects.update_or_create(
        challenge=found,
        user=user,
        defaults={"state": Invitation.State.TAKEN, "answered": now, **given},
    )


def _fill(found: Challenge, joiner: User, now: datetime) -> None:
    """Go on from the last seat taken: to the match, or with strict dice to the nonces."""
    seated = _seated(found, list(_taken(found)))
    if found.strict_dice:
        reveals.begin(found, seated, joiner, now)
    else:
        _start(found, seated, joiner, now)


def _taken(found: Challenge) -> QuerySet[Invitation]:
    return Invitation.objects.filter(challenge=found, state=Invitation.State.TAKEN)


def _start(
    found: Challenge, seated: Iterable[Invitation], last_joiner: User, now: datetime
) -> None:
    """Start the match; ``seated`` are in seat order."""
    found.match = match_services.start(
        title=found.title,
        params=found.params,
        clock=found.time_control,
        secret=found.secret,
        strict_dice=found.strict_dice,
        participants=[
            Participant(p.user, p.nonce, p.nonce_is_own, p.nonce_commitment) for p in seated
        ],
        last_joiner=last_joiner,
        now=now,
    )
    found.status = Challenge.Status.STARTED


def _seated(found: Challenge, places: Sequence[Invitation]) -> list[Invitation]:
    """Return the places in seat order, as the creator wanted it."""
    own = [invitation for invitation in places if invitation.user_id == found.creator_id]
    others = [invitation for invitation in places if invitation.user_id != found.creator_id]
    draw = secrets.SystemRandom()
    draw.shuffle(others)
    if found.seating == Challenge.Seating.FIRST:
        return own + others
    if found.seating == Challenge.Seating.LAST:
        return others + own
    everybody = own + others
    draw.shuffle(everybody)
    return everybody


def _change(challenge_id: int, decide: Callable[[Challenge], None], now: datetime) -> Challenge:
    """Change a pending challenge in one transaction, anew when another change came first."""
    for _ in range(ATTEMPTS):
        found = selectors.get(challenge_id)
        with transaction.atomic():
            if _swap(found, now):
                decide(found)
                found.save(update_fields=["status", "match", "expires"])
                push.challenge_changed(invitation.user_id for invitation in found.invitations.all())
                return found
    raise Busy("This challenge changes too fast just now. Please try again.")


def _check_open(found: Challenge) -> None:
    if not found.is_open:
        raise ChallengeClosed(f"This challenge is {found.get_status_display()}.")


def _swap(found: Challenge, now: datetime) -> bool:
    if not found.is_pending:
        raise ChallengeClosed(f"This challenge is {found.get_status_display()}.")
    if found.expires <= now:
        raise ChallengeClosed("This challenge has expired.")
    same = Challenge.objects.filter(pk=found.pk, version=found.version)
    return bool(same.update(version=found.version + 1))
