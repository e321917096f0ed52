"""The way to Redis that Celery takes: kombu's, for a worker that outlives a lost connection."""

from typing import Any

from kombu.transport import redis


class Channel(redis.Channel):
    """A channel over Redis."""

    def _connparams(self, **how: Any) -> dict[str, Any]:
        """Return where to connect to.

        A task that ends after Celery has given up a lost connection is still said to be done, or
        put back, over the channel of then. Without an address an AttributeError ended the worker;
        a lost connection is what it expects. The task is delivered again, once its
        ``visibility_timeout`` is over.

        :raises ConnectionError: the connection has been given up.
        """
        if self.connection is None or self.connection.client is None:
            raise ConnectionError("The connection of this channel was given up.")
        found: dict[str, Any] = super()._connparams(**how)  # type: ignore[misc]  # not in its stubs
        return found


class Transport(redis.Transport):
    """Redis as a broker, as the setting ``broker_transport`` names it."""

    Channel = Channel
