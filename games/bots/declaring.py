"""Accounts whose owners declare them bots and let their programs play with them by the API."""

from django.utils.translation import gettext_lazy

from accounts.models import User
from games.matches.errors import Refused
from games.matches.models import Player

TOO_LATE = gettext_lazy(
    "An account is declared a bot before its first match. Register another one for your bot."
)


def may_declare(user: User) -> bool:
    return not (user.is_shown_as_bot or Player.objects.filter(user=user).exists())


def declare(*, user: User) -> None:
    """Declare a user a bot, permanently. Repeating it has no effect.

    :raises Refused: the user has played already.
    """
    if user.is_program:
        return
    if not may_declare(user):
        raise Refused(str(TOO_LATE))
    User.objects.filter(pk=user.pk).update(is_program=True)
