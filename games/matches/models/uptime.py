"""When the site was up, and which matches cannot be read."""

from datetime import timedelta

from django.db import models
from django.db.models import F, Q

from games.matches.models.match import Match


class SetAside(models.Model):
    """A running match that cannot be read: since when, and which part of it.

    Its clocks are stopped, and no sweep tries it, while the row exists
    (:mod:`games.matches.play.unreadable`).
    """

    match = models.OneToOneField(Match, models.CASCADE, related_name="set_aside")
    since = models.DateTimeField()
    part = models.CharField(max_length=10)

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(part__in=["rules", "position", "log"]), name="set_aside_part_is_known"
            ),
        )
        verbose_name = "match set aside"
        verbose_name_plural = "matches set aside"

    def __str__(self) -> str:
        return f"{self.match}, set aside at {self.since:%Y-%m-%d %H:%M:%S} UTC"


class Outage(models.Model):
    """A span of time during which the site was down and every clock stood still.

    ``settled`` is true when the stored deadlines of all matches have been shifted; until then they
    have been in the matches with an id up to ``reached``.
    """

    class Cause(models.TextChoices):
        """Which heartbeat was missing."""

        SWEEP = "deadlines", "scheduled jobs"
        WEB = "web", "web processes"

    cause = models.CharField(max_length=20, choices=Cause, default=Cause.SWEEP)
    began = models.DateTimeField()
    ended = models.DateTimeField()
    settled = models.BooleanField(default=False)
    reached = models.BigIntegerField(default=0)

    class Meta:
        ordering = ("began",)
        constraints = (
            models.CheckConstraint(
                condition=Q(cause__in=["deadlines", "web"]), name="outage_cause_is_known"
            ),
            models.CheckConstraint(
                condition=Q(ended__gte=F("began")), name="outage_ends_after_its_beginning"
            ),
        )

    def __str__(self) -> str:
        return f"{self.began:%Y-%m-%d %H:%M} to {self.ended:%Y-%m-%d %H:%M} UTC"

    @property
    def length(self) -> timedelta:
        """How long it lasted."""
        return self.ended - self.began


class Sweep(models.Model):
    """When a heartbeat was last written, by the sweep of deadlines or by web processes."""

    name = models.CharField(max_length=20, unique=True)
    ran = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} at {self.ran:%Y-%m-%d %H:%M:%S} UTC"
