"""Sending the mails of notifications: each once, whatever breaks, by any number of workers.

A worker takes a notification up by a compare-and-swap that counts the attempt and leases it for a
while. If the worker dies, the lease expires and another one takes the notification up; what a
worker writes afterwards holds only for its own attempt, so that one that comes back late changes
nothing. A crash between the mail server's yes and the row that says so repeats a mail; it then
has the same Message-ID.
"""

import logging
import smtplib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, TypeVar

from allauth.account.models import EmailAddress
from django.core.mail import EmailMessage, get_connection
from django.db.models import QuerySet
from django.utils import timezone

from accounts import notifications, presence
from accounts.mail import of_notification
from accounts.models import Notification, OutgoingMail

logger = logging.getLogger(__name__)

State = Notification.MailState
Clock = Callable[[], datetime]
Row = Notification | OutgoingMail
Item = TypeVar("Item")

TAKEN = "taken"
"""Said of a notification that somebody else has changed since it was read."""

BATCH = 100
RUN = timedelta(seconds=40)
"""How long one call goes on; below `TASK_LIMIT` by the time that one mail may take."""

TASK_LIMIT = 60
"""Seconds after which a task that sends mails is broken off, whatever the mail server does."""

LOAN = timedelta(minutes=2)
"""How long a worker has a mail to itself, and who waits for it if the worker is killed.

Longer than a task may live (``accounts.tasks``), lest two send the same one.
"""

FIRST_WAIT = timedelta(minutes=1)
LONGEST_WAIT = timedelta(hours=6)
MOST_ATTEMPTS = 20
"""With the waits between them about three days."""

TROUBLE = 5
"""Failures in a row after which a run leaves the rest for later: the server must be ill."""

LONGEST_ERROR = 300


class Undeliverable(Exception):
    """A mail could not be made or sent; the text is for the admin and holds nothing secret."""


class Post:
    """The way to the mail server, kept open from one mail to the next."""

    def __init__(self) -> None:
        self._connection = get_connection()
        self.failures = 0
        """How many mails in a row it has failed to send."""

    def send(self, message: EmailMessage) -> None:
        """Send a mail.

        :raises Undeliverable: the server cannot be reached or refuses it.
        """
        try:
            self._connection.open()
            self._connection.send_messages([message])
        except (OSError, ValueError) as error:
            self.failures += 1
            self.close()
            raise Undeliverable(describe(error)) from error
        self.failures = 0

    def close(self) -> None:
        """Hang up, even where the line is dead."""
        with suppress(OSError):
            self._connection.close()


def send_due(*, clock: Clock) -> Counter[str]:
    """Send what is due, until nothing is or the time of a run is over.

    :returns: how many notifications came to which state.
    """
    return run(_due(clock), lambda due, post: _handle(*due, post, clock), clock=clock)


def run(
    items: Iterable[Item], handle: Callable[[Item, Post], str], *, clock: Clock
) -> Counter[str]:
    """Handle one item after another until all are done, the time is over or the server is ill.

    :returns: how many items came to which state.
    """
    post, end, done = Post(), clock() + RUN, Counter[str]()
    try:
        for item in items:
            done[handle(item, post)] += 1
            if post.failures >= TROUBLE or clock() >= end:
                break
    finally:
        post.close()
    return done


def _due(clock: Clock) -> Iterator[tuple[Notification, str | None]]:
    """Yield the notifications that are due, each with the address that its mail would go to."""
    while batch := list(_waiting(clock())[:BATCH]):
        addresses = _addresses(notification.recipient_id for notification in batch)
        for notification in batch:
            yield notification, addresses.get(notification.recipient_id)


def _waiting(now: datetime) -> QuerySet[Notification]:
    waiting = Notification.objects.filter(mail_state__in=Notification.WAITING, next_try__lte=now)
    return waiting.select_related("recipient").order_by("next_try")


def _addresses(user_ids: Iterable[int]) -> dict[int, str]:
    """Return the confirmed addresses of those users who are active, by user."""
    confirmed = EmailAddress.objects.filter(
        user_id__in=set(user_ids), user__is_active=True, primary=True, verified=True
    )
    return dict(confirmed.values_list("user_id", "email"))


def _handle(notification: Notification, address: str | None, post: Post, clock: Clock) -> str:
    """Bring a notification one step on; return the state that it came to."""
    now = clock()
    if address is None or notification.kind in notification.recipient.mail_off:
        return _swap(notification, mail_state=State.OFF)
    if changes := _no_mail_now(notification, now):
        return _swap(notification, **changes)
    if not take(notification, now, seen_at=None):
        return TAKEN
    try:
        post.send(_message(notification, address))
    except Undeliverable as error:
        return _fail(notification, str(error), clock())
    return _swap(notification, mail_state=State.SENT, sent_at=clock(), error="")


def _no_mail_now(notification: Notification, now: datetime) -> dict[str, Any]:
    """Return what to write down instead of sending; nothing where the mail is to go out.

    Who was on the page before the event and has said nothing since may have just left: then the
    mail waits until that is known.
    """
    if notification.seen_at is not None:
        return {"mail_state": State.SEEN}
    if notification.attempts >= MOST_ATTEMPTS:
        return {"mail_state": State.FAILED, "error": notification.error or "No worker survived it."}
    looked = (
        presence.last(notification.recipient_id, notification.page_key)
        if notification.page_key
        else None
    )
    if looked is None:
        return {}
    if looked > notification.created:
        return {"mail_state": State.SEEN, "seen_at": looked}
    known = notification.created + presence.MEMORY
    return {"mail_state": State.DUE, "next_try": known} if now < known else {}


def take(row: Row, now: datetime, **conditions: Any) -> bool:
    """Take a row up, unless somebody else has or the conditions hold no longer."""
    attempt = {
        "mail_state": State.SENDING,
        "attempts": row.attempts + 1,
        "next_try": now + LOAN,
    }
    if not as_read(row).filter(**conditions).update(**attempt):
        return False
    for name, value in attempt.items():
        setattr(row, name, value)
    return True


def _fail(notification: Notification, error: str, now: datetime) -> str:
    """Put a notification back for a later attempt; give up after the most."""
    if notification.attempts < MOST_ATTEMPTS:
        return put_back(notification, error, now)
    logger.warning("Notification %s, attempt %s: %s", notification.pk, notification.attempts, error)
    return _swap(notification, mail_state=State.FAILED, error=error[:LONGEST_ERROR])


def put_back(row: Row, error: str, now: datetime) -> str:
    """Put a row back for a later attempt, each wait twice the last; return its state."""
    logger.warning("%s %s, attempt %s: %s", type(row).__name__, row.pk, row.attempts, error)
    wait = LONGEST_WAIT
    if row.attempts < MOST_ATTEMPTS:
        wait = min(FIRST_WAIT * 2 ** (row.attempts - 1), LONGEST_WAIT)
    return _swap(row, mail_state=State.DUE, next_try=now + wait, error=error[:LONGEST_ERROR])


def _swap(row: Row, **changes: Any) -> str:
    """Write changes if the row is still as it was read; return the state that it came to."""
    return str(changes["mail_state"]) if as_read(row).update(**changes) else TAKEN


def as_read(row: Row) -> QuerySet[Any]:
    """Return the row in the database, as long as nobody has changed it since it was read."""
    return type(row)._default_manager.filter(
        pk=row.pk, mail_state=row.mail_state, attempts=row.attempts, next_try=row.next_try
    )


def _message(notification: Notification, address: str) -> EmailMessage:
    """Put a notification into words, with times as its reader's clocks show them.

    :raises Undeliverable: whatever went wrong; one broken letter must not stop the rest.
    """
    try:
        with timezone.override(notification.recipient.zone):
            return of_notification(
                notification, notifications.render(notification), address
            ).message()
    except Exception as error:
        logger.exception("Notification %s cannot be put into words", notification.pk)
        reason = f"Could not be put into words: {type(error).__name__}"
        raise Undeliverable(reason) from error


def describe(error: Exception) -> str:
    """Return what went wrong with a mail server, without what was said to it."""
    if isinstance(error, smtplib.SMTPResponseException):
        answer = error.smtp_error
        said = answer.decode("utf-8", "replace") if isinstance(answer, bytes) else answer
        return f"{type(error).__name__}: {error.smtp_code} {said}"
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        codes = ", ".join(str(code) for code, _ in error.recipients.values())
        return f"{type(error).__name__}: {codes}"
    reason = error.strerror if isinstance(error, OSError) else None
    return f"{type(error).__name__}: {reason}" if reason else type(error).__name__
