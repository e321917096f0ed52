"""Changes of ladders. Each locks the ladder, so that they happen one after the other.

A change with a ``club_id`` is one of the ladder of a club's members, otherwise of the whole site's.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime

from django.db import transaction
from django.db.models import F, Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import signup
from accounts.models import User
from accounts.sanctions import standing
from games.bots.levels import LEVELS
from games.bots.users import user_of
from games.clubs import changes as clubs
from games.clubs.models import Club, LeaderAct, Membership
from games.kernel import registry
from games.kernel.errors import GameError
from games.kernel.two_players import PAIR
from games.ladders import notifications, selectors
from games.ladders.models import ClubLadder, Ladder, LadderChallenge, LadderPlace
from games.ladders.selectors import ANSWER, IDLE, PENDING, Reasons
from games.lobby import finding
from games.lobby import services as lobby
from games.lobby.models import Challenge
from games.matches import clock as clocks
from games.matches.clock import PRESETS
from games.matches.clocks import vacations
from games.matches.errors import Refused
from games.matches.isolation import IsolatedErrors
from games.matches.log import log_entries
from games.matches.models import Match

CLOCK = PRESETS["standard"]
"""The clock of ladder matches."""

Outcome = LadderChallenge.Outcome

NO_LADDER = gettext_lazy("This club has no ladder of this game.")
MEMBERS = gettext_lazy("Only members of the club can join its ladder.")


@contextmanager
def _locked(title: str, club_id: int | None = None) -> Iterator[None]:
    with transaction.atomic():
        if club_id is None:
            # The transaction that makes the row holds its lock, too.
            Ladder.objects.select_for_update().get_or_create(title=title)
        else:
            # Once the ladder is closed, nothing is left that changes could disturb.
            list(ClubLadder.objects.select_for_update().filter(title=title, club=club_id))
        yield


def join(*, user: User, title: str, now: datetime, club_id: int | None = None) -> None:
    """Give a user the lowest place. Joining twice has no effect.

    The first to join a ladder of the whole site finds the bots there, the strongest on top.

    :raises Refused: the user is a guest, a program or has no confirmed address, the game isn't
        for two, or the user isn't a member of the club.
    """
    _check_for_two(title)
    if why := cannot_join(user):
        raise Refused(why)
    with _locked(title, club_id):
        if club_id is not None:
            _check_member(user, title, club_id)
        size = selectors.places(title, club_id).count()
        bots = () if size or club_id else reversed(LEVELS)
        for position, one in enumerate([*map(user_of, bots), user], size + 1):
            values = {"club_id": club_id, "position": position, "joined": now, "active": now}
            selectors.places(title, club_id).get_or_create(title=title, user=one, defaults=values)


def _check_for_two(title: str) -> None:
    meta = registry.get(title).meta
    if not finding.is_for_two(meta):
        raise Refused(finding.NOT_FOR_TWO.format(meta.name))


def _check_member(user: User, title: str, club_id: int) -> None:
    if not ClubLadder.objects.filter(title=title, club=club_id).exists():
        raise Refused(str(NO_LADDER))
    # Under the lock, so that nobody joins while they leave the club.
    if not Membership.objects.filter(club=club_id, user=user).exists():
        raise Refused(str(MEMBERS))


def cannot_join(user: User) -> str:
    """Return why a user can't be on ladders. Empty if they can."""
    if user.is_guest:
        return _("Guests have no place on ladders. Join the site first.")
    if user.is_shown_as_bot:
        return _("Programs have no place on ladders.")
    if signup.awaits_confirmation(user):
        return _("Confirm your email address first.")
    return ""


def leave(*, user: User, title: str, now: datetime, club_id: int | None = None) -> None:
    """Take a user off a ladder. Their pending challenges end, running matches are played on."""
    with _locked(title, club_id):
        _remove(user, title, club_id, now)


def leave_all(user: User, now: datetime) -> None:
    # In one order, so that two who leave at once don't wait for each other.
    for place in LadderPlace.objects.filter(user=user).order_by("title", "club"):
        leave(user=user, title=place.title, club_id=place.club_id, now=now)


def leave_club(user: User, club: Club, now: datetime) -> None:
    """Take somebody who is no longer a member off the ladders of a club."""
    # Also those where no place is seen yet: somebody may join one at this moment.
    for title in sorted(club.ladders.values_list("title", flat=True)):
        leave(user=user, title=title, club_id=club.pk, now=now)


def _remove(user: User, title: str, club_id: int | None, now: datetime) -> None:
    place = selectors.place_of(user, title, club_id)
    if place is None:
        return
    for one in selectors.pending(title, club_id).filter(Q(challenger=user) | Q(defender=user)):
        _void(one, user, now)
    place.delete()
    below = LadderPlace.objects.filter(title=title, club=club_id, position__gt=place.position)
    below.update(position=F("position") - 1)


def _void(one: LadderChallenge, user: User, now: datetime) -> None:
    """End a challenge because of one of its players. A match that has begun goes on."""
    _close(one, Outcome.VOID, now)
    end = lobby.withdraw if one.challenger_id == user.pk else lobby.decline
    with suppress(GameError):
        end(challenge_id=one.challenge_id, user=user, now=now)


@transaction.atomic
def found(*, club_id: int, leader: User, title: str, now: datetime) -> ClubLadder:
    """Found the ladder of a game for the members of a club. Doing it twice has no effect.

    :raises NotALeader: only leaders do.
    :raises Refused: the game isn't for two.
    """
    club, _own = clubs.locked_by_leader(club_id, leader)
    _check_for_two(title)
    made, is_new = ClubLadder.objects.get_or_create(
        club=club, title=title, defaults={"founded": now}
    )
    if is_new:
        clubs.log(club, leader, LeaderAct.Kind.FOUND_LADDER, now, title=title)
    return made


@transaction.atomic
def close(*, club_id: int, leader: User, title: str, now: datetime) -> None:
    """Close the ladder of a club, with all places. Doing it twice has no effect.

    :raises NotALeader: only leaders do.
    """
    club, _own = clubs.locked_by_leader(club_id, leader)
    if _close_ladder(title, club_id, now):
        clubs.log(club, leader, LeaderAct.Kind.CLOSE_LADDER, now, title=title)


def close_all(club: Club, now: datetime) -> None:
    """Close the ladders of a club that is closed."""
    for title in sorted(club.ladders.values_list("title", flat=True)):
        _close_ladder(title, club.pk, now)


def _close_ladder(title: str, club_id: int, now: datetime) -> bool:
    """Close a ladder of a club. Return whether there was one."""
    with _locked(title, club_id):
        for one in selectors.pending(title, club_id):
            _void(one, one.challenger, now)
        selectors.places(title, club_id).delete()
        closed, _rows = ClubLadder.objects.filter(title=title, club=club_id).delete()
    return bool(closed)


def challenge(
    *, user: User, other: User, title: str, now: datetime, club_id: int | None = None
) -> LadderChallenge:
    """Challenge a player above for their place. Bots accept after the commit.

    :raises Refused: one of them isn't on the ladder, or another reason.
    """
    with _locked(title, club_id):
        own = selectors.place_of(user, title, club_id)
        if own is None:
            raise Refused(_("Join the ladder first."))
        if why := Reasons(user, own, now).refusal(other):
            raise Refused(why)
        made = lobby.challenge(
            creator=user,
            title=title,
            params={},
            clock=CLOCK,
            seats=PAIR,
            audience=Challenge.Audience.NAMED,
            invited=[other],
            rated=True,
            lifetime=_answer_until(other, now) - now,
            subject=notifications.challenge_subject(own.club),
            now=now,
        )
        own.active = now
        own.save(update_fields=["active"])
        return LadderChallenge.objects.create(
            title=title,
            club_id=club_id,
            challenge=made,
            challenger=user,
            defender=other,
            created=now,
        )


def _answer_until(defender: User, since: datetime) -> datetime:
    """Return until when a player may answer a challenge. Vacations don't count."""
    end = clocks.deadline(ANSWER, since, vacations.away_since(defender, since))
    return end or since + lobby.MAX_CHALLENGE_LIFETIME


def reset_expiry(defender: User) -> None:
    """Update until when a player may answer ladder challenges, after their vacations changed."""
    waiting = LadderChallenge.objects.filter(
        defender=defender, outcome=PENDING, challenge__status=Challenge.Status.OPEN
    )
    for one in waiting:
        challenge = Challenge.objects.filter(pk=one.challenge_id, status=Challenge.Status.OPEN)
        challenge.update(expires=_answer_until(defender, one.created))


# --- The end of a challenge ----------------------------------------------------------------------


def settle(pk: int, *, now: datetime) -> None:
    """Move the players if a ladder challenge is over. A second call has no effect.

    If a moderator annuls a match that the challenger won, the other takes the place back.
    """
    title, club_id = LadderChallenge.objects.values_list("title", "club").get(pk=pk)
    with _locked(title, club_id):
        one = LadderChallenge.objects.select_related(
            "challenge__match", "challenger", "defender", "club"
        ).get(pk=pk)
        match = one.challenge.match
        if one.outcome == Outcome.WON and match and match.status == Match.Status.ANNULLED:
            _close(one, Outcome.VOID, now)
            _take_place(one, one.defender_id, one.challenger_id)
        elif one.outcome == PENDING and (outcome := _outcome(one, match)):
            _finish(one, outcome, now)


def _outcome(one: LadderChallenge, match: Match | None) -> Outcome:
    """Return the outcome of a challenge."""
    if match is not None:
        return _outcome_of_match(one, match)
    status = one.challenge.status
    if status == Challenge.Status.WITHDRAWN:
        return Outcome.VOID
    over = (Challenge.Status.DECLINED, Challenge.Status.EXPIRED)
    return Outcome.FORFEITED if status in over else PENDING


def _outcome_of_match(one: LadderChallenge, match: Match) -> Outcome:
    if match.is_running:
        return PENDING
    if match.status != Match.Status.OVER:
        seat = log_entries.cancelled_alone(match)
        defends = match.players.filter(user=one.defender_id)
        is_evaded = seat is not None and defends.filter(seat=seat).exists()
        return Outcome.FORFEITED if is_evaded else Outcome.VOID
    ranks = dict(match.players.values_list("user_id", "rank"))
    own, other = ranks.get(one.challenger_id), ranks.get(one.defender_id)
    if own is None or other is None:
        # a substitute has taken over
        return Outcome.VOID
    return Outcome.WON if own < other else Outcome.HELD


def _finish(one: LadderChallenge, outcome: Outcome, now: datetime) -> None:
    _close(one, outcome, now)
    if outcome in (Outcome.WON, Outcome.HELD):
        people = (one.challenger_id, one.defender_id)
        places = LadderPlace.objects.filter(title=one.title, club=one.club_id)
        places.filter(user__in=people).update(active=now)
    if outcome in (Outcome.WON, Outcome.FORFEITED):
        _take_place(one, one.challenger_id, one.defender_id)
    if outcome == Outcome.FORFEITED:
        notifications.tell_forfeited(one, now)


def _close(one: LadderChallenge, outcome: Outcome, now: datetime) -> None:
    one.outcome = outcome
    one.closed = now
    one.save(update_fields=["outcome", "closed"])


def _take_place(one: LadderChallenge, winner_id: int, loser_id: int) -> None:
    """Put a winner who was below the loser at the loser's place. Those between move down."""
    places = LadderPlace.objects.filter(title=one.title, club=one.club_id)
    positions = dict(
        places.filter(user__in=(winner_id, loser_id)).values_list("user_id", "position")
    )
    below, above = positions.get(winner_id), positions.get(loser_id)
    if below is None or above is None or below < above:
        return
    moved = places.filter(position__gte=above, position__lt=below)
    moved.update(position=F("position") + 1)
    places.filter(user=winner_id).update(position=above)


# --- Scheduled -----------------------------------------------------------------------------------


def sweep(*, now: datetime) -> None:
    """Settle what signals have missed, and remove inactive, banned and deleted players."""
    for pk in _unsettled():
        with IsolatedErrors(f"Ladder challenge {pk}"):
            settle(pk, now=now)
    for place in _gone():
        with IsolatedErrors(f"Ladder place {place.pk}"):
            leave(user=place.user, title=place.title, club_id=place.club_id, now=now)
    for place in _idle(now):
        with IsolatedErrors(f"Ladder place {place.pk}"):
            _drop(place, now)


def _unsettled() -> list[int]:
    # Two queries, so that PostgreSQL can use the index of pending challenges for the first.
    waiting = (Challenge.Status.OPEN, Challenge.Status.REVEALING)
    pending = LadderChallenge.objects.filter(outcome=PENDING)
    ended = pending.exclude(challenge__status__in=waiting).exclude(
        challenge__match__status=Match.Status.RUNNING
    )
    annulled = LadderChallenge.objects.filter(
        outcome=Outcome.WON, challenge__match__status=Match.Status.ANNULLED
    )
    return sorted(pk for rows in (ended, annulled) for pk in rows.values_list("pk", flat=True))


def _gone() -> list[LadderPlace]:
    gone = Q(user__is_active=False) | Q(user__in=standing.banned())
    return list(LadderPlace.objects.filter(gone).select_related("user"))


def _idle(now: datetime) -> list[LadderPlace]:
    old = LadderPlace.objects.filter(active__lte=now - IDLE, user__is_bot=False)
    idle = list(old.select_related("user", "club"))
    away = vacations.away([place.user_id for place in idle], now)
    return [place for place in idle if place.user_id not in away]


def _drop(place: LadderPlace, now: datetime) -> None:
    """Remove an inactive player from a ladder, unless they play or wait for an answer."""
    user = place.user
    with _locked(place.title, place.club_id):
        still = LadderPlace.objects.filter(pk=place.pk, active__lte=now - IDLE)
        busy = selectors.pending(place.title, place.club_id).filter(
            Q(challenger=user) | Q(defender=user, challenge__match__isnull=False)
        )
        if still.exists() and not busy.exists():
            _remove(user, place.title, place.club_id, now)
            notifications.tell_dropped(place, now)
