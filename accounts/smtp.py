"""Sending by SMTP, by which is known whether a mail may have arrived though nobody said so."""

import smtplib
from typing import Any

from django.core.mail.backends import smtp


class NoAnswer(smtplib.SMTPServerDisconnected):
    """The server had the whole mail, and hung up or fell silent instead of answering."""


class _Aware(smtplib.SMTP):
    """Tells what fails before a mail is handed over from what fails after."""

    answers = 0

    def getreply(self) -> tuple[int, bytes]:
        """Return the next answer."""
        reply = super().getreply()
        self.answers += 1
        return reply

    def data(self, msg: Any) -> tuple[int, bytes]:
        """Hand a mail over.

        :raises NoAnswer: no answer came to it.
        """
        before = self.answers
        try:
            return super().data(msg)
        except smtplib.SMTPResponseException:
            raise
        except OSError as error:
            # The one answer is that it may come.
            if self.answers == before:
                raise
            raise NoAnswer("no answer to a mail") from error


class _AwareSSL(_Aware, smtplib.SMTP_SSL):
    """The same with TLS from the beginning."""


class EmailBackend(smtp.EmailBackend):
    """Django's, over connections that tell of :exc:`NoAnswer`."""

    @property
    def connection_class(self) -> type[smtplib.SMTP]:
        """The class of connections."""
        return _AwareSSL if self.use_ssl else _Aware
