"""What allauth asks the site: names, words, and how mails go out."""

import hashlib
from typing import Any, ClassVar

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from django.contrib import messages
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import timezone

from accounts import devices, mail, names, outgoing
from accounts.models import NAME_TAKEN, User

WRONG_PASSWORD = "Wrong name or password."  # noqa: S105

DAY = 24 * 3600
"""Seconds."""

ONCE_A_DAY = ("account/email/unknown_account", "account/email/account_already_exists")
"""Mails that anybody can have sent to anybody, by typing an address into a form."""


class Adapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth is not typed for others
    """Turnstone's ways with accounts."""

    error_messages: ClassVar[dict[str, Any]] = {
        **DefaultAccountAdapter.error_messages,
        "account_inactive": "This account is closed.",
        "duplicate_email": "This is your address already.",
        "email_password_mismatch": WRONG_PASSWORD,
        "enter_current_password": "This is not your password.",
        "incorrect_password": "This is not your password.",
        "too_many_login_attempts": "That was wrong too often. Wait five minutes, then try again.",
        "username_password_mismatch": WRONG_PASSWORD,
        "username_taken": NAME_TAKEN,
    }

    def clean_username(self, username: str, shallow: bool = False) -> str:  # noqa: FBT001, FBT002
        """Check a name; ``shallow`` leaves out whether it is taken.

        :raises ValidationError: it cannot be one, or somebody has it or one that looks like it.
        """
        names.validate(username)
        if not shallow and User.objects.lookalikes(username).exists():
            raise ValidationError(self.error_messages["username_taken"], code="taken")
        return username

    def can_delete_email(self, email_address: EmailAddress) -> bool:
        """Keep the address in use: it is changed, never taken away."""
        return not email_address.primary

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count an attempt; in a browser that is known for this login, apart from all others.

        :raises ValidationError: there were too many.
        """
        login = credentials.get("email") or credentials.get("username", "")
        if device := devices.known_as(request, login):
            credentials = {"username": f"{login} {device}"}
        super().pre_authenticate(request, **credentials)

    def login(self, request: HttpRequest, user: User) -> None:
        """Sign a user in, and tell them by mail of a browser that is not known for them."""
        is_first = user.last_login is None
        super().login(request, user)
        if not is_first and not devices.known_as(request, user.username):
            self.send_notification_mail("account/email/new_browser", user)

    def post_login(self, request: HttpRequest, user: User, **how: Any) -> HttpResponse:
        """Go on after signing in, in a browser that is known from now on."""
        response: HttpResponse = super().post_login(request, user, **how)
        devices.remember(request, response, user)
        return response

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Confirm an address, unless another account has come first."""
        try:
            with transaction.atomic():
                return bool(super().confirm_email(request, email_address))
        except IntegrityError:
            self.add_message(
                request,
                messages.ERROR,
                "account/messages/email_confirmation_failed.txt",
                {"email": email_address.email},
            )
            return False

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Write a mail, in the transaction of what it is about; its HTML is made from its text."""
        values = {**mail.frame(), "email": email, **context}
        subject = render_to_string(f"{template_prefix}_subject.txt", values).strip()
        text = render_to_string(f"{template_prefix}_message.txt", values).strip()
        if template_prefix in ONCE_A_DAY and not _is_first_today(template_prefix, email):
            return
        subject = " ".join(subject.split())
        outgoing.write(to=email, subject=subject, text=text, now=timezone.now())


def _is_first_today(template_prefix: str, email: str) -> bool:
    """Note that a mail goes to an address; ``False`` if it did within a day.

    What stands behind a plus sign names no other person.
    """
    local, _, domain = email.lower().rpartition("@")
    person = f"{template_prefix} {local.partition('+')[0]}@{domain}"
    return bool(cache.add(f"mailed:{hashlib.sha256(person.encode()).hexdigest()}", 1, DAY))
