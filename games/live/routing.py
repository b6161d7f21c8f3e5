"""The addresses of sockets, each with its audience."""

from collections.abc import Awaitable, Callable
from typing import Any

from django.urls import path, re_path

from games.live.sockets import table_socket


async def no_such_socket(
    scope: dict[str, Any],
    receive: Callable[[], Awaitable[dict[str, Any]]],
    send: Callable[[dict[str, Any]], Awaitable[None]],
) -> None:
    """Refuse the handshake at an address that is none; Channels alone would fail with an error."""
    await receive()
    await send({"type": "websocket.close"})


websocket_urlpatterns = [
    path(
        "ws/tables/<slug:public_id>/",
        table_socket,  # type: ignore[arg-type]  # Channels routes to ASGI applications
        {"audience": "public; seat with pass"},
        name="table-socket",
    ),
    re_path(
        r"",
        no_such_socket,  # type: ignore[arg-type]  # as above
        {"audience": "nobody"},
    ),
]
