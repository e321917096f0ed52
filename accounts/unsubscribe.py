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
    """What a token stands for: mails of a kind to a user."""

    user: User
    kind: str

    @property
    def title(self) -> str:
        """What people call the kind."""
        known = notifications.kinds().get(self.kind)
        return known.title if known else self.kind


def address(user: User, kind: str) -> str:
    """Return the address, without the host, that ends a user's mails of a kind."""
    return reverse("unsubscribe", args=[_signer.sign_object([user.pk, kind])])


def read(token: str) -> Subscription:
    """Return what a token stands for.

    :raises BadToken: it was changed, or its user is gone.
    """
    try:
        user_id, kind = _signer.unsign_object(token)
        return Subscription(User.objects.get(pk=user_id), kind)
    except (signing.BadSignature, User.DoesNotExist) as error:
        raise BadToken(token) from error


def end(subscription: Subscription) -> None:
    """Send no more mails of a kind to a user; harmless where that is so already."""
    with transaction.atomic():
        user = User.objects.select_for_update().get(pk=subscription.user.pk)
        if subscription.kind not in user.mail_off:
            user.mail_off = sorted({*user.mail_off, subscription.kind})
            user.save(update_fields=["mail_off"])
