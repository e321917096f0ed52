"""Sending the mails of notifications: each once, whatever breaks, by any number of workers.

What is due to one reader at once goes out as one mail.

A worker takes a notification up by a compare-and-swap that counts the attempt and leases it for a
while. If the worker dies, the lease expires and another one takes the notification up; what a
worker writes afterwards holds only for its own attempt, so that one that comes back late changes
nothing. A crash between the mail server's yes and the row that says so repeats a mail; it then
has the same Message-ID. So has a mail that a server had and did not answer: it is sent once more,
and given up if that has no answer either, lest it come again and again.
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
from django.utils import timezone

from accounts import notifications, smtp
from accounts.delivery import decisions, readers
from accounts.delivery.readers import Reader
from accounts.mail import of_notifications
from accounts.models import Notification, OutgoingMail
from accounts.notifications import NotificationEmail

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

UNCLEAR = "No answer came to the mail."
"""How the error of a row begins that may have been delivered; it is sent once more, not twice."""

MOST_AT_ONCE = 500
"""The most notifications that are looked at together."""

PERMANENT = 500
"""From this code on an answer of a mail server is final (RFC 5321)."""


class Undeliverable(Exception):
    """A mail could not be made or sent; the text is for the admin and holds nothing secret."""


class Unclear(Undeliverable):
    """The mail server had a mail and hung up: nobody knows whether it delivers it."""


class Refused(Undeliverable):
    """The mail server says that there is no such address."""


class Written(NamedTuple):
    """A notification in words, and the mail of it alone."""

    row: Notification
    email: NotificationEmail
    alone: EmailMessage


class Post:
    """The way to the mail server, kept open from one mail to the next."""

    def __init__(self) -> None:
        self._connection = get_connection()
        self.failures = 0
        """How many mails in a row it has failed to send."""

    def send(self, message: EmailMessage) -> None:
        """Send a mail.

        :raises Refused: the server refuses its address, for good.
        :raises Undeliverable: the server cannot be reached or refuses it for now.
        """
        try:
            self._connection.open()
            self._connection.send_messages([message])
        except smtplib.SMTPRecipientsRefused as error:
            # The server is well: it refuses this address, and hears the next one.
            if _is_final(error):
                raise Refused(describe(error)) from error
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
        """Hang up, even where the line is dead."""
        with suppress(OSError):
            self._connection.close()


def send_due(*, clock: Clock) -> Counter[str]:
    """Send what is due, until nothing is or the time of a run is over.

    :returns: how many notifications came to which state.
    """
    return run(_due(clock), lambda due, post: _handle(*due, post, clock), clock=clock)


def run(
    items: Iterable[Item], handle: Callable[[Item, Post], Counter[str]], *, clock: Clock
) -> Counter[str]:
    """Handle one item after another until all are done, the time is over or the server is ill.

    :returns: how many rows came to which state.
    """
    post, end, done = Post(), clock() + RUN, Counter[str]()
    try:
        for item in items:
            done += handle(item, post)
            if post.failures >= TROUBLE or clock() >= end:
                break
    finally:
        post.close()
    return done


def _due(clock: Clock) -> Iterator[tuple[Reader, list[Notification]]]:
    """Yield those who have notifications that are due, each with these, the oldest first."""
    while batch := list(_waiting(clock())[:BATCH]):
        users = {notification.recipient_id: notification.recipient for notification in batch}
        is_all = len(batch) < BATCH
        rows = defaultdict(list)
        for notification in sorted(batch, key=attrgetter("pk")) if is_all else _all(users, clock()):
            rows[notification.recipient_id].append(notification)
        for reader in readers.read(users, clock()):
            if reader.user.pk in rows:
                yield reader, rows[reader.user.pk]


def _all(users: Iterable[int], now: datetime) -> QuerySet[Notification]:
    """Return all that is due to users, of whom a batch may hold a part."""
    return _waiting(now).filter(recipient__in=users).order_by("pk")[:MOST_AT_ONCE]


def _waiting(now: datetime) -> QuerySet[Notification]:
    waiting = Notification.objects.filter(mail_state__in=Notification.WAITING, next_try__lte=now)
    return waiting.select_related("recipient").order_by("next_try")


def _handle(reader: Reader, rows: list[Notification], post: Post, clock: Clock) -> Counter[str]:
    """Bring the notifications of a reader one step on; count the states that they came to."""
    now, done = clock(), Counter[str]()
    for decide in (_given_up, decisions.not_mailed, partial(decisions.put_off, now=now)):
        decided = decide(reader, rows)
        done += Counter(_swap(row, **decided[row.pk]) for row in rows if row.pk in decided)
        rows = [row for row in rows if row.pk not in decided]
    # Who gets the first has the others too, lest two workers write to one reader at once.
    if not rows or not take(rows[0], now, seen_at=None):
        return done + Counter({TAKEN: len(rows)})
    taken = [rows[0], *(row for row in rows[1:] if take(row, now, seen_at=None))]
    return done + Counter({TAKEN: len(rows) - len(taken)}) + _send(reader, taken, post, clock)


def _given_up(reader: Reader, rows: Iterable[Notification]) -> dict[int, dict[str, Any]]:
    """Return what to write down of those that were tried too often, by id."""
    return {
        row.pk: {"mail_state": State.FAILED, "error": row.error or "No worker survived it."}
        for row in rows
        if row.attempts >= MOST_ATTEMPTS
    }


def _send(reader: Reader, rows: list[Notification], post: Post, clock: Clock) -> Counter[str]:
    """Send one mail about several notifications, without those that cannot be put into words."""
    written, done = [], Counter[str]()
    for row in rows:
        try:
            written.append(_in_words(row, str(reader.address)))
        except Undeliverable as error:
            done[_fail(row, str(error), clock())] += 1
    if not written:
        return done
    told = [one.row for one in written]
    try:
        post.send(_mail(_uncovered(written), str(reader.address)))
    except Unclear:
        return done + Counter(_unclear(row, clock()) for row in told)
    except Undeliverable as error:
        if isinstance(error, Refused):
            readers.refused(reader)
        return done + Counter(_fail(row, str(error), clock()) for row in told)
    readers.taken(reader)
    sent = {"sent_at": clock(), "error": ""}
    done[_swap(told[0], mail_state=State.SENT, **sent)] += 1
    return done + Counter(_swap(row, mail_state=State.MERGED, **sent) for row in told[1:])


def _uncovered(written: Sequence[Written]) -> list[Written]:
    """Return those that no other of the same mail says too."""
    kinds = notifications.kinds()
    covered = {(one.row.page_key, name) for one in written for name in kinds[one.row.kind].covers}
    return [one for one in written if (one.row.page_key, one.row.kind) not in covered]


def _mail(written: Sequence[Written], address: str) -> EmailMessage:
    """Return the mail that tells several things, or the one that was made of the only one."""
    if len(written) == 1:
        return written[0].alone
    return of_notifications([(one.row, one.email) for one in written], address).message()


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


def _unclear(row: Notification, now: datetime) -> str:
    """Put a notification back that may have been mailed, once; the second time give it up."""
    if not row.error.startswith(UNCLEAR):
        return put_back(row, UNCLEAR, now)
    logger.warning("Notification %s: no answer came, twice", row.pk)
    return _swap(row, mail_state=State.FAILED, error=row.error)


def put_back(row: Row, error: str, now: datetime) -> str:
    """Put a row back for a later attempt, each wait twice the last; return its state."""
    logger.warning("%s %s, attempt %s: %s", type(row).__name__, row.pk, row.attempts, error)
    if row.error.startswith(UNCLEAR):
        error = f"{UNCLEAR} {error}"
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


def _in_words(notification: Notification, address: str) -> Written:
    """Put a notification into words, with times as its reader's clocks show them.

    :raises Undeliverable: whatever went wrong; one broken letter must not stop the rest.
    """
    try:
        with timezone.override(notification.recipient.zone):
            email = notifications.render(notification)
        alone = of_notifications([(notification, email)], address).message()
    except Exception as error:
        logger.exception("Notification %s cannot be put into words", notification.pk)
        reason = f"Could not be put into words: {type(error).__name__}"
        raise Undeliverable(reason) from error
    return Written(notification, email, alone)


def _is_final(error: smtplib.SMTPRecipientsRefused) -> bool:
    return all(code >= PERMANENT for code, _ in error.recipients.values())


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
