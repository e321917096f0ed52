"""Signals of clubs, for the layers above them."""

from django.dispatch import Signal

membership_ended = Signal()
"""Sent with ``club`` and ``user``, in its transaction, when somebody is no longer a member."""

club_closed = Signal()
"""Sent with ``club`` and ``now``, in its transaction, when a club is closed."""
