"""The application of noticeboards."""

from django.apps import AppConfig


class NoticeboardsConfig(AppConfig):
    name = "games.noticeboards"
    label = "noticeboards"
    verbose_name = "Noticeboards"

    def ready(self) -> None:
        from accounts import personal_data  # noqa: PLC0415 - they import models
        from games.noticeboards import notifications  # noqa: PLC0415
        from games.noticeboards.personal_data import NoticeboardsData  # noqa: PLC0415

        notifications.register()
        personal_data.register(NoticeboardsData())
