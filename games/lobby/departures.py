"""What becomes of the matches and challenges of a guest who signs in to an account, or is gone."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F, Q
from django.dispatch import receiver

from accounts.models import User
from accounts.signals import guest_left, guest_merged
from games.lobby import leaving as challenges
from games.lobby.models import Challenge, Invitation
from games.matches import leaving as matches
from games.matches.clocks import deadlines, vacations
from games.matches.models import FormerPlayer, Match, Player
from games.matches.notify import push


@receiver(guest_merged)
@transaction.atomic
def hand_over(guest: User, user: User, now: datetime, **_: Any) -> None:
    """Give a guest's seats and challenges to a user, but where the user sits already.

    Whatever others change meanwhile is decided anew: versions and clock epochs rise. The locks are
    taken in the order in which a challenge that becomes a match takes them.
    """
    _hand_over_challenges(guest, user)
    people = User.objects.filter(pk__in=(guest.pk, user.pk)).order_by("pk")
    list(people.select_for_update(no_key=True).values_list("pk"))
    theirs = Player.objects.filter(user=user).values("match")
    seats = Player.objects.filter(user=guest).exclude(match__in=theirs)
    running = deadlines.lock(list(seats.filter(ended=None).values_list("match_id", flat=True)))
    seats.update(user=user)
    FormerPlayer.objects.filter(user=guest).update(user=user)
    vacations.apply(user, now)
    for match in Match.objects.filter(pk__in=running).prefetch_related("players"):
        push.match_changed(match.pk, match.version, [one.user_id for one in match.players.all()])


def _hand_over_challenges(guest: User, user: User) -> None:
    mine = Q(creator=guest) | Q(pk__in=Invitation.objects.filter(user=guest).values("challenge"))
    Challenge.objects.filter(mine).update(version=F("version") + 1)
    Challenge.objects.filter(creator=guest).update(creator=user)
    known = Invitation.objects.filter(user=user).values("challenge")
    Invitation.objects.filter(user=guest).exclude(challenge__in=known).update(user=user)
    push.challenge_changed([user.pk])


@receiver(guest_left)
def leave(guest: User, now: datetime, **_: Any) -> None:
    """Take a guest out of all that goes on, and delete what was played against bots alone."""
    _delete_matches_with_bots(guest)
    matches.leave_all(guest, now)
    challenges.leave_all(guest, now)
    _delete_challenges(guest)


@transaction.atomic
def _delete_matches_with_bots(guest: User) -> None:
    others = Player.objects.filter(is_bot=False).exclude(user=guest)
    found = Match.objects.filter(players__user=guest).exclude(pk__in=others.values("match"))
    alone = list(found.values_list("pk", flat=True))
    Challenge.objects.filter(Q(match__in=alone) | Q(rematch_of__in=alone)).delete()
    Match.objects.filter(pk__in=alone).delete()


@transaction.atomic
def _delete_challenges(guest: User) -> None:
    """Delete what is left of challenges that became no match."""
    Challenge.objects.filter(creator=guest, match=None).delete()
    Invitation.objects.filter(user=guest, challenge__match=None).delete()
