"""Preferences: who may challenge a user, and how many concurrent matches they want."""

from collections.abc import Sequence
from datetime import datetime

from django.utils.translation import gettext as _

from accounts.models import User
from accounts.sanctions import standing
from games.lobby import follows
from games.lobby.models import Challenge, ChallengePreferences, Invitation
from games.matches.errors import Refused
from games.matches.models import Player

Challengers = ChallengePreferences.Challengers


def of(user: User) -> ChallengePreferences:
    """Return a user's preferences, or an unsaved row with the defaults."""
    stored = ChallengePreferences.objects.filter(user=user).first()
    return stored or ChallengePreferences(user=user)


def check_invited(
    creator: User, invited: Sequence[User], *, is_rematch: bool, now: datetime
) -> None:
    """Check that the named users can play, and accept challenges from the creator.

    The opponent of an ended match may ask for a rematch, unless nobody may challenge the user.

    :raises Refused: one of them is banned or suspended, or doesn't accept the challenge.
    """
    for user in invited:
        if why := standing.refusal(user, now):
            raise Refused(why)
    preferences = ChallengePreferences.objects.filter(user__in=invited).select_related("user")
    for one in preferences:
        if one.challengers == Challengers.NOBODY:
            raise Refused(_("{player} takes no challenges.").format(player=one.user))
        only_followed = one.challengers == Challengers.FOLLOWED and not is_rematch
        if only_followed and not follows.is_following(one.user, creator):
            raise Refused(
                _("{player} takes challenges only from players they follow.").format(
                    player=one.user
                )
            )
        if one.most_matches is not None and playing(one.user) >= one.most_matches:
            raise Refused(
                _("{player} has as many matches as they want right now.").format(player=one.user)
            )


def check_room(user: User) -> None:
    """:raises Refused: the user plays as many matches against people as they want."""
    most = of(user).most_matches
    if most is not None and playing(user) >= most:
        text = _(
            "You have as many matches as your own limit allows ({count}). You can change it in "
            "your preferences, under Challenges."
        )
        raise Refused(text.format(count=most))


def playing(user: User) -> int:
    """Return how many matches against people a user plays or has a pending seat in."""
    pending = (Challenge.Status.OPEN, Challenge.Status.REVEALING)
    seats = Player.objects.filter(user=user, ended=None, dropped="", with_bots=False)
    taken = Invitation.objects.filter(user=user, state=Invitation.State.TAKEN)
    return seats.count() + taken.filter(challenge__status__in=pending).count()
