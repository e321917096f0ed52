"""The accounts application."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """People: users, sign-in, preferences, notifications. Knows nothing of games."""

    name = "accounts"
    verbose_name = "People"
