"""What becomes of the numbers of somebody who leaves, and what is theirs of them."""

from datetime import datetime
from typing import Any

from django.db.models import F
from django.dispatch import receiver

from accounts.models import User
from accounts.signals import guest_left, guest_merged
from games.statistics import counting
from games.statistics.models import PairCount, PlayerCount, Streak


@receiver(guest_merged)
def hand_over(guest: User, user: User, **_: Any) -> None:
    """Have an account counted again that took over the seats of a guest, with their opponents."""
    counting.mark_merged(guest, user)


@receiver(guest_left)
def leave(guest: User, **_: Any) -> None:
    """Delete the numbers of a guest; the games keep theirs."""
    counting.forget(guest.pk)


def forget(user: User, now: datetime) -> None:
    """Delete the numbers of somebody whose account is being deleted.

    Those of others stay: they name the row that is left, as the matches do.
    """
    counting.forget(user.pk)


def own_data(user: User) -> dict[str, Any]:
    """Return what is counted of a user, for that user to take away."""
    numbers = PlayerCount.objects.filter(user=user, number__gt=0).order_by("title", "kind", "key")
    pairs = PairCount.objects.filter(user=user).order_by("title", "opponent")
    streaks = Streak.objects.filter(user=user).order_by("company")
    results = ("won", "tied", "lost")
    return {
        "counts": list(numbers.values("title", "company", "kind", "key", "number")),
        "opponents": list(
            pairs.values("title", "company", *results, player=F("opponent__username"))
        ),
        "streaks": list(streaks.values("company", "result", "length", "longest")),
    }
