"""News items."""

from datetime import datetime

from django.db import models
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from accounts import texts


class NewsItem(models.Model):
    """A piece of news, shown from ``published`` until ``until``. Null means permanently."""

    title = texts.LineField(max_length=100)
    text = texts.LinesField(max_length=2000, help_text="Plain text. Addresses become links.")
    published = models.DateTimeField(default=timezone.now, db_index=True)
    until = models.DateTimeField(
        null=True, blank=True, help_text="Leave it empty to show it until newer items replace it."
    )

    class Meta:
        ordering = ("-published", "-pk")
        constraints = (
            models.CheckConstraint(
                condition=Q(until=None) | Q(until__gt=F("published")),
                name="news_ends_after_publication",
                violation_error_message="It must end after it is published.",
            ),
        )

    def __str__(self) -> str:
        return self.title


def current(now: datetime) -> QuerySet[NewsItem]:
    """Return the items to show now, the latest first."""
    items = NewsItem.objects.filter(published__lte=now)
    return items.filter(Q(until=None) | Q(until__gt=now))
