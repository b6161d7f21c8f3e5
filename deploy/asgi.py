"""The ASGI application: pages over HTTP, live tables over WebSockets."""

import os
import warnings

from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

# WhiteNoise reads files synchronously. They are small, and Django hands them to a thread.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous")

# Django must be set up before anything that has models is imported.
pages = get_asgi_application()

from games.live.routing import websocket_urlpatterns  # noqa: E402

application = ProtocolTypeRouter(
    {
        "http": pages,
        # A seat is opened by its pass, so no session is looked up for a socket.
        "websocket": AllowedHostsOriginValidator(URLRouter(websocket_urlpatterns)),
    }
)
