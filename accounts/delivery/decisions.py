"""What becomes of a notification that is due to be sent: now, later, or not at all."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

from accounts import notifications, presence
from accounts.delivery import pace
from accounts.delivery.readers import Reader
from accounts.models import Notification
from accounts.notifications import Kind

State = Notification.MailState
Changes = dict[str, Any]

ACT = timedelta(hours=2)
"""What a reminder leaves its reader to act in; put off until later it would be of no use."""


def unneeded(
    reader: Reader, told: Collection[Notification], *, off: Collection[str]
) -> dict[int, Changes]:
    """Return what to write down of those notifications that are not to be sent, by id.

    :param off: the kinds that the reader does not want on the channel.
    """
    found: dict[int, Changes] = {
        one.pk: {"mail_state": State.OFF} for one in told if not _is_wanted(reader, one, off)
    }
    outdated = notifications.outdated(reader.user, told, off)
    for one in told:
        if one.pk in found:
            continue
        if one.seen_at is not None:
            found[one.pk] = {"mail_state": State.SEEN}
        elif one.pk in outdated:
            found[one.pk] = {"mail_state": outdated[one.pk]}
        elif looked := _looked(one):
            found[one.pk] = {"mail_state": State.SEEN, "seen_at": looked}
    return found


def not_mailed(reader: Reader, told: Collection[Notification]) -> dict[int, Changes]:
    """Return what to write down of those notifications that are not to be mailed, by id."""
    if reader.address is None:
        return {one.pk: {"mail_state": State.OFF} for one in told}
    found = unneeded(reader, told, off=reader.user.mail_off)
    if reader.is_refused:
        refused = {"mail_state": State.FAILED, "error": "The address refuses mails."}
        found = {one.pk: refused for one in told} | found
    return found


def put_off(
    reader: Reader, told: Sequence[Notification], now: datetime, *, by_mail: bool = True
) -> dict[int, Changes]:
    """Return until when to put off those notifications that are not to be sent now, by id."""
    found: dict[int, Changes] = {}
    for one in told:
        until = _until(reader, one, now, by_mail=by_mail)
        if until > now and not _is_urgent(one, until):
            found[one.pk] = {"mail_state": State.DUE, "next_try": until}
    return found


def _kind(notification: Notification) -> Kind | None:
    return notifications.kinds().get(notification.kind)


def _is_wanted(reader: Reader, notification: Notification, off: Collection[str]) -> bool:
    kind = _kind(notification)
    if kind and kind.is_asked_for:
        return True
    is_muted = notification.page_key in reader.muted and not (kind and kind.use_until)
    return not is_muted and notification.kind not in off


def _looked(notification: Notification) -> datetime | None:
    """Return when the recipient looked at the page of a notification after it was written."""
    if not notification.page_key:
        return None
    looked = presence.last(notification.recipient_id, notification.page_key)
    return looked if looked and looked > notification.created else None


def _until(reader: Reader, notification: Notification, now: datetime, *, by_mail: bool) -> datetime:
    """Return from when it may be sent: ``now``, or the latest of all that puts it off."""
    kind, chosen, zone = _kind(notification), reader.settings, reader.user.zone
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
    """Return when it is known whether the recipient looks at the page.

    Who was on it before the event and has said nothing since may have just left.
    """
    page_key = notification.page_key
    if page_key and presence.last(notification.recipient_id, page_key):
        return notification.created + presence.MEMORY
    return now


def _is_urgent(notification: Notification, until: datetime) -> bool:
    """Whether a reminder would come too late if it was put off until then."""
    kind = _kind(notification)
    end = kind.use_until(notification) if kind and kind.use_until else None
    return end is not None and end - ACT < until
