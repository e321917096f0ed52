"""How much somebody may say over a socket."""

import time


class Allowance:
    """How much somebody may still say: a bucket that fills with time."""

    def __init__(self, most: float, earned: float) -> None:
        self._most, self._earned = most, earned
        self._left, self._since = most, time.monotonic()

    def spend(self) -> bool:
        """Take one; ``False`` if nothing is left."""
        now = time.monotonic()
        self._left = min(self._most, self._left + (now - self._since) * self._earned)
        self._since = now
        self._left -= 1
        return self._left >= 0
