"""Topics of noticeboards, their posts, and how far people have read them."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts import texts
from games.clubs.models import Club
from games.events.models import Tournament

MAX_SUBJECT_LENGTH = 100
MAX_POST_LENGTH = 4000


DELETED_SUBJECT = "Deleted topic"
"""The stored subject of a topic whose author is deleted. Readers see it in their language."""


class Topic(models.Model):
    """A topic on the board of a club, of a game, or of a tournament.

    ``latest`` and ``last`` are the time and the id of its last post that everybody sees. They are
    null if there is none, as while the only post waits for a moderator. ``author`` is null if the
    account was deleted, ``hidden`` unless a moderator has hidden the first post.
    """

    club = models.ForeignKey(
        Club, models.CASCADE, null=True, blank=True, related_name="topics", db_index=False
    )
    game = models.CharField(max_length=60, blank=True)
    tournament = models.ForeignKey(
        Tournament, models.CASCADE, null=True, blank=True, related_name="topics", db_index=False
    )
    subject = texts.LineField(max_length=MAX_SUBJECT_LENGTH)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="topics"
    )
    created = models.DateTimeField()
    latest = models.DateTimeField(null=True, blank=True)
    last = models.BigIntegerField(null=True, blank=True)
    posts_shown = models.PositiveIntegerField(default=0)
    hidden = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-latest", "-pk")
        indexes = (
            models.Index(fields=["club", "-latest", "-id"], name="topic_of_club"),
            models.Index(fields=["game", "-latest", "-id"], name="topic_of_game"),
            models.Index(
                fields=["tournament", "-latest", "-id"],
                name="topic_of_tournament",
                condition=Q(tournament__isnull=False),
            ),
        )
        constraints = (
            models.CheckConstraint(
                condition=Q(club=None, tournament=None) & ~Q(game="")
                | Q(club__isnull=False, tournament=None, game="")
                | Q(club=None, tournament__isnull=False, game=""),
                name="topic_of_one_board",
            ),
        )

    def __str__(self) -> str:
        return self.subject

    def get_absolute_url(self) -> str:
        return reverse("topic", args=[self.pk])

    @property
    def shown_subject(self) -> str:
        """The subject, or that the account of its author is deleted."""
        is_deleted = self.author_id is None and self.subject == DELETED_SUBJECT
        return _("Deleted topic") if is_deleted else self.subject


class Post(models.Model):
    """A post of a topic; the first one begins it.

    ``waits`` is true until a moderator has seen the first post of somebody, if it has a link.
    ``submission`` is the id under which it was sent, so that nothing is posted twice.
    """

    topic = models.ForeignKey(Topic, models.CASCADE, related_name="posts", db_index=False)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="posts_written"
    )
    text = texts.LinesField(max_length=MAX_POST_LENGTH)
    created = models.DateTimeField()
    edited = models.DateTimeField(null=True, blank=True)
    hidden = models.DateTimeField(null=True, blank=True)
    waits = models.BooleanField(default=False)
    submission = models.UUIDField()

    class Meta:
        ordering = ("created", "pk")
        indexes = (
            models.Index(fields=["topic", "created", "id"], name="post_of_topic"),
            models.Index(fields=["created"], name="post_waits", condition=Q(waits=True)),
        )
        constraints = (
            models.UniqueConstraint(fields=["author", "submission"], name="one_post_a_submission"),
        )

    def __str__(self) -> str:
        return f"post {self.pk} of topic {self.topic_id}"

    def get_absolute_url(self) -> str:
        return f"{reverse('topic', args=[self.topic_id])}#post-{self.pk}"


class Reading(models.Model):
    """How far somebody has read a topic, to the id ``post`` of a post, and if they follow it."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    topic = models.ForeignKey(Topic, models.CASCADE, related_name="readings")
    post = models.BigIntegerField(default=0)
    follows = models.BooleanField(default=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["user", "topic"], name="one_reading_a_topic"),
        )

    def __str__(self) -> str:
        return f"{self.user_id} in topic {self.topic_id}"
