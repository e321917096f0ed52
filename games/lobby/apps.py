"""The lobby application."""

from django.apps import AppConfig


class LobbyConfig(AppConfig):
    """Challenges, and the matches that come of them."""

    name = "games.lobby"
    label = "lobby"
    verbose_name = "Lobby"

    def ready(self) -> None:
        """Register how this application's notifications read, now that models are loaded."""
        from games.lobby import notification_emails  # noqa: PLC0415 - it imports models

        notification_emails.register()
