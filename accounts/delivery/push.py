"""Web push: one message for each notification and device.

A worker claims a device by compare-and-swap, which counts an attempt and delays the next one. Only
a success resets the count, so an attempt counts even if the worker is killed during it. After
``MAX_FAILURES`` failures in a row the device is deleted. A message is deleted when it has arrived
or is outdated.
"""

import hashlib
import json
import logging
from collections import Counter, defaultdict
from collections.abc import Collection
from datetime import datetime, timedelta

from cryptography.fernet import InvalidToken
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext, gettext_lazy, ngettext

from accounts import at_rest, browsers, notifications, outbox
from accounts.delivery import decisions, encryption, endpoints, readers
from accounts.delivery.encryption import decode, encode
from accounts.delivery.models import PushDevice, PushMessage, SiteKey
from accounts.delivery.readers import Reader
from accounts.models import Notification, User
from accounts.notifications import NotificationEmail, Summary
from accounts.site_languages import reading

logger = logging.getLogger(__name__)

KEY = "vapid"
BATCH_SIZE = 200
MAX_DEVICES = 10
MAX_FAILURES = 6
"""A device is deleted after this many failures in a row."""

FIRST_WAIT, GROWTH = timedelta(minutes=1), 4
"""The delay after the first failure, and the factor by which it grows with each one.

All delays together are almost six hours, so a shorter outage of a push service costs nobody a
subscription.
"""

MAX_AGE = timedelta(hours=12)
"""Older notifications aren't pushed, and push services drop them."""

MAX_TITLE_LENGTH = 200
GONE_STATUSES = (404, 410)
SUCCESS_STATUSES = range(200, 300)
RETRY_STATUSES = (408, 425, 429, *range(500, 600))
"""Response statuses after which a message is retried; after others it is dropped."""

TOPIC = 32
"""Maximum length of a topic; a later push with the same topic replaces a pending one (RFC 8030)."""

PUSH_STOPPED = "push-stopped"

LOST_KEY = "The key of pushes is encrypted under a SECRET_KEY that the site doesn't have."

NO_RESPONSE = "no-response"
NEW_KEY = "new-key"
NEW_KEY_SENTENCE = "the site has a new key"
"""What notifications of older releases have instead of ``NEW_KEY``."""

SENT = "sent"
DROPPED = "dropped"
WAITS = "waits"
FAILED = "failed"


def site_key() -> ec.EllipticCurvePrivateKey:
    """Return the key that signs pushes; the first call generates it.

    :raises cryptography.fernet.InvalidToken: it is encrypted under a ``SECRET_KEY`` that the site
        doesn't have.
    """
    row = SiteKey.objects.filter(name=KEY).first()
    if row is None:
        new = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
        value = at_rest.encrypt(str(new))
        # If two calls race, the first one's key wins.
        row, _ = SiteKey.objects.get_or_create(name=KEY, defaults={"value": value})
    return ec.derive_private_key(int(at_rest.decrypt(row.value)), ec.SECP256R1())


def public_key() -> str:
    """Return the public part of the site's key in the format of browsers; empty if it is lost."""
    try:
        return encode(encryption.public(site_key()))
    except InvalidToken:
        # No line of code is to blame.
        logger.error(LOST_KEY)  # noqa: TRY400
        return ""


def renew_key() -> bool:
    """Encrypt the site's key under the current ``SECRET_KEY``. ``False`` if it is already.

    :raises cryptography.fernet.InvalidToken: see :func:`site_key`.
    """
    row = SiteKey.objects.filter(name=KEY).first()
    if row is None or at_rest.renewed(row.value) == row.value:
        return False
    changes = {"value": at_rest.renewed(row.value)}
    return bool(SiteKey.objects.filter(pk=row.pk, value=row.value).update(**changes))


def replace_key(*, now: datetime) -> None:
    """Forget the site's key and with it all devices, whose push services know it; notify owners."""
    SiteKey.objects.filter(name=KEY).delete()
    for device in PushDevice.objects.all():
        _forget(device, now, reason=NEW_KEY)


def subscribe(
    user: User, *, endpoint: str, public_key: str, secret: str, browser: str, now: datetime
) -> PushDevice | None:
    """Register a browser for a user's pushes; it stops receiving those of another user.

    If the user has too many devices, the oldest is removed. Returns ``None`` if endpoint or keys
    are impossible.
    """
    if not _is_whole(endpoint, public_key, secret):
        return None
    values = {"public_key": public_key, "secret": secret, "browser": browser}
    fields = {**values, "user": user, "created": now, "refusals": 0, "next_try": None}
    with transaction.atomic():
        PushMessage.objects.filter(device__endpoint=endpoint).exclude(device__user=user).delete()
        device, _ = PushDevice.objects.update_or_create(endpoint=endpoint, defaults=fields)
        kept = PushDevice.objects.filter(user=user).order_by("-created", "-pk")[:MAX_DEVICES]
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
    """Create messages for new notifications and send those that are due; count the outcomes."""
    now = clock()
    hand_out(now=now)
    is_ready = Q(device__next_try=None) | Q(device__next_try__lte=now)
    waiting = PushMessage.objects.filter(is_ready, next_try__lte=now).order_by("next_try", "pk")
    related = waiting.select_related("notification__recipient", "device")
    by_user = defaultdict(list)
    for row in related[:BATCH_SIZE]:
        by_user[row.notification.recipient_id].append(row)
    if not by_user or not public_key():
        return Counter()
    renew_key()
    users = {pk: rows[0].notification.recipient for pk, rows in by_user.items()}
    done = Counter[str]()
    end = now + outbox.MAX_RUN_TIME
    for reader in readers.read(users, now):
        if clock() < end:
            done += _handle(reader, by_user[reader.user.pk], clock, end)
    return done


def hand_out(*, now: datetime) -> None:
    """Create a message for each new notification and each device of its recipient."""
    fresh = list(Notification.objects.filter(push_due=True).order_by("pk")[:BATCH_SIZE])
    devices = defaultdict(list)
    for device in PushDevice.objects.filter(user__in={one.recipient_id for one in fresh}):
        devices[device.user_id].append(device)
    messages = [
        PushMessage(notification=one, device=device, next_try=now)
        for one in fresh
        for device in devices[one.recipient_id]
        if one.created > now - MAX_AGE
    ]
    with transaction.atomic():
        PushMessage.objects.bulk_create(messages, ignore_conflicts=True)
        Notification.objects.filter(pk__in=[one.pk for one in fresh]).update(push_due=False)


def _handle(
    reader: Reader, rows: list[PushMessage], clock: outbox.Clock, end: datetime
) -> Counter[str]:
    """Send the messages for a user's devices until one fails or time is up.

    The next run continues, so that one user's dead devices don't hold up others.
    """
    now = clock()
    notifications_by_id = {row.notification_id: row.notification for row in rows}
    over = _over(reader, notifications_by_id.values(), now)
    dropped = [row.pk for row in rows if row.notification_id in over]
    PushMessage.objects.filter(pk__in=dropped).delete()
    later = decisions.put_off(reader, list(notifications_by_id.values()), now, by_mail=False)
    done = Counter({DROPPED: len(dropped)})
    for row in rows:
        if row.notification_id in over:
            continue
        if row.notification_id in later:
            until = later[row.notification_id]["next_try"]
            done[WAITS] += PushMessage.objects.filter(pk=row.pk).update(next_try=until)
        elif clock() >= end:
            break
        elif _take(row, clock()):
            state = _send(row, clock())
            done[state] += 1
            if state == FAILED:
                break
    return +done


def _over(reader: Reader, rows: Collection[Notification], now: datetime) -> set[int]:
    """Return the ids of notifications that needn't be pushed any more."""
    if not reader.user.is_active:
        return {one.pk for one in rows}
    old = {one.pk for one in rows if one.created <= now - MAX_AGE}
    off = decisions.not_pushed_kinds(reader.settings)
    return old | set(decisions.unneeded(reader, rows, off=off))


def _take(row: PushMessage, now: datetime) -> bool:
    """Claim the device of a message: count an attempt and delay the next one.

    Returns ``False`` if another worker has changed the device or sent the message meanwhile.
    """
    device = row.device
    mine = PushDevice.objects.filter(pk=device.pk)
    before = {"refusals": device.refusals, "next_try": device.next_try}
    wait = FIRST_WAIT * GROWTH**device.refusals
    attempt = {"refusals": device.refusals + 1, "next_try": now + wait}
    if not mine.filter(**before).update(**attempt):
        return False
    if not PushMessage.objects.filter(pk=row.pk).exists():
        mine.update(**before)
        return False
    for name, value in attempt.items():
        setattr(device, name, value)
    return True


def _send(row: PushMessage, now: datetime) -> str:
    """Send a message to the claimed device; return the outcome."""
    device = row.device
    if device.refusals > MAX_FAILURES:
        # The worker of the last attempt was killed.
        return _forget(device, now)
    status = None
    try:
        status = _post(row, now)
        problem = f"status {status}"
    except Exception as error:  # noqa: BLE001  # Celery's soft time limit is one of them
        problem = f"{type(error).__name__}: {error}"
    if status in SUCCESS_STATUSES:
        row.delete()
        PushDevice.objects.filter(pk=device.pk).update(refusals=0, next_try=None)
        return SENT
    logger.warning("Push message %s, attempt %s: %s", row.pk, device.refusals, problem)
    if status in GONE_STATUSES:
        device.delete()
    elif device.refusals >= MAX_FAILURES:
        return _forget(device, now)
    elif status is not None and status not in RETRY_STATUSES:
        row.delete()
    return FAILED


def _forget(device: PushDevice, now: datetime, reason: str = NO_RESPONSE) -> str:
    """Delete a device, with its messages, and notify its owner."""
    with transaction.atomic():
        device.delete()
        payload = {"browser": device.browser, "reason": reason}
        notifications.notify_all(
            recipients=[device.user_id], kind=PUSH_STOPPED, payload=payload, now=now
        )
    return FAILED


def register() -> None:
    notifications.register(
        PUSH_STOPPED,
        title=gettext_lazy("A browser no longer shows your notifications"),
        render=_render_stopped,
        summary=_summarize_stopped,
    )


def _summarize_stopped(notification: Notification) -> Summary:
    if browser := browsers.shown(notification.payload["browser"]):
        subject = gettext("{browser} no longer shows your notifications").format(browser=browser)
    else:
        subject = gettext("A browser no longer shows your notifications")
    return Summary(subject, reverse("delivery"))


def _render_stopped(notification: Notification) -> NotificationEmail:
    summary = _summarize_stopped(notification)
    if notification.payload.get("reason") in (NEW_KEY, NEW_KEY_SENTENCE):
        reason = gettext("The site has a new key.")
    else:
        text = ngettext(
            "Its push service failed {count} time in a row.",
            "Its push service failed {count} times in a row.",
            MAX_FAILURES,
        )
        reason = text.format(count=MAX_FAILURES)
    advice = gettext("To turn them on again, open your notification settings in that browser.")
    text = f"{summary.subject}. {reason} {advice}"
    return NotificationEmail(summary.subject, text, format_html("<p>{}</p>", text), summary.url)


def _post(row: PushMessage, now: datetime) -> int:
    device = row.device
    notification = row.notification
    body = encryption.encrypt(
        _payload(notification), decode(device.public_key), decode(device.secret)
    )
    contact = f"mailto:{settings.CONTACT_EMAIL}"
    topic = hashlib.sha256(_tag(notification).encode()).digest()
    headers = {
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "TTL": str(int(MAX_AGE.total_seconds())),
        "Topic": encode(topic)[:TOPIC],
        "Urgency": "normal",
        "Authorization": encryption.authorization(site_key(), device.endpoint, contact, now),
    }
    return endpoints.post(device.endpoint, body, headers)


def _payload(notification: Notification) -> bytes:
    """Return what the service worker shows; ``tag`` keeps one notification a page."""
    with reading(notification.recipient):
        summary = notifications.summary(notification)
    payload = {
        "title": summary.subject[:MAX_TITLE_LENGTH],
        "url": summary.url or "/account/notices/",
        "tag": _tag(notification),
    }
    return json.dumps(payload, ensure_ascii=False).encode()


def _tag(notification: Notification) -> str:
    return notification.page_key or f"notice:{notification.pk}"
