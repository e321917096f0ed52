"""The application of team matches."""

from django.apps import AppConfig


class TeamsConfig(AppConfig):
    name = "games.teams"
    label = "teams"
    verbose_name = "Team matches"

    def ready(self) -> None:
        from accounts import personal_data  # noqa: PLC0415 - they import models
        from games.teams import notifications, tasks  # noqa: F401, PLC0415
        from games.teams.personal_data import TeamsData  # noqa: PLC0415

        notifications.register()
        personal_data.register(TeamsData())
