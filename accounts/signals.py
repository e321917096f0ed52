"""What accounts tell other applications, which they know nothing of."""

from django.dispatch import Signal

account_closed = Signal()
"""Nobody signs in to the account of a ``user`` any more, as ``by`` decided for a ``reason``.

Sent within the transaction, with ``now``. A receiver raises :class:`accounts.closing.Refused` where
it is not for ``by`` to decide.
"""

account_opened = Signal()
"""The owner can sign in to a closed account again; sent as :data:`account_closed` is."""
