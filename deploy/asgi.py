"""The ASGI application: pages over HTTP, live tables over WebSockets, and an orderly end."""

import gc
import os
import warnings
from collections.abc import Awaitable, Callable
from typing import Any

from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

# WhiteNoise reads files synchronously. They are small, and Django hands them to a thread.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous")

# Django must be set up before anything that has models is imported.
pages = get_asgi_application()

from games.live.routing import websocket_urlpatterns  # noqa: E402
from games.live.runtime import close_runtime  # noqa: E402


async def lifespan(
    _scope: dict[str, Any],
    receive: Callable[[], Awaitable[dict[str, Any]]],
    send: Callable[[dict[str, Any]], Awaitable[None]],
) -> None:
    """At the end, what waits is written and connections are closed."""
    # What is here now stays to the end, so the garbage collector need not look at it again.
    gc.freeze()
    while (message := await receive())["type"] != "lifespan.shutdown":
        await send({"type": f"{message['type']}.complete"})
    await close_runtime()
    await send({"type": "lifespan.shutdown.complete"})


application = ProtocolTypeRouter(
    {
        "lifespan": lifespan,
        "http": pages,
        # A seat is opened by its pass, so no session is looked up for a socket.
        "websocket": AllowedHostsOriginValidator(URLRouter(websocket_urlpatterns)),
    }
)
