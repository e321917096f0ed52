"""Mails other than those of notifications: confirmations, password links, reports to the admins."""

import logging
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta

from django.conf import settings
from django.core.mail import EmailMessage
from django.utils import translation

from accounts import mail, outbox
from accounts.models import OutgoingMail

logger = logging.getLogger(__name__)

LIFETIME = timedelta(days=2)
"""How long sending is retried; the links in the mails work for three days."""

SENT = "sent"
EXPIRED = "expired"


def write(*, to: str, subject: str, text: str, now: datetime) -> None:
    """Queue a mail in the current transaction. It is framed in the language that is active now."""
    OutgoingMail.objects.create(
        to=to,
        subject=subject,
        text=text,
        language=translation.get_language() or "",
        created=now,
        next_try=now,
        expires=now + LIFETIME,
    )


def send_due(*, clock: outbox.Clock) -> Counter[str]:
    """Send what is due until nothing is left or time is up.

    :returns: the number of mails by resulting state.
    """
    _forget_expired(clock())
    return outbox.run(
        _due(clock), lambda row, connection: Counter([_handle(row, connection, clock)]), clock=clock
    )


def _forget_expired(now: datetime) -> None:
    """Delete expired mails; one that is being sent only after its lease."""
    for row in OutgoingMail.objects.filter(expires__lte=now, next_try__lte=now):
        logger.error("Mail %s was given up after %s attempts: %s", row.pk, row.attempts, row.error)
        outbox.as_read(row).delete()


def _due(clock: outbox.Clock) -> Iterator[OutgoingMail]:
    """Yield the due mails, oldest first."""
    while batch := list(_waiting(clock())):
        yield from batch


def _waiting(now: datetime) -> list[OutgoingMail]:
    waiting = OutgoingMail.objects.filter(next_try__lte=now, expires__gt=now)
    return list(waiting.order_by("next_try", "pk")[: outbox.BATCH_SIZE])


def _handle(row: OutgoingMail, connection: outbox.MailConnection, clock: outbox.Clock) -> str:
    if not outbox.take(row, clock()):
        return outbox.CHANGED_MEANWHILE
    try:
        connection.send(_message(row))
    except outbox.Unclear:
        return _unclear(row, clock())
    except outbox.Undeliverable as error:
        return outbox.put_back(row, str(error), clock())
    return SENT if outbox.as_read(row).delete()[0] else outbox.CHANGED_MEANWHILE


def _unclear(row: OutgoingMail, now: datetime) -> str:
    """Schedule one retry of a mail that may have been delivered; delete it the second time."""
    if not row.error.startswith(outbox.UNCLEAR):
        return outbox.put_back(row, outbox.UNCLEAR, now)
    logger.error("Mail %s was given up: no answer came, twice", row.pk)
    return EXPIRED if outbox.as_read(row).delete()[0] else outbox.CHANGED_MEANWHILE


def _message(row: OutgoingMail) -> EmailMessage:
    """Each attempt has the same Message-ID."""
    with translation.override(row.language or settings.LANGUAGE_CODE):
        return mail.of_text(
            row.text,
            subject=row.subject,
            to=row.to,
            headers={"Message-ID": mail.message_id(f"mail-{row.pk}", row.created)},
        ).message()
