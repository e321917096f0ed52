"""The games application: all that is not the app of a single room."""

from importlib import import_module

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Titles, pages, the programming interface, sockets and the clockwork."""

    name = "games"
    verbose_name = "Games"

    def ready(self) -> None:
        """Hear of sessions that end, once models are loaded."""
        import_module("games.live.sessions").connect()
