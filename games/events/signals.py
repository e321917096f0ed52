"""Signals of tournaments, for the tasks, which the services cannot import."""

from django.dispatch import Signal

first_round_due = Signal()
"""Sent with ``tournament_id`` once a tournament has begun and its first round is to be drawn."""
