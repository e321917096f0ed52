"""The application of clubs."""

from django.apps import AppConfig


class ClubsConfig(AppConfig):
    name = "games.clubs"
    label = "clubs"
    verbose_name = "Clubs"

    def ready(self) -> None:
        from accounts import personal_data  # noqa: PLC0415 - they import models
        from games.clubs import notifications, tasks  # noqa: F401, PLC0415
        from games.clubs.personal_data import ClubsData  # noqa: PLC0415

        notifications.register()
        personal_data.register(ClubsData())
