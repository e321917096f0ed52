"""Signals of reviews and of questions to the expert."""

from django.dispatch import Signal

review_wanted = Signal()
"""Part ``turn`` of a review is to be done. Sent in the transaction of the request."""

expert_wanted = Signal()
"""A question is to be answered. Sent in the transaction of the request."""
