"""The application of statistics."""

from django.apps import AppConfig


class StatisticsConfig(AppConfig):
    """What is counted of ended matches."""

    name = "games.statistics"
    label = "statistics"
    verbose_name = "Statistics"

    def ready(self) -> None:
        """Register what becomes of who leaves, and what is theirs."""
        from accounts import deletion, own_data  # noqa: PLC0415 - they import models
        from games.statistics import leaving  # noqa: PLC0415

        deletion.register(leaving.forget)
        own_data.register("statistics", leaving.own_data)
