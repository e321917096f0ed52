"""The lobby application."""

from django.apps import AppConfig


class LobbyConfig(AppConfig):
    name = "games.lobby"
    label = "lobby"
    verbose_name = "Lobby"

    def ready(self) -> None:
        from accounts import personal_data  # noqa: PLC0415 - it imports models
        from games.lobby import (  # noqa: PLC0415
            blocked,  # noqa: F401 - it connects a receiver
            notification_emails,
            reliability,
        )
        from games.lobby.personal_data import LobbyData  # noqa: PLC0415

        notification_emails.register()
        reliability.register()
        personal_data.register(LobbyData())
