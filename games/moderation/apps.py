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
        from games.moderation import (  # noqa: F401, PLC0415 - they import models
            groups,
            guests,
            notifications,
            subjects,
        )

        notifications.register()
        subjects.register_own()
        post_migrate.connect(groups.make, sender=self, dispatch_uid="moderation.groups")
