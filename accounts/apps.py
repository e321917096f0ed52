"""The accounts application."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = "People"

    def ready(self) -> None:
        from accounts.delivery import push, trial  # noqa: PLC0415 - they import models
        from accounts.security import receivers  # noqa: PLC0415

        receivers.connect()
        push.register()
        trial.register()
