"""What Celery runs for accounts: mails, and what is over: sign-ups, guests, sessions."""

from celery import shared_task
from django.utils import timezone

from accounts import deletion, error_reports, guests, outbox, outgoing, signup
from accounts.delivery import push
from accounts.sanctions import traces
from accounts.security import events
from accounts.security import sessions as account_sessions
from accounts.sessions import SessionStore

SOFT, HARD = outbox.TASK_LIMIT, outbox.TASK_LIMIT + 15
"""Time limits of tasks that talk to the mail server: looking up its name has none."""


@shared_task(soft_time_limit=SOFT, time_limit=HARD)
def send_notifications() -> None:
    """Send the mails of notifications that are due."""
    outbox.send_due(clock=timezone.now)


@shared_task(soft_time_limit=SOFT, time_limit=HARD)
def send_mails() -> None:
    """Send the other mails that are due: those of accounts, and reports to the admins."""
    outgoing.send_due(clock=timezone.now)


@shared_task(soft_time_limit=SOFT, time_limit=HARD)
def send_pushes() -> None:
    """Send the notifications that are due to browsers."""
    push.send_due(clock=timezone.now)


@shared_task
def report_errors() -> None:
    """Write a mail to the admins about errors that they have not been told of."""
    error_reports.report(now=timezone.now())


@shared_task
def forget_unfinished() -> None:
    """Free the names of those who never confirmed their mail address."""
    signup.forget_unfinished(now=timezone.now())


@shared_task
def forget_guests() -> None:
    """Forget the guests who have not come back."""
    guests.forget_unused(now=timezone.now())


@shared_task
def forget_sessions() -> None:
    """Delete the sessions that have expired, and what is known of them."""
    SessionStore.clear_expired()
    account_sessions.forget()


@shared_task
def forget_events() -> None:
    """Delete what happened to accounts too long ago, and from where they were used."""
    events.forget(now=timezone.now())
    traces.forget(now=timezone.now())


@shared_task
def delete_accounts() -> None:
    """Delete the accounts whose owners asked for it and have not called it off."""
    deletion.delete_due(now=timezone.now())
