"""Signals of matches, for what is above the services and cannot be imported by them."""

from django.dispatch import Signal

plans_may_run = Signal()
"""Sent with every change of a match, once it is committed, with ``match_id`` and ``exist``.

``exist`` says whether a player has plans. It is sent whether or not: how long a move takes must
not tell.
"""

match_over = Signal()
"""Sent with ``match`` once its end is committed, and again when a moderator annuls it."""

vacations_changed = Signal()
"""Sent with ``user`` in the transaction in which vacations of a user begin, end or are planned."""

bots_may_act = Signal()
"""Sent with ``match_id`` once a change of a match in which a bot plays is committed."""
