"""Signals of tournaments for the tasks, which the services can't import."""

from django.dispatch import Signal

tournament_due = Signal()
"""Sent with ``tournament_id``, after the commit, when a worker should advance a tournament.

Its first round is due, or a restricted player has to be removed.
"""

tournament_over = Signal()
"""Sent with ``tournament`` and ``now``, in its transaction, when a tournament has finished."""

organiser_acted = Signal()
"""Sent with ``act``, in its transaction, when an organiser or a moderator in their place acts."""
