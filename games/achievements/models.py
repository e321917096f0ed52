"""Who has earned which achievement in which match, and how many players have each."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.matches.models import Match


class ExaminedMatch(models.Model):
    """A rated match that was examined after its end. ``counts`` says whether it gives any.

    The lock of this row keeps two examinations of a match apart.
    """

    match = models.OneToOneField(Match, models.CASCADE, primary_key=True, related_name="examined")
    counts = models.BooleanField(default=False)
    at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "examined matches"

    def __str__(self) -> str:
        return f"{self.match}, examined for achievements"


class Award(models.Model):
    """An achievement that a player earned in a match. One of the site has an empty ``title``.

    A player may earn the same achievement in several matches. ``is_first`` marks the one that ended
    first, which profiles show. If it is annulled, the next one takes its place. ``at`` is when the
    match ended.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="awards")
    title = models.CharField("game", max_length=60, blank=True)
    key = models.CharField(max_length=40)
    match = models.ForeignKey(Match, models.CASCADE, related_name="awards")
    at = models.DateTimeField()
    is_first = models.BooleanField(default=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["match", "user", "title", "key"], name="one_award_a_match"
            ),
            models.UniqueConstraint(
                fields=["user", "title", "key"],
                condition=Q(is_first=True),
                name="one_first_award",
            ),
        )
        indexes = (
            models.Index(fields=["user", "title", "key", "at", "match"], name="award_in_order"),
            models.Index(fields=["-at"], name="award_latest", condition=Q(is_first=True)),
        )

    def __str__(self) -> str:
        return f"{self.user}: {self.title or 'site'}, {self.key}, in match {self.match_id}"


class AchievementCount(models.Model):
    """How many players have an achievement. ``title`` is empty for those of the site."""

    title = models.CharField("game", max_length=60, blank=True)
    key = models.CharField(max_length=40)
    players = models.BigIntegerField(default=0)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["title", "key"], name="one_count_an_achievement"),
        )

    def __str__(self) -> str:
        return f"{self.title or 'site'}, {self.key}: {self.players}"
