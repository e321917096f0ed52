"""The floor of a push: what one page says is said to another, through the channel layer alone."""

from typing import Any

from channels.generic.websocket import AsyncWebsocketConsumer


class Echo(AsyncWebsocketConsumer):  # type: ignore[misc]  # channels is not annotated
    """Everybody hears what anybody says."""

    GROUP = "bench.echo"

    async def connect(self) -> None:
        """Join the others."""
        await self.channel_layer.group_add(self.GROUP, self.channel_name)
        await self.accept()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Pass on what was said."""
        await self.channel_layer.group_send(self.GROUP, {"type": "said", "text": text_data})

    async def said(self, message: dict[str, Any]) -> None:
        """Say what was passed on."""
        await self.send(text_data=message["text"])

    async def disconnect(self, code: int) -> None:
        """Leave the others."""
        await self.channel_layer.group_discard(self.GROUP, self.channel_name)
