"""The site as an ASGI application: pages over HTTP, pushes over WebSocket."""

import os

import django
from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter

from config.handler import Handler

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.production")

# This comes first: it loads the apps whose models the consumers import.
django.setup(set_prefix=False)
pages = Handler()

from config.middleware import SocketIds  # noqa: E402
from games.live.heartbeat import start_when_served  # noqa: E402
from games.live.origin import SameOriginValidator  # noqa: E402
from games.live.routing import websocket_urlpatterns  # noqa: E402
from games.screen import part_templates  # noqa: E402

application = ProtocolTypeRouter(
    {
        "http": pages,
        "websocket": SocketIds(
            SameOriginValidator(AuthMiddlewareStack(URLRouter(websocket_urlpatterns)))
        ),
    }
)

part_templates.load()
start_when_served(application)
