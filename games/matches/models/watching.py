"""Watched matches."""

from django.conf import settings
from django.db import models

from games.matches.models.match import Match


class Watch(models.Model):
    """A match that somebody watches, or keeps as a favourite once it has ended.

    ``tells_end`` says that they want a notification of its end.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="watches", db_index=False
    )
    match = models.ForeignKey(Match, models.CASCADE, related_name="watches")
    since = models.DateTimeField()
    tells_end = models.BooleanField(default=False)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["user", "match"], name="one_watch_a_match"),)

    def __str__(self) -> str:
        return f"{self.user_id} watches match {self.match_id}"
