"""All that the site stores about somebody, for that person to take away.

Other applications register what they store; this one gathers it.
"""

from collections.abc import Callable
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db.models import F

from accounts.delivery.models import DeliverySettings, FeedAddress, MutedPage, PushDevice
from accounts.models import ApiToken, Block, Notification, User
from accounts.sanctions.models import Sanction, Trace
from accounts.security.models import SecurityEvent

Reader = Callable[[User], Any]

_readers: dict[str, Reader] = {}


def register(name: str, read: Reader) -> None:
    """Make known what an application stores; called once, when the applications start.

    ``read`` returns what can be written as JSON, dates included.
    """
    _readers[name] = read


def of(user: User) -> dict[str, Any]:
    """Return all that is stored about a user, as what can be written as JSON."""
    rows = {name: read(user) for name, read in _readers.items()}
    return {"account": _account(user), **_rows(user), **_delivery(user), **rows}


def _account(user: User) -> dict[str, Any]:
    return {
        "name": user.username,
        "joined": user.date_joined,
        "last_sign_in": user.last_login,
        "about": user.about,
        "country": str(user.country),
        "languages": user.languages,
        "time_zone": user.time_zone,
        "theme": user.theme,
        "confirm_moves": user.confirm_moves,
        "left_handed": user.left_handed,
        "shows_presence": user.shows_presence,
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
    told = Notification.objects.filter(recipient=user).order_by("created")
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
        "notifications": list(told.values("created", "kind", "payload", "seen_at")),
    }


def _delivery(user: User) -> dict[str, Any]:
    chosen = DeliverySettings.objects.filter(user=user)
    muted = MutedPage.objects.filter(user=user).order_by("created")
    devices = PushDevice.objects.filter(user=user).order_by("created")
    hours = ("daily_hour", "quiet_from", "quiet_until")
    refused = ("refused_address", "refusals")
    return {
        "delivery_settings": list(
            chosen.values(*("site_off", "mail_daily", "push_off", "mail_replies"), *hours, *refused)
        ),
        "feed_addresses": list(FeedAddress.objects.filter(user=user).values("created")),
        "push_devices": list(devices.values("endpoint", "browser", "created")),
        "muted_pages": list(muted.values("page_key", "created")),
    }
