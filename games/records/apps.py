"""The application of what readers add to records."""

from django.apps import AppConfig


class RecordsConfig(AppConfig):
    """Imported records, animations, and collections of positions."""

    name = "games.records"
    label = "records"
    verbose_name = "Records"

    def ready(self) -> None:
        """Register what is stored of people, and how to report it, now that models are loaded."""
        from accounts import deletion, own_data  # noqa: PLC0415 - they import models
        from games.records import (  # noqa: PLC0415
            leaving,
            reporting,
            tasks,  # noqa: F401 - receives signals
        )

        deletion.register(leaving.leave)
        own_data.register("imported_records", leaving.own_data)
        own_data.register("collections", leaving.own_collections)
        reporting.register()
