"""Celery's transport for Redis, fixed so that workers survive a lost connection."""

from typing import Any

from kombu.transport import redis


class Channel(redis.Channel):
    def _connparams(self, **how: Any) -> dict[str, Any]:
        """Return the connection's parameters.

        A task that ends after Celery has given up a lost connection is still acknowledged or
        requeued over the old channel. There the address is missing, and kombu's AttributeError
        would end the worker. Celery expects a ConnectionError. The task is delivered again after
        its ``visibility_timeout``.

        :raises ConnectionError: the connection has been given up.
        """
        if self.connection is None or self.connection.client is None:
            raise ConnectionError("The connection of this channel was given up.")
        parameters: dict[str, Any] = super()._connparams(**how)  # type: ignore[misc]  # not in its stubs
        return parameters


class Transport(redis.Transport):
    """Redis as a broker; the setting ``CELERY_BROKER_TRANSPORT`` names it."""

    Channel = Channel
