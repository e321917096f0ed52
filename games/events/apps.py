"""The application of tournaments."""

from django.apps import AppConfig


class EventsConfig(AppConfig):
    name = "games.events"
    label = "events"
    verbose_name = "Events"

    def ready(self) -> None:
        from accounts import personal_data  # noqa: PLC0415 - it imports models
        from games.events import notifications, tasks  # noqa: F401, PLC0415 - imports models
        from games.events.personal_data import EventsData  # noqa: PLC0415

        notifications.register()
        personal_data.register(EventsData())
