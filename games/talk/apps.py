"""The talk application."""

from django.apps import AppConfig


class TalkConfig(AppConfig):
    """Chat of players and of spectators, private notes, greetings."""

    name = "games.talk"
    label = "talk"
    verbose_name = "Talk"

    def ready(self) -> None:
        """Register notifications, receivers of signals, and what is stored of people."""
        from accounts import deletion, own_data  # noqa: PLC0415 - they import models
        from games.talk import leaving, notifications  # noqa: PLC0415

        notifications.register()
        deletion.register(leaving.forget)
        own_data.register("talk", leaving.own_data)
