"""Signals of records."""

from django.dispatch import Signal

animation_wanted = Signal()
"""The animation ``animation_id`` was requested. Sent in the transaction of the request."""
