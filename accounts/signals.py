"""Signals that accounts send to other applications."""

from django.dispatch import Signal

account_closed = Signal()
"""``by`` has closed the account of ``user`` for a ``reason``.

Sent within the transaction, with ``now``. A receiver raises :class:`accounts.closing.CannotClose`
if ``by`` may not decide this.
"""

account_opened = Signal()
"""A closed account was reopened; sent like :data:`account_closed`."""

notifications_changed = Signal()
"""The users with the ids ``recipients`` got notifications or saw some. Sent after the commit."""

player_blocked = Signal()
"""``user`` has blocked ``other``. Sent within the transaction, with ``now``."""
