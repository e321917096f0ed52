"""Writes each mail to a file, for the pages that show them and for mail programs."""

from collections.abc import Sequence
from pathlib import Path

from django.conf import settings
from django.core.mail.backends.base import BaseEmailBackend
from django.core.mail.message import EmailMessage
from django.utils import timezone
from django.utils.crypto import get_random_string


class EmailBackend(BaseEmailBackend):
    """A mail backend that writes to the folder ``LOCAL_MAILS`` and sends nothing."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Write the mails to files whose names sort by time.

        :returns: the number of mails.
        """
        folder = Path(settings.LOCAL_MAILS)
        folder.mkdir(parents=True, exist_ok=True)
        for message in email_messages:
            name = f"{timezone.now():%Y%m%d-%H%M%S-%f}-{get_random_string(4)}"
            unfinished = folder / f"{name}.part"
            unfinished.write_bytes(message.message().as_bytes())
            unfinished.rename(folder / f"{name}.eml")
        return len(email_messages)
