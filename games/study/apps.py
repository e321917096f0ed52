"""The application of boards to think on."""

from django.apps import AppConfig


class StudyConfig(AppConfig):
    name = "games.study"
    label = "study"
    verbose_name = "Boards"

    def ready(self) -> None:
        from django.contrib.auth.signals import user_logged_in  # noqa: PLC0415

        from accounts import personal_data  # noqa: PLC0415 - they import models
        from games.study import progress, reporting, tasks  # noqa: F401, PLC0415
        from games.study.personal_data import StudyData  # noqa: PLC0415

        personal_data.register(StudyData())
        reporting.register()
        user_logged_in.connect(progress.take_over, dispatch_uid="study.take_over")
