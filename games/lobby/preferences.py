"""Who may challenge somebody, and how many matches they want to play at a time."""

from collections.abc import Sequence

from accounts.models import User
from games.lobby import follows
from games.lobby.models import Challenge, ChallengePreferences, Invitation
from games.matches.errors import Refused
from games.matches.models import Player

Challengers = ChallengePreferences.Challengers


def of(user: User) -> ChallengePreferences:
    """Return what somebody prefers; not stored yet where they never said."""
    found = ChallengePreferences.objects.filter(user=user).first()
    return found or ChallengePreferences(user=user)


def check_invited(creator: User, invited: Sequence[User], *, is_rematch: bool) -> None:
    """Check that those named in a challenge want to be challenged by its creator.

    Who has just played with somebody may ask for a rematch, unless nobody may challenge them.

    :raises Refused: one of them does not want to.
    """
    found = ChallengePreferences.objects.filter(user__in=invited).select_related("user")
    for one in found:
        if one.challengers == Challengers.NOBODY:
            raise Refused(f"{one.user} takes no challenges.")
        only_followed = one.challengers == Challengers.FOLLOWED and not is_rematch
        if only_followed and not follows.is_following(one.user, creator):
            raise Refused(f"{one.user} takes challenges only from players they follow.")
        if one.most_matches is not None and playing(one.user) >= one.most_matches:
            raise Refused(f"{one.user} has as many matches as they want right now.")


def check_room(user: User) -> None:
    """Check that somebody plays fewer matches with people than they want to at most.

    :raises Refused: they do not.
    """
    most = of(user).most_matches
    if most is not None and playing(user) >= most:
        raise Refused(
            f"You have as many matches as your own limit allows ({most}). You can change it in your"
            " preferences, under Challenges."
        )


def playing(user: User) -> int:
    """Return how many matches with people somebody plays, or has a seat in that may begin."""
    pending = (Challenge.Status.OPEN, Challenge.Status.REVEALING)
    seats = Player.objects.filter(user=user, ended=None, dropped="", with_bots=False)
    taken = Invitation.objects.filter(user=user, state=Invitation.State.TAKEN)
    return seats.count() + taken.filter(challenge__status__in=pending).count()
