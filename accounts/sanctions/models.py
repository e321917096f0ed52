"""Sanctions with their appeals, and traces that link accounts of the same person."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from accounts import texts


class Sanction(models.Model):
    """A sanction on an account, from ``since`` to ``until``.

    Without ``until`` it lasts until it is lifted; a warning until it is ``read``. Each has at most
    one ``appeal``, to be answered by ``answer_due``.
    """

    class Kind(models.TextChoices):
        WARNING = "warning", gettext_lazy("Warning")
        MUTE = "mute", gettext_lazy("Mute")
        SUSPENSION = "suspension", gettext_lazy("Suspension")
        BAN = "ban", gettext_lazy("Ban")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="sanctions")
    kind = models.CharField(max_length=10, choices=Kind)
    reason = texts.LinesField()
    since = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)
    read = models.DateTimeField(null=True, blank=True)
    lifted = models.DateTimeField(null=True, blank=True)
    moderator = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    appeal = texts.LinesField(blank=True)
    appealed = models.DateTimeField(null=True, blank=True)
    answer_due = models.DateTimeField(null=True, blank=True)
    answer = texts.LinesField(blank=True)
    answered = models.DateTimeField(null=True, blank=True)

    class Meta:
        db_table = "accounts_sanction"
        indexes = (
            models.Index(
                fields=["answer_due"],
                name="sanction_appealed",
                condition=Q(appealed__isnull=False, answered=None),
            ),
        )

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.pk}"

    @property
    def locks(self) -> bool:
        """Whether it blocks everything except reading its reason."""
        return self.kind in (self.Kind.SUSPENSION, self.Kind.BAN)


class Trace(models.Model):
    """A keyed hash of a network address or browser that an account was used from."""

    class Kind(models.TextChoices):
        """What the hash identifies."""

        ADDRESS = "address", "network address"
        DEVICE = "device", "browser"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    kind = models.CharField(max_length=7, choices=Kind)
    digest = models.CharField(max_length=32)
    last_seen = models.DateTimeField(db_index=True)

    class Meta:
        db_table = "accounts_trace"
        constraints = (
            models.UniqueConstraint(fields=["user", "kind", "digest"], name="one_trace_each"),
        )
        indexes = (models.Index(fields=["kind", "digest"], name="trace_shared"),)

    def __str__(self) -> str:
        return f"trace {self.pk}"
