"""Players by the name in an address."""

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _

from accounts.models import User


def player_or_404(name: str, reader: Any = None) -> User:
    """Return a player, without a query if it is the reader.

    :raises Http404: there is no player with this name.
    """
    if isinstance(reader, User) and reader.username == name:
        return reader
    player = User.objects.named(name)
    if player is None:
        raise Http404(_("There is no player called {name}.").format(name=name))
    return player
