"""The application of the explorer."""

from django.apps import AppConfig


class ExplorerConfig(AppConfig):
    name = "games.explorer"
    label = "explorer"
    verbose_name = "Explorer"

    def ready(self) -> None:
        from games.explorer import tasks  # noqa: F401, PLC0415 - it imports models
