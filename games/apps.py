"""The games application: everything without a Django application of its own."""

from importlib import import_module

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Titles, pages, the API, sockets and scheduled jobs."""

    name = "games"
    verbose_name = "Games"

    def ready(self) -> None:
        """Connect the receiver for ended sessions and register a kind, once models are loaded."""
        import_module("games.live.sessions").connect()
        import_module("games.http.followed").register()
