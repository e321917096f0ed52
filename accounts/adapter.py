"""The site's adapter for allauth: names, error messages, sign-in and mails."""

import hashlib
from contextlib import nullcontext
from functools import partial
from typing import Any, ClassVar
from urllib.parse import urlencode

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.account.utils import get_next_redirect_url
from django.conf import settings
from django.contrib import messages
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.translation import gettext_lazy

from accounts import address_change, browsers, dates, devices, guests, mail, names, outgoing
from accounts import signup as signup_rules
from accounts.guests import OTHER_GUEST
from accounts.models import NAME_TAKEN, User
from accounts.site_languages import reading
from config.server.clients import plain_address

WRONG_PASSWORD = gettext_lazy(
    "Wrong name or password. An email address works once it is confirmed."
)

DAY = 24 * 3600
"""Seconds."""

OWN_STAGES = {"allauth.account.stages.EmailVerificationStage": "accounts.stages.ConfirmationStage"}
"""Our replacements for stages of allauth."""

ONCE_A_DAY = ("account/email/unknown_account", "account/email/account_already_exists")
"""Mails that anybody can trigger for any address by typing it into a form."""


class Adapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth is not typed for others
    error_messages: ClassVar[dict[str, Any]] = {
        **DefaultAccountAdapter.error_messages,
        "account_inactive": gettext_lazy("This account is closed."),
        "duplicate_email": gettext_lazy("This is already your address, or waits for confirmation."),
        "email_password_mismatch": WRONG_PASSWORD,
        "enter_current_password": gettext_lazy("This is not your password."),
        "incorrect_password": gettext_lazy("This is not your password."),
        "too_many_login_attempts": gettext_lazy(
            "Too many wrong attempts. Wait five minutes, then try again."
        ),
        "username_password_mismatch": WRONG_PASSWORD,
        "username_taken": NAME_TAKEN,
    }

    def clean_password(self, password: str, user: User | None = None) -> str:
        """:raises ValidationError: it is refused. Of several reasons only the first is given."""
        try:
            return str(super().clean_password(password, user))
        except ValidationError as refusal:
            raise refusal.error_list[0] from refusal

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return IPv4-mapped IPv6 addresses as IPv4."""
        return plain_address(super().get_client_ip(request))

    def clean_username(self, username: str, shallow: bool = False) -> str:  # noqa: FBT001, FBT002
        """Check a name; ``shallow`` skips the check for whether it is taken.

        :raises ValidationError: it isn't allowed, or it equals or resembles a taken name.
        """
        names.validate(username)
        if not shallow and User.objects.lookalikes(username).exists():
            raise ValidationError(self.error_messages["username_taken"], code="taken")
        return username

    def new_user(self, request: HttpRequest) -> User:
        user = guests.joining(request, now=timezone.now()) or User()
        language = translation.get_language()
        if not user.language and language and language != settings.LANGUAGE_CODE:
            # Mails to the new user are in the language in which they signed up.
            user.language = language
        return user

    def get_login_stages(self) -> list[str]:
        stages: list[str] = super().get_login_stages()
        return [OWN_STAGES.get(stage, stage) for stage in stages]

    def can_delete_email(self, email_address: EmailAddress) -> bool:
        return not email_address.primary

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        """Return the user whose credentials these are, or ``None``.

        allauth would try every account that claims the address, and the address as a name too. We
        pass exactly one name, so that the password is hashed once whether or not the account
        exists.

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
        """Count an attempt; known browsers are counted apart from all others.

        :raises ValidationError: there were too many.
        """
        login = credentials["login"]
        if device := devices.known_as(request, login):
            credentials["login"] = f"{login} {device}"
        super().pre_authenticate(request, **credentials)

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Return the cache key for the attempts at a login.

        allauth's key begins with the host, which the client can choose. allauth passes ``email``
        when it resets the count after a new password.
        """
        login: str = credentials.get("login") or credentials["email"]
        return login.lower()

    def login(self, request: HttpRequest, user: User) -> None:
        """Sign a user in, and mail them about a browser they haven't used before.

        The matches of this browser's guest become theirs, unless they said it was somebody else.
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
        """Continue after signing in, and remember the browser."""
        response: HttpResponse = super().post_login(request, user, **how)
        devices.remember(request, response, user)
        return response

    def send_confirmation_mail(
        self,
        request: HttpRequest,
        emailconfirmation: EmailConfirmationHMAC,
        signup: bool,  # noqa: FBT001
    ) -> None:
        """Mail the new address, and the confirmed one that it would replace.

        If a new user gave an address that belongs to somebody else, its owner gets a mail about
        that instead.
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
        """Return the confirmation link, including the page to continue with."""
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
        """Mail a user about their account, unless their address is unconfirmed."""
        if not signup_rules.awaits_confirmation(user):
            used = browsers.name(self.get_http_user_agent(self.request))
            with reading(user):
                values = {"user_agent": browsers.shown(used), "user": user, **(context or {})}
            super().send_notification_mail(template_prefix, user, values, email)

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Confirm an address, unless another account confirmed it first.

        If it replaces another one, it waits until the old address has agreed too. Unconfirmed
        accounts that claim the same address lose it.
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
        """Queue a mail in the current transaction; its HTML is made from its text."""
        links = {name: mail.on_site(url) for name, url in context.items() if name.endswith("_url")}
        values = {**mail.frame(), "email": email, **context, **links}
        reader = context.get("user") or signup_rules.confirmed_user(email)
        with reading(reader) if reader else nullcontext():
            if "timestamp" in context:
                at = context["timestamp"]
                values["time"] = f"{dates.day_and_time(at)} {timezone.localtime(at):%Z}"
            subject = render_to_string(f"{template_prefix}_subject.txt", values).strip()
            text = render_to_string(f"{template_prefix}_message.txt", values).strip()
            if template_prefix in ONCE_A_DAY and not _is_first_today(template_prefix, email):
                return
            subject = " ".join(subject.split())
            outgoing.write(to=email, subject=subject, text=text, now=timezone.now())


def _typed_only(email: str) -> QuerySet[User]:
    """Return the users who claim an address without having confirmed it."""
    claims = EmailAddress.objects.filter(email__iexact=email, verified=False)
    return User.objects.filter(email__iexact=email, pk__in=claims.values("user"))


def _is_first_today(template_prefix: str, email: str) -> bool:
    """Whether this mail hasn't gone to the address within a day; notes that it does now.

    The part after a plus sign is ignored, since it names the same person.
    """
    local, _, domain = email.lower().rpartition("@")
    person = f"{template_prefix} {local.partition('+')[0]}@{domain}"
    return bool(cache.add(f"mailed:{hashlib.sha256(person.encode()).hexdigest()}", "sent", DAY))
