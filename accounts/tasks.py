"""Celery tasks: sending mails and pushes, and deleting what has expired."""

from celery import shared_task
from django.utils import timezone

from accounts import deletion, error_reports, guests, outbox, outgoing, signup
from accounts.delivery import push
from accounts.sanctions import traces
from accounts.security import events
from accounts.security import sessions as account_sessions
from accounts.sessions import SessionStore

SOFT, HARD = outbox.TASK_LIMIT, outbox.TASK_LIMIT + 15
"""Time limits of tasks that talk to the mail server, since DNS lookups have no timeout."""


@shared_task(soft_time_limit=SOFT, time_limit=HARD)
def send_notifications() -> None:
    outbox.send_due(clock=timezone.now)


@shared_task(soft_time_limit=SOFT, time_limit=HARD)
def send_mails() -> None:
    """Send other due mails: confirmations, links, reports to the admins."""
    outgoing.send_due(clock=timezone.now)


@shared_task(soft_time_limit=SOFT, time_limit=HARD)
def send_pushes() -> None:
    push.send_due(clock=timezone.now)


@shared_task
def report_errors() -> None:
    error_reports.report(now=timezone.now())


@shared_task
def forget_unfinished() -> None:
    signup.forget_unfinished(now=timezone.now())


@shared_task
def forget_guests() -> None:
    guests.forget_unused(now=timezone.now())


@shared_task
def forget_sessions() -> None:
    SessionStore.clear_expired()
    account_sessions.forget()


@shared_task
def forget_events() -> None:
    events.forget(now=timezone.now())
    traces.forget(now=timezone.now())


@shared_task
def delete_accounts() -> None:
    deletion.delete_due(now=timezone.now())
