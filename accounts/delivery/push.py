"""Notifications in browsers (web push): handed to each device once, one a page, while of use.

A row of :class:`PushMessage` for each device goes the way of mails (`accounts.outbox`): taken up by
compare-and-swap, tried again later, deleted when it has arrived or says nothing any more.
"""

import hashlib
import json
import logging
from collections import Counter, defaultdict
from collections.abc import Collection
from datetime import datetime, timedelta

from allauth.mfa.adapter import get_adapter
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts import notifications, outbox
from accounts.delivery import decisions, encryption, endpoints, readers
from accounts.delivery.encryption import decode, encode
from accounts.delivery.models import PushDevice, PushMessage, SiteKey
from accounts.delivery.readers import Reader
from accounts.models import Notification, User

logger = logging.getLogger(__name__)

KEY = "vapid"
BATCH = 200
MOST_DEVICES = 10
MOST_ATTEMPTS = 6
"""About half an hour with the waits between them."""

OLD = timedelta(hours=12)
"""What is older is pushed no more, nor kept by push services for browsers that are off."""

LONGEST_TITLE = 200
GONE = (404, 410)
TAKEN = range(200, 300)
TOPIC = 32
"""The most characters of a topic, by which a later push replaces one not yet fetched (RFC 8030)."""

SENT, DROPPED, WAITS = "sent", "dropped", "waits"


def site_key() -> ec.EllipticCurvePrivateKey:
    """Return the key that the site signs pushes with; the first call makes it."""
    found = SiteKey.objects.filter(name=KEY).first()
    if found is None:
        new = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
        value = get_adapter().encrypt(str(new))
        # Whoever comes first has made it.
        found, _ = SiteKey.objects.get_or_create(name=KEY, defaults={"value": value})
    return ec.derive_private_key(int(get_adapter().decrypt(found.value)), ec.SECP256R1())


def public_key() -> str:
    """Return the public part of the site's key, as browsers ask for it."""
    return encode(encryption.public(site_key()))


def subscribe(
    user: User, *, endpoint: str, public_key: str, secret: str, browser: str, now: datetime
) -> PushDevice | None:
    """Send a user's notifications to a browser; one that was another user's is this one's now.

    The oldest of too many goes. ``None`` if no browser has such an endpoint or such keys.
    """
    if not _is_whole(endpoint, public_key, secret):
        return None
    given = {"public_key": public_key, "secret": secret, "browser": browser}
    fields = {**given, "user": user, "created": now, "refusals": 0}
    with transaction.atomic():
        PushMessage.objects.filter(device__endpoint=endpoint).exclude(device__user=user).delete()
        device, _ = PushDevice.objects.update_or_create(endpoint=endpoint, defaults=fields)
        kept = PushDevice.objects.filter(user=user).order_by("-created", "-pk")[:MOST_DEVICES]
        PushDevice.objects.filter(user=user).exclude(pk__in=[one.pk for one in kept]).delete()
    return device


def _is_whole(endpoint: str, public_key: str, secret: str) -> bool:
    try:
        endpoints.check(endpoint)
        encryption.point(decode(public_key))
        return len(decode(secret)) == encryption.SECRET
    except ValueError:
        return False


def send_due(*, clock: outbox.Clock) -> Counter[str]:
    """Hand new notifications to devices, and send what is due; count what became of each."""
    hand_out(now=clock())
    waiting = PushMessage.objects.filter(next_try__lte=clock()).order_by("next_try")
    related = waiting.select_related("notification__recipient", "device")
    by_user = defaultdict(list)
    for row in related[:BATCH]:
        by_user[row.notification.recipient_id].append(row)
    users = {pk: rows[0].notification.recipient for pk, rows in by_user.items()}
    done, end = Counter[str](), clock() + outbox.RUN
    for reader in readers.read(users, clock()):
        if clock() < end:
            done += _handle(reader, by_user[reader.user.pk], clock)
    return done


def hand_out(*, now: datetime) -> None:
    """Write a message for each new notification and each device of its recipient."""
    fresh = list(Notification.objects.filter(push_due=True).order_by("pk")[:BATCH])
    devices = defaultdict(list)
    for device in PushDevice.objects.filter(user__in={one.recipient_id for one in fresh}):
        devices[device.user_id].append(device)
    messages = [
        PushMessage(notification=one, device=device, next_try=now)
        for one in fresh
        for device in devices[one.recipient_id]
        if one.created > now - OLD
    ]
    with transaction.atomic():
        PushMessage.objects.bulk_create(messages, ignore_conflicts=True)
        Notification.objects.filter(pk__in=[one.pk for one in fresh]).update(push_due=False)


def _handle(reader: Reader, rows: list[PushMessage], clock: outbox.Clock) -> Counter[str]:
    """Bring the messages to a user's devices one step on."""
    now = clock()
    told = {row.notification_id: row.notification for row in rows}
    over = _over(reader, told.values(), now)
    dropped = [row.pk for row in rows if row.notification_id in over or _is_refused(row.device)]
    PushMessage.objects.filter(pk__in=dropped).delete()
    rest = [row for row in rows if row.pk not in dropped]
    later = decisions.put_off(reader, list(told.values()), now, by_mail=False)
    done = Counter({DROPPED: len(dropped)})
    for row in rest:
        if row.notification_id in later:
            outbox.as_read(row).update(next_try=later[row.notification_id]["next_try"])
            done[WAITS] += 1
        elif outbox.take(row, now):
            done[_send(row, clock)] += 1
    return +done


def _over(reader: Reader, told: Collection[Notification], now: datetime) -> set[int]:
    """Return the ids of the notifications that are not to be pushed any more."""
    if not reader.user.is_active:
        return {one.pk for one in told}
    old = {one.pk for one in told if one.created <= now - OLD}
    return old | set(decisions.unneeded(reader, told, off=reader.settings.push_off))


def _is_refused(device: PushDevice) -> bool:
    return device.refusals >= readers.MOST_REFUSALS


def _send(row: PushMessage, clock: outbox.Clock) -> str:
    """Send one message to one device; return what became of it."""
    try:
        status = _post(row, clock())
    except endpoints.BadEndpoint as error:
        return _refused(row, str(error))
    except (OSError, ValueError) as error:
        return _again(row, type(error).__name__, clock())
    if status in TAKEN:
        PushDevice.objects.filter(pk=row.device_id, refusals__gt=0).update(refusals=0)
        row.delete()
        return SENT
    if status in GONE:
        row.device.delete()
        return DROPPED
    is_final = 300 <= status < 500 and status not in (408, 425, 429)  # noqa: PLR2004
    if is_final:
        return _refused(row, f"status {status}")
    return _again(row, f"status {status}", clock())


def _post(row: PushMessage, now: datetime) -> int:
    device, told = row.device, row.notification
    body = encryption.encrypt(_payload(told), decode(device.public_key), decode(device.secret))
    contact = f"mailto:{settings.CONTACT_EMAIL}"
    topic = hashlib.sha256(_tag(told).encode()).digest()
    headers = {
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "TTL": str(int(OLD.total_seconds())),
        "Topic": encode(topic)[:TOPIC],
        "Urgency": "normal",
        "Authorization": encryption.authorization(site_key(), device.endpoint, contact, now),
    }
    return endpoints.post(device.endpoint, body, headers)


def _payload(told: Notification) -> bytes:
    """Return what the service worker shows; one notification a page, by its ``tag``."""
    with timezone.override(told.recipient.zone):
        said = notifications.summary(told)
    shown = {
        "title": said.subject[:LONGEST_TITLE],
        "url": said.url or "/account/notices/",
        "tag": _tag(told),
    }
    return json.dumps(shown, ensure_ascii=False).encode()


def _tag(told: Notification) -> str:
    return told.page_key or f"notice:{told.pk}"


def _refused(row: PushMessage, error: str) -> str:
    """Give a message up; a device that refuses again and again is left."""
    logger.warning("Push message %s was refused: %s", row.pk, error)
    PushDevice.objects.filter(pk=row.device_id).update(refusals=row.device.refusals + 1)
    row.delete()
    return DROPPED


def _again(row: PushMessage, error: str, now: datetime) -> str:
    if row.attempts >= MOST_ATTEMPTS:
        return _refused(row, error)
    outbox.put_back(row, error, now)
    return WAITS
