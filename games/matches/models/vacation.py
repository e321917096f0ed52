"""Vacations of players."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q


class Vacation(models.Model):
    """A period in which all clocks of a user are stopped, past, current or planned.

    Others see its end only if ``shows_end``. The site started an ``automatic`` one shortly before
    the user's time ran out. ``end_told`` says that the user was notified of its end.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="vacations")
    begin = models.DateTimeField()
    end = models.DateTimeField(db_index=True)
    shows_end = models.BooleanField(default=True)
    automatic = models.BooleanField(default=False)
    end_told = models.BooleanField(default=False)

    class Meta:
        ordering = ("begin",)
        indexes = (models.Index(fields=["user", "begin"], name="vacation_by_user"),)
        constraints = (
            models.CheckConstraint(
                condition=Q(end__gt=F("begin")), name="vacation_ends_after_its_beginning"
            ),
        )

    def __str__(self) -> str:
        return f"{self.user}: {self.begin:%Y-%m-%d %H:%M} to {self.end:%Y-%m-%d %H:%M} UTC"
