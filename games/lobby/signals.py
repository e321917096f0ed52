"""Signals of the lobby, for the layers above it."""

from django.dispatch import Signal

challenge_over = Signal()
"""Sent with ``challenge`` after a challenge that ended without a match is committed."""
