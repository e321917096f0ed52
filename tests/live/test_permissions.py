"""Who may open which socket: the site answers as ``tests/permissions.txt`` says.

The people are committed here. In ``tests/test_permissions.py`` people of the same names stand in
one open transaction, for which this test would wait forever.
"""

import pytest
from asgiref.sync import sync_to_async

from config.asgi import application
from games.live.routing import websocket_urlpatterns
from tests.match_driver import fresh_cache
from tests.permissions import SOCKET, World, line, table
from tests.sockets import Communicator

__all__ = ["fresh_cache"]


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
async def test_sockets_are_open_as_the_table_says():
    world = await sync_to_async(World)()
    known, found = table(), {}
    for pattern in websocket_urlpatterns:
        route = str(pattern.pattern) or "(any)"
        for client in world.clients.values():
            path = f"/{'elsewhere' if route == '(any)' else route}?match={world.match.id}"
            found.setdefault(route, []).append(await handshake(client, path))
    wrong = [
        line(route, SOCKET, tuple(answers))
        for route, answers in found.items()
        if tuple(answers) != known.get((route, SOCKET))
    ]
    assert not wrong, "\n".join(["rows that are missing or otherwise:", *wrong])


async def handshake(client, path):
    """Whether a caller may open a socket there: ``open`` or ``refused``."""
    cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items())
    headers = [(b"origin", b"http://testserver"), (b"host", b"testserver")]
    headers += [(b"cookie", cookies.encode())] if cookies else []
    if bearer := client.defaults.get("HTTP_AUTHORIZATION"):
        headers.append((b"authorization", bearer.encode()))
    socket = Communicator(application, path, headers=headers)
    connected, _ = await socket.connect(timeout=10)
    if connected:
        await socket.disconnect()
    return "open" if connected else "refused"
