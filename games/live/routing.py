"""The addresses of sockets, each with its audience."""

from django.urls import path

from games.live.sockets import table_socket

websocket_urlpatterns = [
    path(
        "ws/tables/<slug:public_id>/",
        table_socket,  # type: ignore[arg-type]  # Channels routes to ASGI applications
        {"audience": "public; seat with pass"},
        name="table-socket",
    ),
]
