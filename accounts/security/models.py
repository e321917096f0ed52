"""Security events, and pending changes and deletions of accounts."""

from django.conf import settings
from django.db import models


class SecurityEvent(models.Model):
    """A sign-in, a failure, or a change of an account's protection or rights.

    ``by`` is the name of the person who did it, if that wasn't the owner. It is no reference, so
    that the event outlives that person's account.
    """

    class Kind(models.TextChoices):
        SIGNED_IN = "signed-in", "Signed in"
        FAILED = "failed", "Wrong password"
        CODE_FAILED = "code-failed", "Wrong code"
        SESSIONS_ENDED = "sessions-ended", "Signed out elsewhere"
        PASSWORD = "password", "Password changed"
        EMAIL = "email", "Email address changed"
        FACTOR_ADDED = "factor-added", "Second factor added"
        FACTOR_REMOVED = "factor-removed", "Second factor removed"
        FACTORS_RESET = "factors-reset", "All second factors removed"
        CODES = "codes", "New recovery codes"
        TOKEN_MADE = "token-made", "API token made"
        TOKEN_REVOKED = "token-revoked", "API token revoked"
        RIGHTS = "rights", "Rights changed"
        DATA = "data", "Own data downloaded"
        DELETION = "deletion", "Deletion asked for"
        KEPT = "kept", "Deletion called off"

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


class AccountDeletion(models.Model):
    """A deletion that the owner can cancel until it is due."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="deletion", primary_key=True
    )
    due = models.DateTimeField(db_index=True)

    class Meta:
        db_table = "accounts_deletion"

    def __str__(self) -> str:
        return f"deletion of account {self.pk}"
