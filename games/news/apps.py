"""The application of news."""

from django.apps import AppConfig


class NewsConfig(AppConfig):
    """News by the operators of the site."""

    name = "games.news"
    label = "news"
    verbose_name = "News"
