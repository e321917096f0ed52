"""Imported records: matches that were exported, here or elsewhere, and taken in again.

They are no matches: no list of matches, no statistics and no rating looks at them.
"""

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse


class ImportedRecord(models.Model):
    """A record that somebody has taken in, after it was replayed and checked.

    ``head`` is the record without its log, as it was exported. ``digest`` is the SHA-256 of the
    whole, in hexadecimal: nobody has the same record twice. ``length`` is the number of its last
    entry.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="imported_records"
    )
    title = models.CharField("game", max_length=60)
    head = models.JSONField()
    digest = models.CharField(max_length=64)
    length = models.PositiveIntegerField()
    created = models.DateTimeField()

    class Meta:
        ordering = ("-created", "-pk")
        constraints = (
            models.UniqueConstraint(fields=["owner", "digest"], name="one_import_a_record"),
        )

    def __str__(self) -> str:
        return f"imported record {self.pk}"

    def get_absolute_url(self) -> str:
        """Return the address of its start."""
        return reverse("imported", args=[self.pk, 0])


class ImportedEntry(models.Model):
    """An entry of the log of an imported record: ``data`` is what was exported of it.

    ``events`` are what it did when it was replayed. ``position`` is the one after it, stored of
    every so many entries, and of take-backs, so that nothing before them is replayed.
    """

    record = models.ForeignKey(ImportedRecord, models.CASCADE, related_name="entries")
    number = models.PositiveIntegerField()
    data = models.JSONField()
    events = models.JSONField()
    undoes = models.PositiveIntegerField(null=True, blank=True)
    position: Any = models.JSONField(null=True, blank=True)

    class Meta:
        ordering = ("record", "number")
        constraints = (
            models.UniqueConstraint(fields=["record", "number"], name="one_entry_of_an_import"),
            models.CheckConstraint(condition=Q(number__gte=1), name="imported_entry_from_1"),
        )

    def __str__(self) -> str:
        return f"entry {self.number} of imported record {self.record_id}"
