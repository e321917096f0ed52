"""The site's application, without a limit on messages: a pair of the bench plays without pause."""

from config.asgi import application
from games.live import consumers

__all__ = ["application"]

consumers.REFILL_PER_SECOND = 1_000_000.0
