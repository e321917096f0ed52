"""Signals of reviews."""

from django.dispatch import Signal

review_wanted = Signal()
"""Part ``turn`` of a review is to be done. Sent in the transaction of the request."""
