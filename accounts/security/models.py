"""Security events, and pending changes and deletions of accounts."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy

from accounts.security import event_details


class SecurityEvent(models.Model):
    """A sign-in, a failure, or a change of an account's protection or rights.

    ``by`` is the name of the person who did it, if that wasn't the owner. It is no reference, so
    that the event outlives that person's account.
    """

    class Kind(models.TextChoices):
        SIGNED_IN = "signed-in", gettext_lazy("Signed in")
        FAILED = "failed", gettext_lazy("Wrong password")
        CODE_FAILED = "code-failed", gettext_lazy("Wrong code")
        SESSIONS_ENDED = "sessions-ended", gettext_lazy("Signed out elsewhere")
        PASSWORD = "password", gettext_lazy("Password changed")
        EMAIL = "email", gettext_lazy("Email address changed")
        FACTOR_ADDED = "factor-added", gettext_lazy("Second factor added")
        FACTOR_REMOVED = "factor-removed", gettext_lazy("Second factor removed")
        FACTORS_RESET = "factors-reset", gettext_lazy("All second factors removed")
        CODES = "codes", gettext_lazy("New recovery codes")
        TOKEN_MADE = "token-made", gettext_lazy("API token made")
        TOKEN_REVOKED = "token-revoked", gettext_lazy("API token revoked")
        RIGHTS = "rights", gettext_lazy("Rights changed")
        DATA = "data", gettext_lazy("Own data downloaded")
        DELETION = "deletion", gettext_lazy("Deletion asked for")
        KEPT = "kept", gettext_lazy("Deletion called off")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="security_events", db_index=False
    )
    kind = models.CharField(max_length=16, choices=Kind)
    at = models.DateTimeField()
    address = models.GenericIPAddressField("network address", null=True, blank=True)
    browser = models.CharField(max_length=60, blank=True)
    by = models.CharField(max_length=40, blank=True)
    details = models.CharField(max_length=200, blank=True)

    class Meta:
        db_table = "accounts_security_event"
        indexes = (
            models.Index(fields=["user", "-at"], name="security_event_list"),
            models.Index(fields=["at"], name="security_event_age"),
        )

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.pk}"

    @property
    def shown_details(self) -> str:
        return event_details.shown(self.details)


class AddressChange(models.Model):
    """A change of mail address that waits for both addresses to agree.

    ``address`` is the new one, unconfirmed until then. Deleting it deletes the change.
    """

    address = models.OneToOneField(
        "account.EmailAddress", models.CASCADE, related_name="change", primary_key=True
    )
    asked = models.DateTimeField()
    new_agreed = models.BooleanField(default=False)
    old_agreed = models.BooleanField(default=False)

    class Meta:
        db_table = "accounts_address_change"

    def __str__(self) -> str:
        return f"change to address {self.pk}"
