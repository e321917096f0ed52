"""The recipients of notifications: addresses, preferences and recent mails."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from allauth.account.models import EmailAddress
from django.core.cache import cache
from django.db.models import F

from accounts.delivery.models import DeliverySettings, MutedPage
from accounts.delivery.pace import HOUR
from accounts.models import Notification, User

MAX_REFUSALS = 5
"""An address gets no more mails of notifications after this many refusals in a row."""


REMEMBERED = 3600
"""Seconds for which it is cached that all of a user's addresses accept mails."""


@dataclass(frozen=True)
class Reader:
    """A recipient with due notifications, and everything that decides about them.

    ``address`` is the confirmed address, or ``None``; ``sent`` are the times of mails in the last
    hour.
    """

    user: User
    address: str | None
    settings: DeliverySettings
    muted: Collection[str]
    sent: Sequence[datetime]

    @property
    def is_refused(self) -> bool:
        return self.address is not None and is_refused(self.settings, self.address)


def of(user: User) -> DeliverySettings:
    """Return a user's delivery preferences, or unsaved defaults."""
    try:
        return user.delivery
    except DeliverySettings.DoesNotExist:
        return DeliverySettings(user=user)


def is_refused(settings: DeliverySettings, address: str) -> bool:
    """Whether an address gets no more mails because it refused too many."""
    return settings.refusals >= MAX_REFUSALS and settings.refused_address == address


def refused_address(user: User) -> str:
    """Return the user's address if it gets no more mails. Otherwise empty."""
    if cache.get(_not_refused(user.pk)):
        return ""
    mine = of(user)
    if not mine.refused_address:
        cache.set(_not_refused(user.pk), 1, REMEMBERED)
        return ""
    address = addresses([user.pk]).get(user.pk, "")
    return address if is_refused(mine, address) else ""


def _not_refused(user_id: int) -> str:
    return f"not-refused:{user_id}"


def refused(reader: Reader) -> None:
    mine, _ = DeliverySettings.objects.get_or_create(user=reader.user)
    if mine.refused_address != reader.address:
        mine.refused_address = reader.address or ""
        mine.refusals = 0
    mine.refusals += 1
    mine.save(update_fields=["refused_address", "refusals"])
    cache.delete(_not_refused(reader.user.pk))


def taken(reader: Reader) -> None:
    """Reset the refusals of the reader's address, since it accepted a mail."""
    if reader.settings.refusals:
        forget_refusals(reader.user)


def forget_refusals(user: User) -> None:
    DeliverySettings.objects.filter(user=user).update(refusals=0, refused_address="")


def addresses(user_ids: Collection[int]) -> dict[int, str]:
    """Return the confirmed addresses of active users, by user id."""
    confirmed = EmailAddress.objects.filter(
        user_id__in=user_ids, user__is_active=True, primary=True, verified=True
    )
    return dict(confirmed.values_list("user_id", "email"))


def read(users: Mapping[int, User], now: datetime) -> list[Reader]:
    """Read the recipients with these ids, in a few queries for all."""
    confirmed = addresses(users.keys())
    settings = DeliverySettings.objects.in_bulk(list(users))
    muted = _muted(users.keys())
    sent = _sent(users.keys(), now)
    return [
        Reader(
            user,
            confirmed.get(pk),
            settings.get(pk) or DeliverySettings(user=user),
            muted[pk],
            sent[pk],
        )
        for pk, user in users.items()
    ]


def _muted(user_ids: Collection[int]) -> dict[int, set[str]]:
    muted = defaultdict(set)
    for pk, page_key in MutedPage.objects.filter(user__in=user_ids).values_list(
        "user_id", "page_key"
    ):
        muted[pk].add(page_key)
    return muted


def _sent(user_ids: Collection[int], now: datetime) -> dict[int, list[datetime]]:
    """Return the times of mails in the last hour, by user id; merged notifications count once."""
    times = defaultdict(list)
    rows = Notification.objects.filter(
        recipient__in=user_ids, mail_state=Notification.MailState.SENT, sent_at__gt=now - HOUR
    )
    for pk, moment in rows.values_list(F("recipient"), "sent_at"):
        times[pk].append(moment)
    return times
