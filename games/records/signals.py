"""What happens to records that others hear of."""

from django.dispatch import Signal

animation_wanted = Signal()
"""An animation is to be made; ``animation_id`` is its id. Sent in the transaction that asks."""
