"""Sends the mails of notifications: each once, by any number of workers.

The notifications due to one reader go out as one mail.

A worker claims a notification by a compare-and-swap that counts the attempt and takes a lease. If
the worker dies, the lease expires and another one claims it. A late worker's writes are ignored,
because they apply only to its own attempt. If a worker crashes between the mail server's answer and
the write, the mail is repeated with the same Message-ID. A mail that the server received but didn't
answer is repeated once, then given up.
"""

import logging
import smtplib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

from django.core.mail import EmailMessage, get_connection
from django.db.models import QuerySet

from accounts import notifications, smtp
from accounts.delivery import decisions, readers
from accounts.delivery.readers import Reader
from accounts.mail import of_notifications
from accounts.models import Notification, OutgoingMail
from accounts.notifications import NotificationEmail
from accounts.site_languages import reading

logger = logging.getLogger(__name__)

State = Notification.MailState
Clock = Callable[[], datetime]
Row = Notification | OutgoingMail
Item = TypeVar("Item")

CHANGED_MEANWHILE = "taken"
"""The outcome if another worker has changed the notification since it was read."""

BATCH_SIZE = 100
MAX_RUN_TIME = timedelta(seconds=40)
"""How long one call runs; below `TASK_LIMIT` by the time that one mail may take."""

TASK_LIMIT = 60
"""Seconds after which Celery ends a task that sends mails."""

LEASE = timedelta(minutes=2)
"""How long a lease lasts, and how long a mail waits if its worker is killed.

Longer than a task may run (``accounts.tasks``), so that no two workers send the same mail.
"""

FIRST_WAIT = timedelta(minutes=1)
MAX_RETRY_DELAY = timedelta(hours=6)
MAX_ATTEMPTS = 20
"""With the delays between them, about three days."""

MAX_FAILURES_IN_A_ROW = 5
"""After this many failures in a row a run stops: the server must be down."""

MAX_ERROR_LENGTH = 300

UNCLEAR = "No answer came to the mail."
"""Prefix of the error of a mail that may have been delivered; it is sent once more."""

MOST_AT_ONCE = 500
"""Maximum number of notifications read together."""

PERMANENT = 500
"""SMTP status codes from here on are final (RFC 5321)."""


class Undeliverable(Exception):
    """A mail could not be made or sent. The text is for the admin and holds no secrets."""


class Unclear(Undeliverable):
    """The server received the mail but hung up, so delivery is uncertain."""


class AddressRefused(Undeliverable):
    """The mail server refuses the address permanently."""


class Rendered(NamedTuple):
    """A notification in words, and its own mail."""

    row: Notification
    email: NotificationEmail
    alone: EmailMessage


class MailConnection:
    def __init__(self) -> None:
        self._connection = get_connection()
        self.failures = 0
        """Failures in a row."""

    def send(self, message: EmailMessage) -> None:
        """Send a mail.

        :raises AddressRefused: the server refuses its address permanently.
        :raises Undeliverable: the server can't be reached, or refuses it for now.
        """
        try:
            self._connection.open()
            self._connection.send_messages([message])
        except smtplib.SMTPRecipientsRefused as error:
            # The server works: it refuses only this address.
            if _is_final(error):
                raise AddressRefused(describe(error)) from error
            self._failed()
            raise Undeliverable(describe(error)) from error
        except smtp.NoAnswer as error:
            self._failed()
            raise Unclear(UNCLEAR) from error
        except (OSError, ValueError) as error:
            self._failed()
            raise Undeliverable(describe(error)) from error
        self.failures = 0

    def _failed(self) -> None:
        self.failures += 1
        self.close()

    def close(self) -> None:
        with suppress(OSError):
            self._connection.close()


def send_due(*, clock: Clock) -> Counter[str]:
    """Send what is due until nothing is left or time is up.

    :returns: the number of notifications by resulting state.
    """
    return run(_due(clock), lambda due, connection: _handle(*due, connection, clock), clock=clock)


def run(
    items: Iterable[Item], handle: Callable[[Item, MailConnection], Counter[str]], *, clock: Clock
) -> Counter[str]:
    """Handle items until all are done, time is up or the server is down.

    :returns: the number of rows by resulting state.
    """
    connection = MailConnection()
    end = clock() + MAX_RUN_TIME
    done = Counter[str]()
    try:
        for item in items:
            done += handle(item, connection)
            if connection.failures >= MAX_FAILURES_IN_A_ROW or clock() >= end:
                break
    finally:
        connection.close()
    return done


def _due(clock: Clock) -> Iterator[tuple[Reader, list[Notification]]]:
    """Yield the readers with due notifications, and these, oldest first."""
    while batch := list(_waiting(clock())[:BATCH_SIZE]):
        users = {notification.recipient_id: notification.recipient for notification in batch}
        is_all = len(batch) < BATCH_SIZE
        rows = defaultdict(list)
        for notification in sorted(batch, key=attrgetter("pk")) if is_all else _all(users, clock()):
            rows[notification.recipient_id].append(notification)
        for reader in readers.read(users, clock()):
            if reader.user.pk in rows:
                yield reader, rows[reader.user.pk]


def _all(users: Iterable[int], now: datetime) -> QuerySet[Notification]:
    """Return all due notifications of these users, since the batch may hold only some."""
    return _waiting(now).filter(recipient__in=users).order_by("pk")[:MOST_AT_ONCE]


def _waiting(now: datetime) -> QuerySet[Notification]:
    waiting = Notification.objects.filter(mail_state__in=Notification.WAITING, next_try__lte=now)
    return waiting.select_related("recipient").order_by("next_try", "pk")


def _handle(
    reader: Reader, rows: list[Notification], connection: MailConnection, clock: Clock
) -> Counter[str]:
    """Handle a reader's notifications; count the resulting states."""
    now = clock()
    done = Counter[str]()
    for decide in (_given_up, decisions.not_mailed, partial(decisions.put_off, now=now)):
        decided = decide(reader, rows)
        done += Counter(_swap(row, **decided[row.pk]) for row in rows if row.pk in decided)
        rows = [row for row in rows if row.pk not in decided]
    # Claiming the first claims all, so that no two workers write to one reader.
    if not rows or not take(rows[0], now, seen_at=None):
        return done + Counter({CHANGED_MEANWHILE: len(rows)})
    taken = [rows[0], *(row for row in rows[1:] if take(row, now, seen_at=None))]
    return (
        done
        + Counter({CHANGED_MEANWHILE: len(rows) - len(taken)})
        + _send(reader, taken, connection, clock)
    )


def _given_up(reader: Reader, rows: Iterable[Notification]) -> dict[int, dict[str, Any]]:
    """Return the changes for notifications with too many attempts, by id."""
    return {
        row.pk: {
            "mail_state": State.FAILED,
            "error": row.error or "Workers crashed while sending it.",
        }
        for row in rows
        if row.attempts >= MAX_ATTEMPTS
    }


def _send(
    reader: Reader, rows: list[Notification], connection: MailConnection, clock: Clock
) -> Counter[str]:
    """Send one mail about several notifications, except those that can't be rendered."""
    written = []
    done = Counter[str]()
    for row in rows:
        try:
            written.append(_in_words(row, str(reader.address)))
        except Undeliverable as error:
            done[_fail(row, str(error), clock())] += 1
    if not written:
        return done
    notifications = [one.row for one in written]
    try:
        connection.send(_mail(_without_superseded(written), str(reader.address)))
    except Unclear:
        return done + Counter(_unclear(row, clock()) for row in notifications)
    except Undeliverable as error:
        if isinstance(error, AddressRefused):
            readers.refused(reader)
        return done + Counter(_fail(row, str(error), clock()) for row in notifications)
    readers.taken(reader)
    sent = {"sent_at": clock(), "error": ""}
    done[_swap(notifications[0], mail_state=State.SENT, **sent)] += 1
    return done + Counter(_swap(row, mail_state=State.MERGED, **sent) for row in notifications[1:])


def _without_superseded(written: Sequence[Rendered]) -> list[Rendered]:
    """Return the notifications that no other one in the mail covers."""
    kinds = notifications.kinds()
    covered = {(one.row.page_key, name) for one in written for name in kinds[one.row.kind].covers}
    return [one for one in written if (one.row.page_key, one.row.kind) not in covered]


def _mail(written: Sequence[Rendered], address: str) -> EmailMessage:
    if len(written) == 1:
        return written[0].alone
    return of_notifications([(one.row, one.email) for one in written], address).message()


def take(row: Row, now: datetime, **conditions: Any) -> bool:
    """Claim a row, unless it has changed or no longer meets the conditions."""
    attempt = {
        "mail_state": State.SENDING,
        "attempts": row.attempts + 1,
        "next_try": now + LEASE,
    }
    if not as_read(row).filter(**conditions).update(**attempt):
        return False
    for name, value in attempt.items():
        setattr(row, name, value)
    return True


def _fail(notification: Notification, error: str, now: datetime) -> str:
    """Schedule a retry, or give up after the last one."""
    if notification.attempts < MAX_ATTEMPTS:
        return put_back(notification, error, now)
    logger.warning("Notification %s, attempt %s: %s", notification.pk, notification.attempts, error)
    return _swap(notification, mail_state=State.FAILED, error=error[:MAX_ERROR_LENGTH])


def _unclear(row: Notification, now: datetime) -> str:
    """Schedule one retry of a mail that may have been delivered; give up the second time."""
    if not row.error.startswith(UNCLEAR):
        return put_back(row, UNCLEAR, now)
    logger.warning("Notification %s: no answer came, twice", row.pk)
    return _swap(row, mail_state=State.FAILED, error=row.error)


def put_back(row: Row, error: str, now: datetime) -> str:
    """Schedule a retry, doubling the delay each time; return the row's state."""
    logger.warning("%s %s, attempt %s: %s", type(row).__name__, row.pk, row.attempts, error)
    if row.error.startswith(UNCLEAR):
        error = f"{UNCLEAR} {error}"
    wait = MAX_RETRY_DELAY
    if row.attempts < MAX_ATTEMPTS:
        wait = min(FIRST_WAIT * 2 ** (row.attempts - 1), MAX_RETRY_DELAY)
    return _swap(row, mail_state=State.DUE, next_try=now + wait, error=error[:MAX_ERROR_LENGTH])


def _swap(row: Row, **changes: Any) -> str:
    """Update the row if it hasn't changed since it was read; return the resulting state."""
    return str(changes["mail_state"]) if as_read(row).update(**changes) else CHANGED_MEANWHILE


def as_read(row: Row) -> QuerySet[Any]:
    """Return the row in the database if it hasn't changed since it was read."""
    return type(row)._default_manager.filter(
        pk=row.pk, mail_state=row.mail_state, attempts=row.attempts, next_try=row.next_try
    )


def _in_words(notification: Notification, address: str) -> Rendered:
    """Render a notification, with times in its reader's zone.

    :raises Undeliverable: for any error, so that one broken notification doesn't stop the others.
    """
    try:
        with reading(notification.recipient):
            email = notifications.render(notification)
        alone = of_notifications([(notification, email)], address).message()
    except Exception as error:
        logger.exception("Notification %s cannot be put into words", notification.pk)
        reason = f"Could not be put into words: {type(error).__name__}"
        raise Undeliverable(reason) from error
    return Rendered(notification, email, alone)


def _is_final(error: smtplib.SMTPRecipientsRefused) -> bool:
    return all(code >= PERMANENT for code, _ in error.recipients.values())


def describe(error: Exception) -> str:
    """Return what went wrong with a mail server, without what was sent to it."""
    if isinstance(error, smtplib.SMTPResponseException):
        answer = error.smtp_error
        text = answer.decode("utf-8", "replace") if isinstance(answer, bytes) else answer
        return f"{type(error).__name__}: {error.smtp_code} {text}"
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        codes = ", ".join(str(code) for code, _ in error.recipients.values())
        return f"{type(error).__name__}: {codes}"
    reason = error.strerror if isinstance(error, OSError) else None
    return f"{type(error).__name__}: {reason}" if reason else type(error).__name__
