"""The application of statistics."""

from django.apps import AppConfig


class StatisticsConfig(AppConfig):
    name = "games.statistics"
    label = "statistics"
    verbose_name = "Statistics"

    def ready(self) -> None:
        from accounts import personal_data  # noqa: PLC0415 - they import models
        from games.statistics.personal_data import StatisticsData  # noqa: PLC0415

        personal_data.register(StatisticsData())
