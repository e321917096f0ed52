"""The registry of personal data: how each application exports, deletes and hands over its own.

An application subclasses :class:`PersonalData` in its ``personal_data.py`` and registers it in
``AppConfig.ready``. Parts run in the order of ``INSTALLED_APPS``. Renaming needs no part: names are
stored in ``User.username`` only.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db.models import F

from accounts.delivery.models import DeliverySettings, FeedAddress, MutedPage, PushDevice
from accounts.models import ApiToken, Block, Notification, User
from accounts.sanctions.models import Sanction, Trace
from accounts.security.models import SecurityEvent


class PersonalData:
    """The personal data of one application. Override what applies; the defaults do nothing."""

    def export(self, user: User) -> dict[str, Any]:
        """Return named sections of the user's export; dates are allowed beside JSON's types."""
        return {}

    def delete(self, user: User, now: datetime) -> None:
        """Delete the data of an account that is about to be erased.

        After an error the next sweep calls all parts again, so this may run twice.
        """

    def hand_over(self, guest: User, user: User, now: datetime) -> None:
        """Give the data of a guest to the account the guest has signed in to.

        This runs inside the transaction.
        """

    def delete_guest(self, guest: User, now: datetime) -> None:
        """Delete the data of a guest that nobody else needs."""


_parts: list[PersonalData] = []


def register(part: PersonalData) -> None:
    _parts.append(part)


def parts() -> Sequence[PersonalData]:
    return _parts


def export(user: User) -> dict[str, Any]:
    """Return everything stored about a user; dates are allowed beside JSON's types."""
    data = {"account": _account(user), **_rows(user), **_delivery(user)}
    for part in _parts:
        data |= part.export(user)
    return data


def _account(user: User) -> dict[str, Any]:
    return {
        "name": user.username,
        "joined": user.date_joined,
        "last_sign_in": user.last_login,
        "about": user.about,
        "country": str(user.country),
        "languages": user.languages,
        **{name: getattr(user, name) for name in User.PREFERENCES},
        "last_here": user.last_here,
        "kinds_without_mail": user.mail_off,
        "automatic_vacation": user.auto_vacation,
        "is_bot_account": user.is_program,
    }


def _rows(user: User) -> dict[str, Any]:
    addresses = EmailAddress.objects.filter(user=user)
    factors = Authenticator.objects.filter(user=user)
    sessions = UserSession.objects.filter(user=user)
    tokens = ApiToken.objects.filter(user=user)
    events = SecurityEvent.objects.filter(user=user).order_by("at")
    blocks = Block.objects.filter(blocker=user).order_by("created")
    notifications = Notification.objects.filter(recipient=user).order_by("created")
    seen = Trace.objects.filter(user=user).order_by("last_seen")
    return {
        "email_addresses": list(
            addresses.values("email", "verified", "primary", change_asked=F("change__asked"))
        ),
        "second_factors": list(factors.values("type", "created_at", "last_used_at")),
        "sessions": list(sessions.values("created_at", "last_seen_at", "ip", "user_agent")),
        "api_tokens": list(tokens.values("name", "scopes", "created", "last_used")),
        "security_events": list(events.values("at", "kind", "address", "browser", "by", "details")),
        "hashes_of_addresses_and_browsers": list(seen.values("kind", "digest", "last_seen")),
        "sanctions": list(
            Sanction.objects.filter(user=user).values(
                "kind", "reason", "since", "until", "lifted", "appeal", "answer"
            )
        ),
        "blocked_players": list(blocks.values("created", player=F("blocked__username"))),
        "notifications": list(notifications.values("created", "kind", "payload", "seen_at")),
    }


def _delivery(user: User) -> dict[str, Any]:
    chosen = DeliverySettings.objects.filter(user=user)
    muted = MutedPage.objects.filter(user=user).order_by("created")
    devices = PushDevice.objects.filter(user=user).order_by("created")
    channels = ("preset", "site_off", "mail_daily", "push_off", "mail_replies")
    quiet = ("quiet_mail", "quiet_push")
    hours = ("daily_hour", "quiet_from", "quiet_until")
    refused = ("refused_address", "refusals")
    return {
        "delivery_settings": list(chosen.values(*channels, *quiet, *hours, *refused)),
        "feed_addresses": list(FeedAddress.objects.filter(user=user).values("created")),
        "push_devices": list(devices.values("endpoint", "browser", "created")),
        "muted_pages": list(muted.values("page_key", "created")),
    }
