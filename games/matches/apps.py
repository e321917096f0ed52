"""The match application."""

from django.apps import AppConfig


class MatchConfig(AppConfig):
    """A match from first to last move."""

    name = "games.matches"
    label = "match"
    verbose_name = "Matches"
