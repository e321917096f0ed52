"""The clockwork of accounts: mails, and sign-ups that were never finished."""

import logging
from dataclasses import asdict
from typing import Any

from celery import shared_task
from django.utils import timezone
from kombu.exceptions import OperationalError

from accounts import outbox, signup
from accounts.mail import Mail

logger = logging.getLogger(__name__)


@shared_task
def send_notices() -> None:
    """Send the mails of notices that are due."""
    outbox.send_due(clock=timezone.now)


@shared_task
def forget_unfinished() -> None:
    """Free the names of those who never confirmed their mail address."""
    signup.forget_unfinished(now=timezone.now())


@shared_task(autoretry_for=(OSError,), retry_backoff=30, retry_backoff_max=3600, max_retries=8)
def send_mail(mail: dict[str, Any]) -> None:
    """Send one mail that is not a notice; tried again while the mail server does not take it."""
    Mail(**mail).message().send()


def post(mail: Mail) -> None:
    """Have a mail sent by the clockwork, or here and now where that cannot be reached.

    What is in it (links that open accounts) is kept out of the logs.
    """
    try:
        send_mail.apply_async((asdict(mail),), argsrepr="(a mail)")  # type: ignore[call-arg]
    except OperationalError:
        logger.warning("No broker: a mail is sent at once")
        mail.message().send()
