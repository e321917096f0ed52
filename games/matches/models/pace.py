"""How fast somebody usually answers."""

from django.conf import settings
from django.db import models


class Pace(models.Model):
    """The median time that a player takes to answer, over the latest ``answers`` answers.

    ``entry`` is the id of the last log entry that was read to compute it.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="pace")
    median = models.DurationField(null=True)
    answers = models.PositiveIntegerField()
    entry = models.BigIntegerField(db_index=True)

    def __str__(self) -> str:
        return f"pace of {self.user_id}"
