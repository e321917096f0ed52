"""The site's application, and beside its socket a bare echo behind the same sign-in."""

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from django.urls import path

from config.asgi import pages

from bench.echo import Echo  # isort: skip - once the apps are ready
from games.live import consumers  # isort: skip
from games.live.origin import SameOriginValidator  # isort: skip
from games.live.routing import websocket_urlpatterns  # isort: skip

# As for forms: a pair of the bench plays as fast as it is answered.
consumers.EARNED = 1_000_000.0

application = ProtocolTypeRouter(
    {
        "http": pages,
        "websocket": SameOriginValidator(
            AuthMiddlewareStack(
                URLRouter([path("bench/echo/", Echo.as_asgi()), *websocket_urlpatterns])
            )
        ),
    }
)
