"""Decides whether a due notification is sent now, later or not at all."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

from accounts import notifications, presence
from accounts.delivery import pace
from accounts.delivery.models import DeliverySettings
from accounts.delivery.readers import Reader
from accounts.models import Notification, User
from accounts.notifications import NotificationKind

Preset = DeliverySettings.Preset
State = Notification.MailState
Changes = dict[str, Any]

TIME_TO_ACT = timedelta(hours=2)
"""How long before its deadline a reminder must arrive, so that its reader can still act."""


def left_out(preset: str) -> tuple[set[str], set[str]]:
    """Return the kinds that a preset doesn't mail, and those that it doesn't push."""
    kinds = notifications.chosen_kinds()
    if preset == Preset.URGENT:
        waits = {name for name, kind in kinds.items() if not kind.is_urgent}
        return waits, waits
    return (set(kinds) if preset == Preset.QUIET else set()), set()


def quiet_kinds() -> set[str]:
    """Return the kinds that stay on the site unless a reader turns mail or pushes on."""
    return {name for name, kind in notifications.chosen_kinds().items() if kind.is_quiet}


def not_mailed_kinds(user: User, chosen: DeliverySettings) -> set[str]:
    """Return the kinds that a user has turned off for mail, one by one or by a preset."""
    quiet = quiet_kinds() - set(chosen.quiet_mail)
    return {*user.mail_off, *left_out(chosen.preset)[0], *quiet}


def not_pushed_kinds(chosen: DeliverySettings) -> set[str]:
    """Return the kinds that a user has turned off for pushes, one by one or by a preset."""
    quiet = quiet_kinds() - set(chosen.quiet_push)
    return {*chosen.push_off, *left_out(chosen.preset)[1], *quiet}


def unneeded(
    reader: Reader, rows: Collection[Notification], *, off: Collection[str]
) -> dict[int, Changes]:
    """Return the changes to write for notifications that needn't be sent, by id.

    :param off: the kinds that the reader has turned off for the channel.
    """
    changes: dict[int, Changes] = {
        row.pk: {"mail_state": State.OFF} for row in rows if not _is_wanted(reader, row, off)
    }
    outdated = notifications.outdated(reader.user, rows, off)
    for row in rows:
        if row.pk in changes:
            continue
        if row.seen_at is not None:
            changes[row.pk] = {"mail_state": State.SEEN}
        elif row.pk in outdated:
            changes[row.pk] = {"mail_state": outdated[row.pk]}
        elif _is_over(row):
            changes[row.pk] = {"mail_state": State.OVER}
        elif looked := _looked(row):
            changes[row.pk] = {"mail_state": State.SEEN, "seen_at": looked}
    return changes


def not_mailed(reader: Reader, rows: Collection[Notification]) -> dict[int, Changes]:
    """Return the changes to write for notifications that must not be mailed, by id."""
    if reader.address is None:
        return {row.pk: {"mail_state": State.OFF} for row in rows}
    changes = unneeded(reader, rows, off=not_mailed_kinds(reader.user, reader.settings))
    if reader.is_refused:
        refused = {"mail_state": State.FAILED, "error": "The address refuses mails."}
        changes = {row.pk: refused for row in rows} | changes
    return changes


def put_off(
    reader: Reader, rows: Sequence[Notification], now: datetime, *, by_mail: bool = True
) -> dict[int, Changes]:
    """Return the changes to write for notifications that have to wait, by id."""
    changes: dict[int, Changes] = {}
    for row in rows:
        until = _until(reader, row, now, by_mail=by_mail)
        if until > now and not _comes_too_late(row, until):
            changes[row.pk] = {"mail_state": State.DUE, "next_try": until}
    return changes


def _kind(notification: Notification) -> NotificationKind | None:
    return notifications.kinds().get(notification.kind)


def _is_wanted(reader: Reader, notification: Notification, off: Collection[str]) -> bool:
    kind = _kind(notification)
    if kind and kind.is_asked_for:
        return True
    is_muted = notification.page_key in reader.muted and not (kind and kind.use_until)
    return not is_muted and notification.kind not in off


def _is_over(notification: Notification) -> bool:
    kind = _kind(notification)
    return bool(kind and kind.is_over and kind.is_over(notification))


def _looked(notification: Notification) -> datetime | None:
    """Return when the recipient last saw the notification's page, if that was after the event."""
    if not notification.page_key:
        return None
    looked = presence.last(notification.recipient_id, notification.page_key)
    return looked if looked and looked > notification.created else None


def _until(reader: Reader, notification: Notification, now: datetime, *, by_mail: bool) -> datetime:
    """Return when it may be sent: ``now``, or the latest time that something delays it to."""
    kind = _kind(notification)
    chosen = reader.settings
    zone = reader.user.zone
    if kind and kind.is_asked_for:
        return now
    moments = [now, _left_the_page(notification, now)]
    if by_mail:
        moments.append(pace.room_at(reader.sent, now))
    if by_mail and notification.kind in chosen.mail_daily:
        moments.append(pace.next_at(chosen.daily_hour, zone, notification.created))
    latest = max(moments)
    return pace.quiet_end(chosen.quiet_from, chosen.quiet_until, zone, latest) or latest


def _left_the_page(notification: Notification, now: datetime) -> datetime:
    """Return when it will be known whether the recipient still has the page open.

    A recipient whose last heartbeat came before the event may have just left.
    """
    page_key = notification.page_key
    if page_key and presence.last(notification.recipient_id, page_key):
        return notification.created + presence.PAGE_TIMEOUT
    return now


def _comes_too_late(notification: Notification, until: datetime) -> bool:
    """Whether delaying a reminder until then would make it useless."""
    kind = _kind(notification)
    end = kind.use_until(notification) if kind and kind.use_until else None
    return end is not None and end - TIME_TO_ACT < until
