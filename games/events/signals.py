"""Signals of tournaments, for the tasks, which the services cannot import."""

from django.dispatch import Signal

tournament_due = Signal()
"""Sent with ``tournament_id``, after the commit, when a worker should go on with a tournament.

Its first round is to be drawn, or a player who is shut out is to be taken out.
"""
