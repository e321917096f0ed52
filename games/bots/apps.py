"""The application of computer players."""

from django.apps import AppConfig


class BotConfig(AppConfig):
    """Bots: they are users, and play by the services that everybody uses."""

    name = "games.bots"
    label = "bots"
    verbose_name = "Bots"

    def ready(self) -> None:
        """Register the receivers of signals, now that models are loaded."""
        from games.bots import tasks  # noqa: F401, PLC0415 - imports models
