"""Queries for challenges and lists of the lobby, and permissions to see and accept challenges."""

from collections.abc import Collection
from datetime import timedelta
from statistics import median_low as median
from typing import Any

from django.db.models import Prefetch, Q, QuerySet
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from accounts import blocks
from accounts.models import User
from games.lobby.errors import NoSuchChallenge
from games.lobby.models import Challenge, Invitation
from games.matches.models import Match

SAMPLE = 20
"""Number of recent matches from which the usual wait is computed."""

TELLING = 3
"""Minimum number of matches for a usual wait."""


def with_people(challenges: QuerySet[Challenge]) -> QuerySet[Challenge]:
    """Return the same challenges with creator, renewal, invitations and their users prefetched."""
    invitations = Invitation.objects.select_related("user")
    return challenges.select_related("creator", "renewal").prefetch_related(
        Prefetch("invitations", invitations)
    )


def get(challenge_id: int) -> Challenge:
    """:raises NoSuchChallenge: it doesn't exist."""
    challenge = with_people(Challenge.objects.filter(pk=challenge_id)).first()
    if challenge is None:
        raise NoSuchChallenge(_("There is no challenge {number}.").format(number=challenge_id))
    return challenge


def get_for(challenge_id: int, user: User | None, token: str = "") -> Challenge:
    """Return a challenge that a user (``None``: signed out) may see.

    A challenge by link needs the ``token`` of the link. One to named players is visible to them.

    :raises NoSuchChallenge: it doesn't exist, or this user may not see it.
    """
    challenge = get(challenge_id)
    if not may_see(challenge, user, token):
        raise NoSuchChallenge(
            _("There is no challenge {number} for you.").format(number=challenge_id)
        )
    return challenge


def of_ids(challenge_ids: Collection[int]) -> QuerySet[Challenge]:
    return with_people(Challenge.objects.filter(pk__in=challenge_ids)).select_related("match")


def of_matches(match_ids: Collection[int]) -> QuerySet[Challenge]:
    return with_people(Challenge.objects.filter(match__in=match_ids))


def may_see(challenge: Challenge, user: User | None, token: str = "") -> bool:
    """Whether a user may see a challenge."""
    if challenge.audience == Challenge.Audience.OPEN or has_link(challenge, token):
        return True
    return user is not None and invitation_of(challenge, user) is not None


def has_link(challenge: Challenge, token: str) -> bool:
    """Whether a challenge can be accepted by link and ``token`` is correct."""
    by_link = challenge.audience == Challenge.Audience.LINK
    return by_link and constant_time_compare(token, challenge.token)


def invitation_of(challenge: Challenge, user: User) -> Invitation | None:
    """Return a user's invitation to a challenge. ``None`` without one."""
    return next((p for p in challenge.invitations.all() if p.user_id == user.pk), None)


def taken(challenge: Challenge) -> list[Invitation]:
    """Return the invitations of the seats taken, the creator's first."""
    invitations = [p for p in challenge.invitations.all() if p.state == Invitation.State.TAKEN]
    return sorted(invitations, key=lambda p: (p.user_id != challenge.creator_id, p.answered, p.pk))


def seated(challenge: Challenge) -> list[Invitation]:
    """Return the invitations of the seats taken, in seat order once it is drawn."""
    return sorted(taken(challenge), key=lambda invitation: (invitation.seat or 0, invitation.pk))


def may_accept(challenge: Challenge, user: User, token: str = "") -> bool:
    """Whether a user may take a seat that is still free."""
    invitation = invitation_of(challenge, user)
    if not challenge.is_open or (invitation and invitation.state == Invitation.State.TAKEN):
        return False
    invited = invitation is not None and invitation.state == Invitation.State.INVITED
    return challenge.audience == Challenge.Audience.OPEN or invited or has_link(challenge, token)


def rematch_of(match: Match) -> Challenge | None:
    """Return the pending rematch of a match. ``None`` without one."""
    pending = (Challenge.Status.OPEN, Challenge.Status.REVEALING)
    return match.rematches.filter(status__in=pending).first()


def lasting_rematch_of(match: Match) -> Challenge | None:
    """Return the pending rematch of a match, or the one that has begun. ``None`` without one."""
    lasting = (Challenge.Status.OPEN, Challenge.Status.REVEALING, Challenge.Status.STARTED)
    return match.rematches.filter(status__in=lasting).first()


def begun_rematch_of(match: Match) -> int | None:
    """Return the id of the rematch of a match. ``None`` before it starts."""
    return match.rematches.filter(match__isnull=False).values_list("match_id", flat=True).last()


def awaiting_nonce(user: User) -> QuerySet[Challenge]:
    """Return the challenges that wait for a user's nonce, the oldest first."""
    due = Invitation.objects.filter(user=user, state=Invitation.State.TAKEN, nonce=b"")
    challenges = Challenge.objects.filter(status=Challenge.Status.REVEALING, invitations__in=due)
    return with_people(challenges).order_by("pk")


def pending_commitments(commitments: Collection[str]) -> set[str]:
    """Return the given commitments whose nonces aren't revealed yet."""
    pending = (Challenge.Status.OPEN, Challenge.Status.REVEALING)
    invitations = Invitation.objects.filter(
        nonce_commitment__in=commitments, nonce=b"", challenge__status__in=pending
    )
    return set(invitations.values_list("nonce_commitment", flat=True))


def open_to_all(reader: Any = None) -> QuerySet[Challenge]:
    """Return the challenges open to everybody, latest first.

    It leaves out challenges of players who have blocked the ``reader`` or are blocked.
    """
    return with_people(listed_for(reader))


def listed_for(reader: Any, apart: Collection[int] | None = None) -> QuerySet[Challenge]:
    """Return :func:`open_to_all` without prefetched people.

    :param apart: the users whom a block separates from the reader; they are read if it is ``None``.
    """
    challenges = Challenge.objects.filter(
        status=Challenge.Status.OPEN, audience=Challenge.Audience.OPEN
    )
    if apart is None:
        is_known = reader is not None and reader.is_authenticated
        apart = blocks.all_apart(reader) if is_known else ()
    if not apart:
        return challenges
    seats = Invitation.objects.filter(
        user__in=apart, state=Invitation.State.TAKEN, challenge__status=Challenge.Status.OPEN
    )
    return challenges.exclude(pk__in=seats.values("challenge"))


def open_to_others(user: User) -> QuerySet[Challenge]:
    """Return the challenges open to everybody without those of a user or with a seat of theirs.

    Latest first.
    """
    seats = Invitation.objects.filter(user=user, state=Invitation.State.TAKEN)
    others = open_to_all(user).exclude(creator=user)
    return others.exclude(pk__in=seats.values("challenge"))


def by_people(challenges: QuerySet[Challenge]) -> QuerySet[Challenge]:
    return challenges.filter(creator__is_bot=False, creator__is_program=False)


def people_first(challenges: QuerySet[Challenge]) -> QuerySet[Challenge]:
    """Return the challenges of people before those of bots, the latest of each first."""
    return challenges.order_by("creator__is_bot", "-created", "-pk")


def by_bots(challenges: QuerySet[Challenge]) -> QuerySet[Challenge]:
    return challenges.filter(Q(creator__is_bot=True) | Q(creator__is_program=True))


def usual_wait(title: str) -> timedelta | None:
    """Return the median wait of recent open challenges of a game.

    ``None`` if too few have become matches.
    """
    begun = Challenge.objects.filter(
        title=title,
        audience=Challenge.Audience.OPEN,
        status=Challenge.Status.STARTED,
    ).exclude(match__players__is_bot=True)
    latest = begun.order_by("-pk").values_list("created", "match__created")[:SAMPLE]
    waits = [start - posted for posted, start in latest]
    return median(waits) if len(waits) >= TELLING else None


def received(user: User) -> QuerySet[Challenge]:
    """Return the open challenges to which a user is invited, the latest first."""
    return with_people(Challenge.objects.filter(invitations__in=_open_invitations(user)))


def _open_invitations(user: User) -> QuerySet[Invitation]:
    return Invitation.objects.filter(
        user=user, state=Invitation.State.INVITED, challenge__status=Challenge.Status.OPEN
    )


def first_received(user: User, few: int) -> list[Challenge]:
    """Return the first few challenges to which a user is invited, the latest first.

    Mostly nothing is found. Finding that out takes a third of the time of reading them.
    """
    invited = _open_invitations(user).order_by("-challenge_id")
    latest = list(invited.values_list("challenge_id", flat=True)[:few])
    return list(with_people(Challenge.objects.filter(pk__in=latest))) if latest else []


def pending_of(user: User) -> QuerySet[Challenge]:
    """Return the pending challenges to which a user is invited, or in which they have a seat."""
    states = (Invitation.State.INVITED, Invitation.State.TAKEN)
    mine = Invitation.objects.filter(user=user, state__in=states)
    pending = (Challenge.Status.OPEN, Challenge.Status.REVEALING)
    return with_people(Challenge.objects.filter(status__in=pending, invitations__in=mine))


def first_open(user: User, few: int, apart: Collection[int]) -> list[tuple[int, int]]:
    """Return ids and versions of challenges open to everybody, as the front page lists them.

    People's come before bots', the latest of each first.

    :param apart: the users whom a block separates from the reader.
    """
    return list(people_first(listed_for(user, apart)).values_list("pk", "version")[:few])


def received_and_made(user: User, few: int) -> tuple[list[Challenge], list[Challenge]]:
    """Return challenges that wait for a user's answer, and those in which the user has a seat.

    Latest first, at most ``few`` of each. One query reads both.
    """
    latest = list(pending_of(user)[: 5 * few])
    asked = [challenge for challenge in latest if is_invited(challenge, user)]
    return asked[:few], [challenge for challenge in latest if challenge not in asked][:few]


def is_invited(challenge: Challenge, user: User) -> bool:
    """Whether a challenge waits for the answer of an invited user."""
    invitation = invitation_of(challenge, user)
    return invitation is not None and invitation.state == Invitation.State.INVITED


def made(user: User) -> QuerySet[Challenge]:
    """Return the pending challenges that a user made or has a seat in, the latest first."""
    mine = Q(creator=user) | Q(invitations__user=user, invitations__state=Invitation.State.TAKEN)
    pending = (Challenge.Status.OPEN, Challenge.Status.REVEALING)
    challenges = Challenge.objects.filter(mine, status__in=pending).distinct()
    return with_people(challenges)
