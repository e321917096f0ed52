"""The application of achievements."""

from django.apps import AppConfig


class AchievementsConfig(AppConfig):
    name = "games.achievements"
    label = "achievements"
    verbose_name = "Achievements"

    def ready(self) -> None:
        from accounts import personal_data  # noqa: PLC0415 - it imports models
        from games.achievements import notifications, tasks  # noqa: F401, PLC0415
        from games.achievements.personal_data import AchievementsData  # noqa: PLC0415

        notifications.register()
        personal_data.register(AchievementsData())
