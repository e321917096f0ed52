"""Addresses of sockets."""

from channels.exceptions import DenyConnection
from channels.generic.websocket import AsyncWebsocketConsumer
from django.urls import path, re_path

from games.live.consumers import PageConsumer


class Nowhere(AsyncWebsocketConsumer):  # type: ignore[misc]  # channels has no types
    """The consumer for unknown addresses."""

    async def connect(self) -> None:
        raise DenyConnection


websocket_urlpatterns = [path("ws/", PageConsumer.as_asgi()), re_path("", Nowhere.as_asgi())]
