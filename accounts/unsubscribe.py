"""One-click unsubscribing from kinds of mails, without signing in (RFC 8058)."""

from dataclasses import dataclass

from django.core import signing
from django.db import transaction
from django.urls import reverse

from accounts import notifications
from accounts.models import User

_signer = signing.Signer(salt="accounts.unsubscribe")


class BadToken(ValueError):
    """The token is forged, or its user is gone."""


@dataclass(frozen=True)
class Subscription:
    """The kinds of mails to a user that a token unsubscribes."""

    user: User
    kinds: tuple[str, ...]

    @property
    def titles(self) -> list[str]:
        known = notifications.kinds()
        return [known[kind].title if kind in known else kind for kind in self.kinds]


def address(user: User, *kinds: str) -> str:
    """Return the URL, without the host, that unsubscribes a user from these kinds."""
    return reverse("unsubscribe", args=[_signer.sign_object([user.pk, *kinds])])


def read(token: str) -> Subscription:
    """Return the subscription of a token.

    :raises BadToken: it was changed, or its user is gone.
    """
    try:
        user_id, *kinds = _signer.unsign_object(token)
        return Subscription(User.objects.get(pk=user_id), tuple(kinds))
    except (signing.BadSignature, User.DoesNotExist) as error:
        raise BadToken(token) from error


def end(subscription: Subscription) -> None:
    """Unsubscribe a user; harmless if they are unsubscribed already."""
    with transaction.atomic():
        user = User.objects.select_for_update().get(pk=subscription.user.pk)
        if not {*subscription.kinds} <= {*user.mail_off}:
            user.mail_off = sorted({*user.mail_off, *subscription.kinds})
            user.save(update_fields=["mail_off"])
