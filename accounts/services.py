"""Creating users outside of the sign-up form."""

from typing import Any

from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy

from accounts.models import User


def create_user(
    *, username: str, email: str, password: str | None, confirmed: bool = False, **fields: Any
) -> User:
    """Create a user; with ``confirmed`` the address needs no confirmation.

    ``fields`` are other fields of `User`. Without a password nobody can sign in as this user.

    :raises ValidationError: by field, what is wrong or taken.
    """
    user = User(username=username, email=email, **fields)
    user.set_password(password)
    user.full_clean()
    try:
        with transaction.atomic():
            user.save()
            if confirmed:
                EmailAddress.objects.create(
                    user=user, email=user.email, primary=True, verified=True
                )
    except IntegrityError as error:
        raise ValidationError(gettext_lazy("This name or address has just been taken.")) from error
    return user
