"""The application of news."""

from django.apps import AppConfig


class NewsConfig(AppConfig):
    name = "games.news"
    label = "news"
    verbose_name = "News"
