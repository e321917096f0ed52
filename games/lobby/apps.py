"""The lobby application."""

from django.apps import AppConfig


class LobbyConfig(AppConfig):
    """Challenges, and the matches that come of them."""

    name = "games.lobby"
    label = "lobby"
    verbose_name = "Lobby"

    def ready(self) -> None:
        """Register notifications, receivers of signals, and what becomes of who leaves."""
        from accounts import deletion, own_data  # noqa: PLC0415 - they import models
        from games.lobby import (  # noqa: F401, PLC0415
            departures,
            leaving,
            notification_emails,
            reliability,
        )

        notification_emails.register()
        reliability.register()
        deletion.register(leaving.leave_all)
        own_data.register("challenges", leaving.own_data)
