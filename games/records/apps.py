"""The application of what readers add to records."""

from django.apps import AppConfig


class RecordsConfig(AppConfig):
    name = "games.records"
    label = "records"
    verbose_name = "Records"

    def ready(self) -> None:
        from accounts import personal_data  # noqa: PLC0415 - they import models
        from games.records import (  # noqa: PLC0415
            reporting,
            tasks,  # noqa: F401 - receives signals
        )
        from games.records.personal_data import RecordsData  # noqa: PLC0415

        personal_data.register(RecordsData())
        reporting.register()
