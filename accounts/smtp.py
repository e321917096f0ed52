"""SMTP backend that reports whether delivery is uncertain."""

import smtplib
from typing import Any

from django.core.mail.backends import smtp


class NoAnswer(smtplib.SMTPServerDisconnected):
    """The server received the whole mail, then hung up or didn't answer."""


class _Aware(smtplib.SMTP):
    """An SMTP connection that distinguishes failures before and after the transfer of a mail."""

    answers = 0

    def getreply(self) -> tuple[int, bytes]:
        """Return the next reply, and count it."""
        reply = super().getreply()
        self.answers += 1
        return reply

    def data(self, msg: Any) -> tuple[int, bytes]:
        """Transfer a mail.

        :raises NoAnswer: the server didn't reply to it.
        """
        before = self.answers
        try:
            return super().data(msg)
        except smtplib.SMTPResponseException:
            raise
        except OSError as error:
            # Without a further reply, the server hasn't asked for the mail's content yet.
            if self.answers == before:
                raise
            raise NoAnswer("no answer to a mail") from error


class _AwareSSL(_Aware, smtplib.SMTP_SSL):
    """The same with implicit TLS."""


class EmailBackend(smtp.EmailBackend):
    """Django's backend with connections that raise :exc:`NoAnswer`."""

    @property
    def connection_class(self) -> type[smtplib.SMTP]:
        return _AwareSSL if self.use_ssl else _Aware
