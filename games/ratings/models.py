"""Ratings, the changes that led to them, and the matches they were computed from."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.matches.models import Match
from games.ratings.calculation import Strength, after_absence


class Progress(models.Model):
    """The progress of rating the matches of a game, in the order of end and id.

    The lock of this row allows only one worker. ``ended`` and ``match`` are those of the last
    match, null before the first. From the match ``stale_ended`` and ``stale_match`` on, everything
    has to be computed again. Both are null if nothing has. ``voided`` is when the last annulled
    match that was taken out was annulled.
    """

    title = models.CharField("game", max_length=60, primary_key=True)
    ended = models.DateTimeField(null=True)
    match = models.BigIntegerField(null=True)
    stale_ended = models.DateTimeField(null=True)
    stale_match = models.BigIntegerField(null=True)
    voided = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"ratings of {self.title} up to match {self.match}"


class RatedMatch(models.Model):
    """A rated match that has ended and was processed. ``reason`` says why it doesn't count.

    It is empty if the match counts.
    """

    class Reason(models.TextChoices):
        """Why a match, or a seat of it, doesn't count."""

        MODERATOR = "moderator", _("A moderator has taken it out of the ratings.")
        PAIR = "pair", _("Two of the players have met too often within seven days.")
        UNMOVED = "unmoved", _("The match ended before everybody had moved.")
        SUBSTITUTE = "substitute", _("A substitute has taken over a seat.")
        ABSENT = "absent", _("A player left several matches at once. The first counts.")

    match = models.OneToOneField(Match, models.CASCADE, primary_key=True, related_name="+")
    title = models.CharField("game", max_length=60)
    ended = models.DateTimeField()
    reason = models.CharField(max_length=10, choices=Reason, blank=True)

    class Meta:
        verbose_name_plural = "rated matches"
        indexes = (models.Index(fields=["title", "ended", "match"], name="rated_in_order"),)
        constraints = (
            models.CheckConstraint(
                condition=Q(
                    reason__in=["", "moderator", "pair", "unmoved", "substitute", "absent"]
                ),
                name="rated_match_reason_is_known",
            ),
        )

    def __str__(self) -> str:
        return f"rated match {self.match_id}"


class StoredStrength(models.Model):
    """A strength since ``ended``, after ``matches`` matches."""

    title = models.CharField("game", max_length=60)
    mu = models.FloatField()
    sigma = models.FloatField()
    ended = models.DateTimeField()
    matches = models.PositiveIntegerField()

    class Meta:
        abstract = True

    @property
    def strength(self) -> Strength:
        return Strength(self.mu, self.sigma)


class RatingChange(StoredStrength):
    """The effect of a match on the rating of a player.

    ``mu_before`` and ``sigma_before`` are the values just before the match, so that
    ``sigma_before`` includes the effect of absence. ``timed_out`` says whether the player lost on
    time.
    """

    match = models.ForeignKey(RatedMatch, models.CASCADE, related_name="changes")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    seat = models.PositiveSmallIntegerField()
    mu_before = models.FloatField()
    sigma_before = models.FloatField()
    timed_out = models.BooleanField(default=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["match", "seat"], name="one_rating_change_a_seat"),
        )
        indexes = (
            models.Index(fields=["title", "ended", "match"], name="change_in_order"),
            models.Index(fields=["user", "title", "-ended", "-match"], name="change_of_user"),
        )

    def __str__(self) -> str:
        return f"{self.user} after match {self.match_id}: {self.mu:.0f}"


class Rating(StoredStrength):
    """The rating of a player in a game, as it was after the last rated match.

    ``established_until`` is when it becomes provisional without another match. It is ``ended`` if
    the rating is provisional already. Bots don't change, so their absence doesn't make them less
    certain.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="ratings")
    is_bot = models.BooleanField("bot", default=False)
    established_until = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["user", "title"], name="one_rating_a_game"),)
        indexes = (models.Index(fields=["title", "-mu", "user"], name="rating_leaderboard"),)

    def __str__(self) -> str:
        return f"{self.user} in {self.title}: {self.mu:.0f}"

    def at(self, moment: datetime) -> Strength:
        """Return the strength at a later time: absence makes it uncertain, except for bots."""
        span = timedelta() if self.is_bot else moment - self.ended
        return after_absence(self.strength, span)


class LeftOut(models.Model):
    """A match that a moderator has taken out of the ratings."""

    match = models.OneToOneField(Match, models.CASCADE, primary_key=True, related_name="+")
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"match {self.match_id} left out of the ratings"


class RatingPreferences(models.Model):
    """Whether a player is listed on leaderboards. Users without a row are."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        primary_key=True,
        related_name="rating_preferences",
    )
    is_listed = models.BooleanField(default=True)

    def __str__(self) -> str:
        return f"rating preferences of {self.user}"
