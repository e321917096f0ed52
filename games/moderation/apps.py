"""The moderation application."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class ModerationConfig(AppConfig):
    """Reports, cases, actions of moderators."""

    name = "games.moderation"
    label = "moderation"
    verbose_name = "Moderation"

    def ready(self) -> None:
        """Register what can be reported and how answers read, now that models are loaded."""
        from accounts import own_data as personal  # noqa: PLC0415 - it imports models
        from games.moderation import (  # noqa: F401, PLC0415 - they import models
            closed,
            groups,
            guests,
            notifications,
            own_data,
            subjects,
        )

        notifications.register()
        subjects.register_own()
        personal.register("moderation", own_data.of)
        post_migrate.connect(groups.make, sender=self, dispatch_uid="moderation.groups")
