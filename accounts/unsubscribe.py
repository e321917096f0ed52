"""Ending the mails of one kind with one click, also for who is signed out (RFC 8058)."""

from dataclasses import dataclass

from django.core import signing
from django.db import transaction
from django.urls import reverse

from accounts import notifications
from accounts.models import User

_signer = signing.Signer(salt="accounts.unsubscribe")


class BadToken(ValueError):
    """A token that is not one of ours, or its user is gone."""


@dataclass(frozen=True)
class Subscription:
    """What a token stands for: mails of one kind or several to a user."""

    user: User
    kinds: tuple[str, ...]

    @property
    def titles(self) -> list[str]:
        """What people call the kinds."""
        known = notifications.kinds()
        return [known[kind].title if kind in known else kind for kind in self.kinds]


def address(user: User, *kinds: str) -> str:
    """Return the address, without the host, that ends a user's mails of some kinds."""
    return reverse("unsubscribe", args=[_signer.sign_object([user.pk, *kinds])])


def read(token: str) -> Subscription:
    """Return what a token stands for.

    :raises BadToken: it was changed, or its user is gone.
    """
    try:
        user_id, *kinds = _signer.unsign_object(token)
        return Subscription(User.objects.get(pk=user_id), tuple(kinds))
    except (signing.BadSignature, User.DoesNotExist) as error:
        raise BadToken(token) from error


def end(subscription: Subscription) -> None:
    """Send no more mails of some kinds to a user; harmless where that is so already."""
    with transaction.atomic():
        user = User.objects.select_for_update().get(pk=subscription.user.pk)
        if not {*subscription.kinds} <= {*user.mail_off}:
            user.mail_off = sorted({*user.mail_off, *subscription.kinds})
            user.save(update_fields=["mail_off"])
