"""The talk application."""

from django.apps import AppConfig


class TalkConfig(AppConfig):
    name = "games.talk"
    label = "talk"
    verbose_name = "Talk"

    def ready(self) -> None:
        from accounts import personal_data  # noqa: PLC0415 - they import models
        from games.talk import notifications  # noqa: PLC0415
        from games.talk.personal_data import TalkData  # noqa: PLC0415

        notifications.register()
        personal_data.register(TalkData())
