"""Changes of pending challenges: load, compare and swap, change, commit."""

from collections.abc import Callable
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext

from games.lobby import selectors
from games.lobby.errors import ChallengeClosed
from games.lobby.models import CLOSED, Challenge
from games.lobby.signals import challenge_over
from games.matches.errors import Busy
from games.matches.isolation import secret_transaction
from games.matches.notify import push
from games.matches.update import ATTEMPTS

Action = Callable[[Challenge], None]
"""Changes a challenge within the transaction. Raises to refuse."""


def change(challenge_id: int, action: Action, *, now: datetime) -> Challenge:
    """Change a challenge in one transaction, and retry if another change was committed first.

    :raises ChallengeClosed: the challenge is no longer pending.
    :raises Busy: all attempts lost to other changes.
    """
    for _ in range(ATTEMPTS):
        if changed := _try(challenge_id, action, now):
            return changed
    raise Busy(gettext("This challenge is changing too fast just now. Please try again."))


def _try(challenge_id: int, action: Action, now: datetime) -> Challenge | None:
    challenge = selectors.get(challenge_id)
    check_pending(challenge, now)
    with secret_transaction():
        if not compare_and_swap(challenge):
            return None
        action(challenge)
        challenge.save(update_fields=["status", "match", "expires"])
        push.challenge_changed(invitation.user_id for invitation in challenge.invitations.all())
        if not challenge.is_pending and challenge.match is None:
            announce_end(challenge)
    return challenge


def announce_end(challenge: Challenge) -> None:
    """Announce that a challenge ended without a match, once this is committed."""
    transaction.on_commit(lambda: challenge_over.send(Challenge, challenge=challenge), robust=True)


def check_pending(challenge: Challenge, now: datetime) -> None:
    """:raises ChallengeClosed: the challenge isn't pending."""
    if not challenge.is_pending:
        raise ChallengeClosed(challenge.closed_sentence)
    if challenge.expires <= now:
        raise ChallengeClosed(str(CLOSED[Challenge.Status.EXPIRED]))


def compare_and_swap(challenge: Challenge) -> bool:
    """Raise the version of a challenge. ``False`` if it has changed since it was read."""
    same = Challenge.objects.filter(pk=challenge.pk, version=challenge.version)
    return bool(same.update(version=challenge.version + 1))
