"""What the bare page and the bare consumer read and write."""

from typing import ClassVar

from django.conf import settings
from django.db import models


class Counter(models.Model):
    """A number that changes like the version of a match."""

    objects: ClassVar[models.Manager["Counter"]] = models.Manager()

    version = models.PositiveIntegerField(default=0)
    changed = models.DateTimeField()

    class Meta:
        app_label = "bench"  # tests import it without the application

    def __str__(self) -> str:
        return f"counter {self.pk}"


class Entry(models.Model):
    """A change of a counter."""

    objects: ClassVar[models.Manager["Entry"]] = models.Manager()

    counter = models.ForeignKey(Counter, models.CASCADE)
    number = models.PositiveIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT)
    text = models.TextField()
    at = models.DateTimeField()

    class Meta:
        app_label = "bench"
        constraints = (models.UniqueConstraint(fields=["counter", "number"], name="counted_once"),)

    def __str__(self) -> str:
        return f"entry {self.number} of {self.counter}"
