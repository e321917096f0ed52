"""The floor of a move from hand to eyes: a bare consumer that compares, swaps and notifies both.

It has no users, no game and no page: one SELECT, one statement that compares, swaps and inserts,
and a message of the length of a board to both sides, through Redis pub/sub.
"""

import json
import os
from typing import Any

import django
from channels.generic.websocket import AsyncWebsocketConsumer
from channels.routing import ProtocolTypeRouter
from psycopg_pool import AsyncConnectionPool

django.setup()

BOARD = "x" * 8_000
LAYER = "floor"
POOL = 10

SELECT = "SELECT version FROM bench_counter WHERE id = %s"
SWAP = """
WITH swapped AS (
    UPDATE bench_counter SET version = version + 1, changed = now()
    WHERE id = %s AND version = %s RETURNING id, version
)
INSERT INTO bench_entry (counter_id, number, user_id, text, at)
SELECT id, version, %s, %s, now() FROM swapped
"""

pool = AsyncConnectionPool(os.environ["DATABASE_URL"], min_size=1, max_size=POOL, open=False)


class Floor(AsyncWebsocketConsumer):  # type: ignore[misc]  # channels is not annotated
    """Receives ``{"version", "user", "text"}`` and sends both sides the version and a board."""

    channel_layer_alias = LAYER

    async def connect(self) -> None:
        """Join the counter in the address."""
        if pool.closed:
            await pool.open()
        self.counter = int(self.scope["query_string"])
        self.group = f"counter.{self.counter}"
        await self.channel_layer.group_add(self.group, self.channel_name)
        await self.accept()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Count, and notify both."""
        said = json.loads(text_data or "")
        async with pool.connection() as connection:
            cursor = await connection.execute(SELECT, [self.counter])
            row = await cursor.fetchone()
            if row is None or row[0] != said["version"]:
                return
            swapped = [self.counter, said["version"], said["user"], said["text"]]
            cursor = await connection.execute(SWAP, swapped)
            if not cursor.rowcount:
                return
        message = {"type": "counted", "version": said["version"] + 1, "board": BOARD}
        await self.channel_layer.group_send(self.group, message)

    async def counted(self, message: dict[str, Any]) -> None:
        """Forward the new count."""
        await self.send(text_data=json.dumps(message))

    async def disconnect(self, code: int) -> None:
        await self.channel_layer.group_discard(self.group, self.channel_name)


application = ProtocolTypeRouter({"websocket": Floor.as_asgi()})
