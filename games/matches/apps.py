"""The match application."""

from django.apps import AppConfig


class MatchConfig(AppConfig):
    """A match from first to last move."""

    name = "games.matches"
    label = "match"
    verbose_name = "Matches"

    def ready(self) -> None:
        """Register how this application's notifications read, now that models are loaded."""
        from games.matches import notification_emails  # noqa: PLC0415 - it imports models

        notification_emails.register()
