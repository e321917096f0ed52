"""The lobby application."""

from django.apps import AppConfig


class LobbyConfig(AppConfig):
    """Challenges, and the matches that come of them."""

    name = "games.lobby"
    label = "lobby"
    verbose_name = "Lobby"
