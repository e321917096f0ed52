"""The games application: all that is not the app of a single room."""

from importlib import import_module

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Titles, pages, the programming interface, sockets and the clockwork."""

    name = "games"
    verbose_name = "Games"

    def ready(self) -> None:
        """Make known how notices about games read, and hear of sessions, once models are there."""
        import_module("games.web.notification_emails").register()
        import_module("games.live.sessions").connect()
