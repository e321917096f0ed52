"""What has happened to an account, where its owner and the admins can read it."""

from django.conf import settings
from django.db import models


class SecurityEvent(models.Model):
    """A sign-in, a failure, or a change of how an account is protected or what it may do.

    ``by`` is the name of whoever did it, where that was not the owner: a name and no reference, so
    that the entry outlives that account.
    """

    class Kind(models.TextChoices):
        """What happened."""

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
    """A change of mail address that waits for the old and the new address to say yes.

    It goes with ``address``, the new one, which is not confirmed before both have.
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
    """That an account is to be deleted, unless its owner calls it off until then."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="deletion", primary_key=True
    )
    due = models.DateTimeField(db_index=True)

    class Meta:
        db_table = "accounts_deletion"

    def __str__(self) -> str:
        return f"deletion of account {self.pk}"
