"""What happens to reviews that tasks hear of."""

from django.dispatch import Signal

review_wanted = Signal()
"""A review is to be worked out; ``review_id`` and ``turn`` say which part. Sent in the transaction
that asks for it."""
