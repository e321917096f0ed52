"""Mails that are not mails of notifications: confirmations, new passwords, reports to the admins.

Each is a row, written in the transaction of its event and sent later by the same protocol as the
mails of notifications (`accounts.outbox`). The row is deleted as soon as it is no longer needed,
since links in it may open an account.
"""

import logging
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta

from django.core.mail import EmailMessage

from accounts import mail, outbox
from accounts.models import OutgoingMail

logger = logging.getLogger(__name__)

LIFETIME = timedelta(days=2)
"""How long it is tried to send a mail; the links in it are good for three days."""

SENT, EXPIRED = "sent", "expired"


def write(*, to: str, subject: str, text: str, now: datetime) -> None:
    """Write a mail, in the transaction of its event."""
    OutgoingMail.objects.create(
        to=to, subject=subject, text=text, created=now, next_try=now, expires=now + LIFETIME
    )


def send_due(*, clock: outbox.Clock) -> Counter[str]:
    """Send what is due, until nothing is or the time of a run is over.

    :returns: how many mails came to which state.
    """
    _forget_expired(clock())
    return outbox.run(
        _due(clock), lambda row, post: Counter([_handle(row, post, clock)]), clock=clock
    )


def _forget_expired(now: datetime) -> None:
    """Delete what is too old to be sent; what is being sent, once its lease has run out."""
    for row in OutgoingMail.objects.filter(expires__lte=now, next_try__lte=now):
        logger.error("Mail %s was given up after %s attempts: %s", row.pk, row.attempts, row.error)
        outbox.as_read(row).delete()


def _due(clock: outbox.Clock) -> Iterator[OutgoingMail]:
    """Yield the mails that are due, the oldest first."""
    while batch := list(_waiting(clock())):
        yield from batch


def _waiting(now: datetime) -> list[OutgoingMail]:
    waiting = OutgoingMail.objects.filter(next_try__lte=now, expires__gt=now)
    return list(waiting.order_by("next_try")[: outbox.BATCH])


def _handle(row: OutgoingMail, post: outbox.Post, clock: outbox.Clock) -> str:
    """Try to send a mail; return the state that it came to."""
    if not outbox.take(row, clock()):
        return outbox.TAKEN
    try:
        post.send(_message(row))
    except outbox.Unclear:
        return _unclear(row, clock())
    except outbox.Undeliverable as error:
        return outbox.put_back(row, str(error), clock())
    return SENT if outbox.as_read(row).delete()[0] else outbox.TAKEN


def _unclear(row: OutgoingMail, now: datetime) -> str:
    """Put a mail back that may have been delivered, once; the second time forget it."""
    if not row.error.startswith(outbox.UNCLEAR):
        return outbox.put_back(row, outbox.UNCLEAR, now)
    logger.error("Mail %s was given up: no answer came, twice", row.pk)
    return EXPIRED if outbox.as_read(row).delete()[0] else outbox.TAKEN


def _message(row: OutgoingMail) -> EmailMessage:
    """Return it as Django sends it; each attempt has the same Message-ID."""
    return mail.of_text(
        row.text,
        subject=row.subject,
        to=row.to,
        headers={"Message-ID": mail.message_id(f"mail-{row.pk}", row.created)},
    ).message()
