"""The application of ladders."""

from django.apps import AppConfig


class LaddersConfig(AppConfig):
    name = "games.ladders"
    label = "ladders"
    verbose_name = "Ladders"

    def ready(self) -> None:
        from accounts import personal_data  # noqa: PLC0415 - it imports models
        from games.ladders import notifications, tasks  # noqa: F401, PLC0415
        from games.ladders.personal_data import LaddersData  # noqa: PLC0415

        notifications.register()
        personal_data.register(LaddersData())
