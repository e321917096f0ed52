"""The end of a socket that a page has, by Channels' own communicator."""

import asyncio
from functools import partialmethod

from channels.testing import WebsocketCommunicator

PATIENCE = 30
"""Seconds for what is sure to come. Channels waits for one, which a busy machine may take."""


class Communicator(WebsocketCommunicator):
    """A socket with a default timeout."""

    connect = partialmethod(WebsocketCommunicator.connect, timeout=PATIENCE)
    disconnect = partialmethod(WebsocketCommunicator.disconnect, timeout=PATIENCE)
    receive_json_from = partialmethod(WebsocketCommunicator.receive_json_from, timeout=PATIENCE)

    async def closed(self):
        """The code with which the site hangs up; heartbeats don't prolong the wait."""
        async with asyncio.timeout(PATIENCE):
            while True:
                message = await self.receive_output(timeout=PATIENCE)
                if message["type"] == "websocket.close":
                    return message["code"]
