"""What allauth asks the site: names, words, and how mails go out."""

import hashlib
from functools import partial
from typing import Any, ClassVar
from urllib.parse import urlencode

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.account.utils import get_next_redirect_url
from django.contrib import messages
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import timezone

from accounts import address_change, devices, guests, mail, names, outgoing
from accounts import signup as signup_rules
from accounts.guests import OTHER_GUEST
from accounts.models import NAME_TAKEN, User
from accounts.security import browsers
from config.server.clients import plain_address

WRONG_PASSWORD = "Wrong name or password. An email address works once it is confirmed."  # noqa: S105

DAY = 24 * 3600
"""Seconds."""

OWN_STAGES = {"allauth.account.stages.EmailVerificationStage": "accounts.stages.ConfirmationStage"}
"""What stands in for steps of allauth's."""

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

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the network address of a client, IPv4 wherever it is an IPv4 client's."""
        return plain_address(super().get_client_ip(request))

    def clean_username(self, username: str, shallow: bool = False) -> str:  # noqa: FBT001, FBT002
        """Check a name; ``shallow`` leaves out whether it is taken.

        :raises ValidationError: it cannot be one, or somebody has it or one that looks like it.
        """
        names.validate(username)
        if not shallow and User.objects.lookalikes(username).exists():
            raise ValidationError(self.error_messages["username_taken"], code="taken")
        return username

    def new_user(self, request: HttpRequest) -> User:
        """Return who registers: somebody new, or the guest who joins, and keeps everything."""
        return guests.joining(request, now=timezone.now()) or User()

    def get_login_stages(self) -> list[str]:
        """Return the steps of signing in; who has not confirmed an address yet comes in too."""
        stages: list[str] = super().get_login_stages()
        return [OWN_STAGES.get(stage, stage) for stage in stages]

    def can_delete_email(self, email_address: EmailAddress) -> bool:
        """Keep the address in use: it is changed, never taken away."""
        return not email_address.primary

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        """Return the user whom a password signs in, or ``None``.

        allauth would try all accounts that gave an address, and the address as a name too. Given
        one name, it hashes the password once, whether or not there is such an account.

        :raises ValidationError: there were too many attempts.
        """
        name = credentials.get("username", "")
        email = credentials.get("email", "")
        if not name and (user := signup_rules.confirmed_user(email)):
            name = user.username
        signed_in: User | None = super().authenticate(
            request, login=email or name, username=name, password=credentials["password"]
        )
        return signed_in

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count an attempt; in a browser that is known for this login, apart from all others.

        :raises ValidationError: there were too many.
        """
        login = credentials["login"]
        if device := devices.known_as(request, login):
            credentials["login"] = f"{login} {device}"
        super().pre_authenticate(request, **credentials)

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Return the key of the attempts at a login.

        allauth's begins with the host, which the sender chooses. It passes ``email`` where it
        forgets the attempts after a new password.
        """
        login: str = credentials.get("login") or credentials["email"]
        return login.lower()

    def login(self, request: HttpRequest, user: User) -> None:
        """Sign a user in, and tell them by mail of a browser that is not known for them.

        What a guest played in this browser becomes theirs, unless it was somebody else.
        """
        is_first = user.last_login is None
        guest = guests.guest_of(request)
        is_other = bool(request.session.get(OTHER_GUEST))
        if guest is not None:
            guests.release(request)
        super().login(request, user)
        if guest is not None and guest.pk != user.pk:
            act = guests.forget if is_other else partial(guests.merge, user=user)
            act(guest, now=timezone.now())
        if not is_first and not devices.known_as(request, user.username):
            self.send_notification_mail("account/email/new_browser", user)

    def post_login(self, request: HttpRequest, user: User, **how: Any) -> HttpResponse:
        """Go on after signing in, in a browser that is known from now on."""
        response: HttpResponse = super().post_login(request, user, **how)
        devices.remember(request, response, user)
        return response

    def send_confirmation_mail(
        self,
        request: HttpRequest,
        emailconfirmation: EmailConfirmationHMAC,
        signup: bool,  # noqa: FBT001
    ) -> None:
        """Write to an address that is to be confirmed, and to the one whose place it takes.

        Where somebody has registered with that of another, its owner is told so instead.
        """
        address = emailconfirmation.email_address
        others = EmailAddress.objects.filter(email__iexact=address.email, verified=True)
        is_new = signup_rules.awaits_confirmation(address.user)
        if is_new and others.exclude(user=address.user_id).exists():
            self.send_account_already_exists_mail(address.email)
        else:
            super().send_confirmation_mail(request, emailconfirmation, signup)
            address_change.ask(address, now=timezone.now())

    def get_email_confirmation_url(
        self, request: HttpRequest, emailconfirmation: EmailConfirmationHMAC
    ) -> str:
        """Return the link that confirms an address, and goes on to where its user came from."""
        url: str = super().get_email_confirmation_url(request, emailconfirmation)
        onward = get_next_redirect_url(request)
        return f"{url}?{urlencode({'next': onward})}" if onward else url

    def send_notification_mail(
        self,
        template_prefix: str,
        user: User,
        context: dict[str, Any] | None = None,
        email: str | None = None,
    ) -> None:
        """Tell a user of something by mail; an address that is not confirmed gets none."""
        if not signup_rules.awaits_confirmation(user):
            used = browsers.name(self.get_http_user_agent(self.request))
            told = {"user_agent": used, **(context or {})}
            super().send_notification_mail(template_prefix, user, told, email)

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Confirm an address, unless another account has come first.

        One that takes the place of another waits until the old one has agreed too. An address
        belongs to who confirms it: others who have only typed it lose it.
        """
        if not address_change.note_new(email_address):
            return False
        try:
            with transaction.atomic():
                _typed_only(email_address.email).exclude(pk=email_address.user_id).update(email="")
                confirmed = bool(super().confirm_email(request, email_address))
                if confirmed:
                    address_change.forget(email_address)
                return confirmed
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
        links = {name: mail.on_site(url) for name, url in context.items() if name.endswith("_url")}
        values = {**mail.frame(), "email": email, **context, **links}
        subject = render_to_string(f"{template_prefix}_subject.txt", values).strip()
        text = render_to_string(f"{template_prefix}_message.txt", values).strip()
        if template_prefix in ONCE_A_DAY and not _is_first_today(template_prefix, email):
            return
        subject = " ".join(subject.split())
        outgoing.write(to=email, subject=subject, text=text, now=timezone.now())


def _typed_only(email: str) -> QuerySet[User]:
    """Return the users who have given an address and not confirmed it."""
    claims = EmailAddress.objects.filter(email__iexact=email, verified=False)
    return User.objects.filter(email__iexact=email, pk__in=claims.values("user"))


def _is_first_today(template_prefix: str, email: str) -> bool:
    """Note that a mail goes to an address; ``False`` if it did within a day.

    What stands behind a plus sign names no other person.
    """
    local, _, domain = email.lower().rpartition("@")
    person = f"{template_prefix} {local.partition('+')[0]}@{domain}"
    return bool(cache.add(f"mailed:{hashlib.sha256(person.encode()).hexdigest()}", "sent", DAY))
