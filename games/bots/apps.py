"""The application of computer players."""

from django.apps import AppConfig


class BotConfig(AppConfig):
    name = "games.bots"
    label = "bots"
    verbose_name = "Bots"

    def ready(self) -> None:
        from games.bots import tasks  # noqa: F401, PLC0415 - imports models
