"""Signals of matches, for applications that the services can't import."""

from django.dispatch import Signal

plans_may_run = Signal()
"""Sent with ``match_id`` and ``exist`` after the commit of every change of a match.

``exist`` says whether a player has plans. The signal is sent in both cases, since the duration of a
move must not reveal it.
"""

match_over = Signal()
"""Sent with ``match`` once its end is committed, and again when a moderator annuls it."""

vacations_changed = Signal()
"""Sent with ``user`` in the transaction in which vacations of a user begin, end or are planned."""

bots_may_act = Signal()
"""Sent with ``match_id`` once a change of a match with a bot is committed."""
