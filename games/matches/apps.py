"""The match application."""

from django.apps import AppConfig


class MatchConfig(AppConfig):
    """A match from first to last move."""

    name = "games.matches"
    label = "match"
    verbose_name = "Matches"

    def ready(self) -> None:
        """Register notifications and the receivers of signals, now that models are loaded."""
        from accounts import deletion, own_data  # noqa: PLC0415
        from games.matches import leaving, tasks  # noqa: F401, PLC0415
        from games.matches.notify import (  # noqa: PLC0415
            notification_emails,
            vacation_emails,
            watching_emails,
        )

        notification_emails.register()
        vacation_emails.register()
        watching_emails.register()
        deletion.register(leaving.leave_all)
        own_data.register("matches", leaving.own_data)
        own_data.register("vacations", leaving.own_vacations)
        own_data.register("watched_matches", leaving.own_watches)
        own_data.register("usual_time_to_answer", leaving.own_pace)
