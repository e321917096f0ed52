"""The application of records that readers bring along."""

from django.apps import AppConfig


class RecordsConfig(AppConfig):
    """Imported records."""

    name = "games.records"
    label = "records"
    verbose_name = "Records"

    def ready(self) -> None:
        """Register what is stored of people, and how to report it, now that models are loaded."""
        from accounts import deletion, own_data  # noqa: PLC0415 - they import models
        from games.records import leaving, reporting  # noqa: PLC0415

        deletion.register(leaving.leave)
        own_data.register("imported_records", leaving.own_data)
        reporting.register()
