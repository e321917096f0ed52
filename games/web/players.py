"""Players by the name in an address."""

from django.http import Http404

from accounts.models import User


def player_or_404(name: str) -> User:
    """Return the player of this name.

    :raises Http404: there is none.
    """
    player = User.objects.named(name)
    if player is None:
        raise Http404(f"There is no player called {name}.")
    return player
