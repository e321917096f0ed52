"""Personal data in the lobby: challenges, follows and preferences, and the seats of guests."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F, Q

from accounts.models import User
from accounts.personal_data import PersonalData
from games.lobby import services
from games.lobby.models import (
    Challenge,
    ChallengePreferences,
    Follow,
    Invitation,
    StandingChallenge,
)
from games.matches import deadlines
from games.matches import personal_data as matches
from games.matches.clocks import vacations
from games.matches.models import FormerPlayer, Match, Player
from games.matches.notify import push


class LobbyData(PersonalData):
    """The challenges, follows and preferences of a user."""

    def export(self, user: User) -> dict[str, Any]:
        follows = Follow.objects.filter(follower=user)
        preferences = ChallengePreferences.objects.filter(user=user)
        standing = StandingChallenge.objects.filter(user=user)
        made = Challenge.objects.filter(creator=user).order_by("created")
        invited = Invitation.objects.filter(user=user).exclude(challenge__creator=user)
        return {
            "challenges": {
                "follows": list(follows.values("created", player=F("followed__username"))),
                "preferences": list(preferences.values("challengers", "most_matches")),
                "renewed": list(standing.values("title", "params", "most", "message")),
                "made": list(made.values("id", "title", "params", "message", "status", "created")),
                "invited_to": list(invited.values("challenge", "state", "reason", "answered")),
            }
        }

    def delete(self, user: User, now: datetime) -> None:
        """Leave pending challenges, and delete messages, reasons, follows and preferences."""
        services.leave_pending(user, now)
        Challenge.objects.filter(creator=user).update(message="")
        Follow.objects.filter(Q(follower=user) | Q(followed=user)).delete()
        ChallengePreferences.objects.filter(user=user).delete()
        Invitation.objects.filter(user=user).update(reason="")

    @transaction.atomic
    def hand_over(self, guest: User, user: User, now: datetime) -> None:
        """Give a guest's challenges and seats to a user, except where the user has a seat already.

        Versions and clock epochs rise, so that concurrent changes are retried. Locks are taken in
        the same order as when a challenge becomes a match.
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
            players = [player.user_id for player in match.players.all()]
            push.match_changed(match.pk, match.version, players)

    def delete_guest(self, guest: User, now: datetime) -> None:
        """Delete matches against bots alone, then leave all others and all challenges.

        Matches are left here, not by their own application: those against bots must be gone first.
        """
        _delete_matches_with_bots(guest)
        matches.leave_all(guest, now)
        self.delete(guest, now)
        _delete_challenges(guest)


def _hand_over_challenges(guest: User, user: User) -> None:
    mine = Q(creator=guest) | Q(pk__in=Invitation.objects.filter(user=guest).values("challenge"))
    Challenge.objects.filter(mine).update(version=F("version") + 1)
    Challenge.objects.filter(creator=guest).update(creator=user)
    known = Invitation.objects.filter(user=user).values("challenge")
    Invitation.objects.filter(user=guest).exclude(challenge__in=known).update(user=user)
    push.challenge_changed([user.pk])


@transaction.atomic
def _delete_matches_with_bots(guest: User) -> None:
    others = Player.objects.filter(is_bot=False).exclude(user=guest)
    matches = Match.objects.filter(players__user=guest).exclude(pk__in=others.values("match"))
    alone = list(matches.values_list("pk", flat=True))
    Challenge.objects.filter(Q(match__in=alone) | Q(rematch_of__in=alone)).delete()
    Match.objects.filter(pk__in=alone).delete()


@transaction.atomic
def _delete_challenges(guest: User) -> None:
    """Delete the challenges that did not become a match."""
    Challenge.objects.filter(creator=guest, match=None).delete()
    Invitation.objects.filter(user=guest, challenge__match=None).delete()
