"""The ASGI application: pages, static files and sockets."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "yourtrumps.settings")
# Before the imports below, which need the models.
pages = get_asgi_application()

from channels.auth import AuthMiddlewareStack  # noqa: E402
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402

from games.routing import websocket_urlpatterns  # noqa: E402
from yourtrumps.middleware import SocketRequestId  # noqa: E402
from yourtrumps.origin import SameOrigin  # noqa: E402
from yourtrumps.static import with_static_files  # noqa: E402

application = ProtocolTypeRouter(
    {
        "http": with_static_files(pages),
        "websocket": SocketRequestId(SameOrigin(AuthMiddlewareStack(URLRouter(websocket_urlpatterns)))),
    }
)
