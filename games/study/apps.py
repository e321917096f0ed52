"""The application of boards to think on."""

from django.apps import AppConfig


class StudyConfig(AppConfig):
    """Boards that people have saved."""

    name = "games.study"
    label = "study"
    verbose_name = "Boards"

    def ready(self) -> None:
        """Register personal data and what can be reported, now that models are loaded."""
        from accounts import personal_data  # noqa: PLC0415 - they import models
        from games.study import reporting  # noqa: PLC0415
        from games.study.personal_data import StudyData  # noqa: PLC0415

        personal_data.register(StudyData())
        reporting.register()
