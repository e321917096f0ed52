"""The accounts application."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """People: users, sign-in, preferences, notifications. Knows nothing of games."""

    name = "accounts"
    verbose_name = "People"

    def ready(self) -> None:
        """Connect signal receivers and register notification kinds once models are loaded."""
        from accounts.delivery import push, trial  # noqa: PLC0415 - they import models
        from accounts.security import receivers  # noqa: PLC0415

        receivers.connect()
        push.register()
        trial.register()
