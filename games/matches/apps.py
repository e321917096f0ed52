"""The match application."""

from django.apps import AppConfig


class MatchConfig(AppConfig):
    name = "games.matches"
    label = "match"
    verbose_name = "Matches"

    def ready(self) -> None:
        from accounts import personal_data  # noqa: PLC0415
        from games.matches import tasks  # noqa: F401, PLC0415
        from games.matches.notify import notification_emails  # noqa: PLC0415
        from games.matches.personal_data import MatchesData  # noqa: PLC0415

        notification_emails.register()
        personal_data.register(MatchesData())
