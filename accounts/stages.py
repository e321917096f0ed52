"""Steps of signing in."""

from allauth.account.internal.flows import email_verification
from allauth.account.stages import EmailVerificationStage
from allauth.account.utils import has_verified_email


class ConfirmationStage(EmailVerificationStage):  # type: ignore[misc]
    """Sends the link that confirms an address, and lets its user in at once.

    The site's setting stays "mandatory", as allauth would tell otherwise who has an account.
    """

    def handle(self) -> tuple[None, bool]:
        """Go on, whether the address is confirmed or not."""
        login = self.login
        if not has_verified_email(login.user, login.email):
            email_verification.send_verification_email_at_login(self.request, login)
        return None, True
