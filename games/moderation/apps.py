"""The moderation application."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class ModerationConfig(AppConfig):
    name = "games.moderation"
    label = "moderation"
    verbose_name = "Moderation"

    def ready(self) -> None:
        from accounts import personal_data  # noqa: PLC0415 - it imports models
        from games.moderation import (  # noqa: F401, PLC0415 - they import models
            closed,
            groups,
            notifications,
            subjects,
            tournaments,
        )
        from games.moderation.personal_data import ModerationData  # noqa: PLC0415

        notifications.register()
        subjects.register_own()
        personal_data.register(ModerationData())
        post_migrate.connect(groups.make, sender=self, dispatch_uid="moderation.groups")
