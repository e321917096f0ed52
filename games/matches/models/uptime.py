"""When the site was up, and which matches can't be read."""

from datetime import timedelta

from django.db import models
from django.db.models import F, Q

from games.matches.models.match import Match


class SetAside(models.Model):
    """A running match that can't be read: since when, and which part of it.

    While the row exists, its clocks are stopped, and no sweep tries it
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
    """A period during which the site was down and all clocks were stopped.

    ``settled`` is true when the stored deadlines of all matches have been shifted. Until then,
    those of matches with an id up to ``reached`` have been.
    """

    class Cause(models.TextChoices):
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
        return self.ended - self.began


class Sweep(models.Model):
    """The last heartbeat of the sweep of deadlines or of web processes."""

    name = models.CharField(max_length=20, unique=True)
    ran = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} at {self.ran:%Y-%m-%d %H:%M:%S} UTC"
