"""Signals of the lobby, for what is above it."""

from django.dispatch import Signal

challenge_over = Signal()
"""Sent with ``challenge`` once it is committed that it ended without a match."""
