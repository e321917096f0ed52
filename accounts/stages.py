"""Stages of signing in."""

from allauth.account.internal.flows import email_verification
from allauth.account.stages import EmailVerificationStage
from allauth.account.utils import has_verified_email


class ConfirmationStage(EmailVerificationStage):  # type: ignore[misc]
    """Mails the confirmation link, and signs the user in at once.

    The setting stays "mandatory": otherwise allauth would reveal who has an account.
    """

    def handle(self) -> tuple[None, bool]:
        """Continue, whether the address is confirmed or not."""
        login = self.login
        if not has_verified_email(login.user, login.email):
            email_verification.send_verification_email_at_login(self.request, login)
        return None, True
