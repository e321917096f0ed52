"""Chat lines and read markers, private notes, greetings, and muted players."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts import texts
from games.matches.models import Match

MAX_LINE_LENGTH = 500
"""Maximum length of a chat line or a greeting, in characters."""

MAX_NOTE_LENGTH = 4000
"""Maximum length of a private note, in characters."""


class Room(models.TextChoices):
    """The rooms of a match. All lines stay with the record, which everybody can read.

    Comments are written after the end, by players and others alike.
    """

    PLAYERS = "players", _("Players")
    SPECTATORS = "spectators", _("Spectators")
    COMMENTS = "comments", _("Comments on positions")


class Line(models.Model):
    """A line written in a match.

    ``version`` is that of the match then. For a comment it is that of the commented position: the
    number of an entry, 0 for the start. ``submission`` is the id under which it was sent, so that
    nothing is said twice. ``hidden`` is when a moderator hid it, null otherwise.
    """

    match = models.ForeignKey(Match, models.CASCADE, related_name="lines", db_index=False)
    room = models.CharField(max_length=10, choices=Room)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="lines")
    version = models.PositiveIntegerField()
    text = texts.ShortLinesField(max_length=MAX_LINE_LENGTH)
    created = models.DateTimeField()
    submission = models.UUIDField()
    hidden = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("created", "pk")
        indexes = (models.Index(fields=["match", "room", "created"], name="line_of_match"),)
        constraints = (
            models.UniqueConstraint(
                fields=["match", "author", "submission"], name="one_line_a_submission"
            ),
            models.CheckConstraint(
                condition=Q(room__in=["players", "spectators", "comments"]),
                name="line_room_is_known",
            ),
        )

    def __str__(self) -> str:
        return f"line {self.pk} of match {self.match_id}"

    def get_absolute_url(self) -> str:
        """Return the address of the page that shows it."""
        if self.room == Room.COMMENTS:
            return f"{reverse('match-at', args=[self.match_id, self.version])}#comments"
        return f"{reverse('match', args=[self.match_id])}#match-chat"


class LastRead(models.Model):
    """How far somebody has read the chat of a match. ``line`` is the id of the last line."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    match = models.ForeignKey(Match, models.CASCADE, related_name="+")
    line = models.BigIntegerField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["user", "match"], name="one_last_read_a_match"),
        )

    def __str__(self) -> str:
        return f"{self.user_id} in match {self.match_id}"


class PrivateNote(models.Model):
    """A user's private note about a match."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    match = models.ForeignKey(Match, models.CASCADE, related_name="+")
    text = texts.LinesField(max_length=MAX_NOTE_LENGTH)
    changed = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["user", "match"], name="one_private_note_a_match"),
        )

    def __str__(self) -> str:
        return f"note {self.pk}"


class Muting(models.Model):
    """A user who doesn't want to read what another one writes."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="mutings")
    muted = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    created = models.DateTimeField()

    class Meta:
        ordering = ("-created",)
        constraints = (models.UniqueConstraint(fields=["user", "muted"], name="muted_once"),)

    def __str__(self) -> str:
        return f"muting {self.pk}"


class Greeting(models.Model):
    """A line that is written for a user whenever a match of theirs begins."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    text = texts.ShortLinesField(max_length=MAX_LINE_LENGTH)

    def __str__(self) -> str:
        return f"greeting {self.pk}"
