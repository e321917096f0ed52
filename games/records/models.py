"""Imported records, animated pictures of matches, and saved positions.

Imported records aren't matches: no list of matches and no statistics contains them.
"""

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse

from accounts import texts
from games.matches.models import Match
from games.records import rebuilding


class ImportedRecord(models.Model):
    """An imported record, which was replayed and verified.

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
        return reverse("imported", args=[self.pk, 0])

    @property
    def player_names(self) -> list[str]:
        """The displayed names of its players."""
        return rebuilding.player_names(self.head)


class ImportedEntry(models.Model):
    """An entry of the log of an imported record: ``data`` is its exported content.

    ``events`` are its effects in the replay. ``position`` is the one after it, stored at intervals
    and for take-backs, so that nothing before them is replayed.
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


class Animation(models.Model):
    """A stretch of an ended match as an animated picture, from one position to another.

    ``data`` is the picture, null until it is ``READY``. ``asked`` is the time of the last request,
    ``begun`` that of the last attempt, and ``attempts`` their number. While it waits, ``asker`` is
    who requested it (:func:`accounts.limits.asker`), since everybody may wait for one only.
    """

    class Status(models.TextChoices):
        WAITING = "waiting", "being made"
        READY = "ready", "ready"
        FAILED = "failed", "could not be made"

    match = models.ForeignKey(Match, models.CASCADE, related_name="animations")
    first = models.PositiveIntegerField()
    last = models.PositiveIntegerField()
    theme = models.CharField(max_length=10)
    status = models.CharField(max_length=10, choices=Status, default=Status.WAITING)
    data = models.BinaryField(null=True)
    asked = models.DateTimeField(db_index=True)
    begun = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    asker = models.CharField(max_length=64, blank=True, default="", db_default="")

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["match", "first", "last", "theme"], name="one_animation_a_stretch"
            ),
            models.UniqueConstraint(
                fields=["asker"],
                condition=Q(status="waiting") & ~Q(asker=""),
                name="one_animation_an_asker",
            ),
            models.CheckConstraint(
                condition=Q(status__in=["waiting", "ready", "failed"]),
                name="animation_status_is_known",
            ),
            models.CheckConstraint(
                condition=Q(last__gte=F("first")), name="animation_goes_forward"
            ),
        )

    def __str__(self) -> str:
        return f"animation {self.pk} of match {self.match_id}"

    def get_absolute_url(self) -> str:
        return reverse("animation", args=[self.match_id, self.pk])


MAX_COLLECTION_NAME_LENGTH = 60
"""Maximum length of the name of a collection, in characters."""


class Collection(models.Model):
    """Positions that somebody has saved under a name.

    Only its owner sees it, unless it ``is_public``. ``published`` is when it became so. It is null
    for those that were published before the activity named them, which only who has the address
    finds.
    """

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="collections")
    name = texts.LineField(max_length=MAX_COLLECTION_NAME_LENGTH)
    is_public = models.BooleanField("public", default=False)
    published = models.DateTimeField(null=True, blank=True)
    created = models.DateTimeField()

    class Meta:
        ordering = ("name", "pk")
        indexes = (
            models.Index(
                fields=["-published"],
                name="collection_published",
                condition=Q(is_public=True, published__isnull=False),
            ),
        )
        constraints = (
            models.UniqueConstraint(fields=["owner", "name"], name="one_collection_a_name"),
        )

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("collection", args=[self.pk])


class Bookmark(models.Model):
    """A position of a match, or of an imported record, in a collection.

    ``number`` is that of the entry before it. ``placed`` is when it got its place: the latest is
    first.
    """

    collection = models.ForeignKey(
        Collection, models.CASCADE, related_name="bookmarks", db_index=False
    )
    match = models.ForeignKey(Match, models.CASCADE, null=True, blank=True, related_name="+")
    imported = models.ForeignKey(
        ImportedRecord, models.CASCADE, null=True, blank=True, related_name="+"
    )
    number = models.PositiveIntegerField()
    placed = models.DateTimeField()

    class Meta:
        ordering = ("-placed", "-pk")
        indexes = (models.Index(fields=["collection", "-placed", "-id"], name="bookmark_by_place"),)
        constraints = (
            models.UniqueConstraint(
                fields=["collection", "match", "number"],
                condition=Q(match__isnull=False),
                name="one_bookmark_of_a_match",
            ),
            models.UniqueConstraint(
                fields=["collection", "imported", "number"],
                condition=Q(imported__isnull=False),
                name="one_bookmark_of_an_import",
            ),
            models.CheckConstraint(
                condition=Q(match=None, imported__isnull=False)
                | Q(match__isnull=False, imported=None),
                name="bookmark_of_one_record",
            ),
        )

    def __str__(self) -> str:
        return f"bookmark {self.pk} in collection {self.collection_id}"

    def get_absolute_url(self) -> str:
        if self.match_id:
            return reverse("match-at", args=[self.match_id, self.number])
        return reverse("imported", args=[self.imported_id, self.number])
