"""The match application."""

from django.apps import AppConfig


class MatchConfig(AppConfig):
    """A match from first to last move."""

    name = "games.matches"
    label = "match"
    verbose_name = "Matches"

    def ready(self) -> None:
        """Register notifications and the receivers of signals, now that models are loaded."""
        from games.matches import notification_emails, tasks  # noqa: F401, PLC0415 - import models

        notification_emails.register()
