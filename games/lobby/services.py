"""What can be done with a challenge. All take ``now`` and refuse by raising."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction

from accounts.models import User
from games.kernel import params as parameters
from games.kernel import registry
from games.kernel.contract import Seat
from games.kernel.dice import seal
from games.kernel.errors import BadParams
from games.kernel.views import Json
from games.lobby import news, selectors
from games.lobby.errors import ChallengeClosed, NotInvited
from games.lobby.models import Challenge, Place
from games.match import push
from games.match import services as match_services
from games.match.change import ATTEMPTS
from games.match.clock import Clock
from games.match.errors import Busy, Refused
from games.match.fields import Hidden
from games.match.models import Match
from games.match.selectors import Table, table_of
from games.match.services import Sitting

NONCE = 32
"""Bytes of a secret, and of each player's part in the dice."""

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
    nonce: bytes = b"",
    rematch_of: Match | None = None,
) -> Challenge:
    """Offer a match and take the first seat in it.

    :raises BadParams: the game does not offer these parameters or so many seats.
    :raises Refused: the people named do not fit the seats, or too many are open already.
    """
    meta = registry.get(title).meta
    low, high = meta.seats
    if not low <= seats <= high:
        raise BadParams(f"{meta.name} is for {low} to {high} players, not for {seats}.")
    _check_people(creator, audience, invited, seats)
    secret = Hidden(secrets.token_bytes(NONCE))
    if not timedelta() < lifetime <= LONGEST:
        raise Refused(f"A challenge stays open for at most {LONGEST.days} days.")
    with transaction.atomic():
        made = Challenge.objects.create(
            title=title,
            params=dict(parameters.complete(meta, params)),
            clock=clock.dump() if clock else None,
            seats=seats,
            creator=creator,
            audience=audience,
            seating=seating,
            message=message,
            token=secrets.token_urlsafe(NONCE),
            seal=seal(secret).hex(),
            secret=secret,
            created=now,
            expires=now + lifetime,
            rematch_of=rematch_of,
        )
        _take(made, creator, nonce, now)
        for user in invited:
            Place.objects.create(challenge=made, user=user, state=Place.State.INVITED)
            news.tell(news.CHALLENGE_RECEIVED, made, user, creator, now)
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
    *, challenge_id: int, user: User, now: datetime, token: str = "", nonce: bytes = b""
) -> Challenge:
    """Take a seat; the last one taken starts the match, once. Accepting twice is harmless.

    :raises ChallengeClosed: it is not open any more.
    :raises NotInvited: it is meant for others.
    """

    def sit(found: Challenge) -> None:
        if _sits(found, user):
            return
        if not selectors.may_accept(found, user, token):
            raise NotInvited("This challenge is meant for others.")
        _take(found, user, nonce, now)
        if Place.objects.filter(challenge=found, state=Place.State.TAKEN).count() == found.seats:
            _start(found, user, now)
        else:
            news.tell(news.CHALLENGE_ACCEPTED, found, found.creator, user, now)

    try:
        return _change(challenge_id, sit, now)
    except ChallengeClosed:
        found = selectors.get(challenge_id)
        if found.status == Challenge.Status.STARTED and _sits(found, user):
            return found
        raise


def _sits(found: Challenge, user: User) -> bool:
    place = selectors.place_of(found, user)
    return place is not None and place.state == Place.State.TAKEN


def decline(*, challenge_id: int, user: User, now: datetime, reason: str = "") -> Challenge:
    """Decline an invitation, or give a seat back; one that cannot fill up any more is over.

    :raises ChallengeClosed: it is not open any more.
    :raises NotInvited: there is nothing to decline.
    """

    def leave(found: Challenge) -> None:
        place = selectors.place_of(found, user)
        if place is None or user.pk == found.creator_id:
            raise NotInvited("You have not been invited to this challenge.")
        if place.state == Place.State.DECLINED:
            raise Refused("You have declined this challenge already.")
        place.state, place.reason, place.answered = Place.State.DECLINED, reason, now
        place.save()
        if found.audience == Challenge.Audience.NAMED:
            found.status = Challenge.Status.DECLINED
        news.tell(news.CHALLENGE_DECLINED, found, found.creator, user, now)

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
    late = Challenge.objects.filter(status=Challenge.Status.OPEN, expires__lte=now)
    return sum(_expire(pk) for pk in list(late.values_list("pk", flat=True)))


def _expire(pk: int) -> int:
    """Close one; whoever accepted it at the same moment has refused it for being late."""
    found = selectors.get(pk)
    with transaction.atomic():
        mine = Challenge.objects.filter(pk=pk, version=found.version, status="open")
        closed = mine.update(status=Challenge.Status.EXPIRED, version=found.version + 1)
        if closed:
            push.challenge_changed(place.user_id for place in found.places.all())
    return closed


def rematch(*, match: Match, user: User, now: datetime, nonce: bytes = b"") -> Challenge:
    """Challenge the others of an ended match to the same again, seats the other way round.

    Whoever asks second accepts the challenge of the first.

    :raises Refused: the match still runs, or the person did not play in it.
    """
    at = table_of(match)
    seat = at.seat_for(user)
    if match.is_running:
        raise Refused("A rematch comes after the end of the match.")
    waiting = match.rematches.filter(status=Challenge.Status.OPEN)
    try:
        found = waiting.first() or _challenge_again(at, user, seat, nonce, now)
    except IntegrityError:
        # Another player asked for it at the same moment: theirs is the one.
        found = waiting.get()
    return accept(challenge_id=found.pk, user=user, nonce=nonce, now=now)


def _challenge_again(at: Table, user: User, seat: Seat, nonce: bytes, now: datetime) -> Challenge:
    return challenge(
        creator=user,
        title=at.match.title,
        params=at.match.params,
        clock=at.match.time_control,
        seats=len(at.players),
        audience=Challenge.Audience.NAMED,
        invited=[player.user for player in at.players if player.user_id != user.pk],
        seating=Challenge.Seating.LAST if seat == 0 else Challenge.Seating.FIRST,
        rematch_of=at.match,
        nonce=nonce,
        now=now,
    )


def _take(found: Challenge, user: User, nonce: bytes, now: datetime) -> None:
    """Seat a person; a nonce that the browser did not send is drawn here."""
    Place.objects.update_or_create(
        challenge=found,
        user=user,
        defaults={
            "state": Place.State.TAKEN,
            "nonce": nonce or secrets.token_bytes(NONCE),
            "nonce_is_own": bool(nonce),
            "answered": now,
        },
    )


def _start(found: Challenge, starter: User, now: datetime) -> None:
    places = list(Place.objects.filter(challenge=found, state=Place.State.TAKEN))
    found.match = match_services.start(
        title=found.title,
        params=found.params,
        clock=found.time_control,
        secret=found.secret,
        sittings=[Sitting(p.user, p.nonce, p.nonce_is_own) for p in _seated(found, places)],
        starter=starter,
        now=now,
    )
    found.status = Challenge.Status.STARTED


def _seated(found: Challenge, places: Sequence[Place]) -> list[Place]:
    """Return the places in seat order, as the creator wanted it."""
    own = [place for place in places if place.user_id == found.creator_id]
    others = [place for place in places if place.user_id != found.creator_id]
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
    """Change an open challenge in one transaction, anew when another change came first."""
    for _ in range(ATTEMPTS):
        found = selectors.get(challenge_id)
        with transaction.atomic():
            if _swap(found, now):
                decide(found)
                found.save(update_fields=["status", "match"])
                push.challenge_changed(place.user_id for place in found.places.all())
                return found
    raise Busy("This challenge changes too fast just now. Please try again.")


def _swap(found: Challenge, now: datetime) -> bool:
    if not found.is_open:
        raise ChallengeClosed(f"This challenge is {found.get_status_display()}.")
    if found.expires <= now:
        raise ChallengeClosed("This challenge has expired.")
    same = Challenge.objects.filter(pk=found.pk, version=found.version)
    return bool(same.update(version=found.version + 1))
