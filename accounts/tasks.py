"""What Celery runs for accounts: mails, and what is over: sign-ups never finished, sessions."""

from celery import shared_task
from django.utils import timezone

from accounts import error_reports, outbox, outgoing, signup
from accounts.sessions import SessionStore

SOFT, HARD = outbox.TASK_LIMIT, outbox.TASK_LIMIT + 15
"""Time limits of tasks that talk to the mail server: looking up its name has none."""


@shared_task(soft_time_limit=SOFT, time_limit=HARD)
def send_notifications() -> None:
    """Send the mails of notifications that are due."""
    outbox.send_due(clock=timezone.now)


@shared_task(soft_time_limit=SOFT, time_limit=HARD)
def send_notices() -> None:
    """Run :func:`send_notifications`; tasks that the last release queued have this name."""
    send_notifications()


@shared_task(soft_time_limit=SOFT, time_limit=HARD)
def send_mails() -> None:
    """Send the other mails that are due: those of accounts, and reports to the admins."""
    outgoing.send_due(clock=timezone.now)


@shared_task
def report_errors() -> None:
    """Write a mail to the admins about errors that they have not been told of."""
    error_reports.report(now=timezone.now())


@shared_task
def forget_unfinished() -> None:
    """Free the names of those who never confirmed their mail address."""
    signup.forget_unfinished(now=timezone.now())


@shared_task
def forget_sessions() -> None:
    """Delete the sessions that have expired."""
    SessionStore.clear_expired()
