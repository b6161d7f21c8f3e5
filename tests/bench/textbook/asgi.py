"""The textbook server: Channels routes its one consumer."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.bench.textbook.settings")
django.setup()

from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from django.urls import path  # noqa: E402

from tests.bench.textbook.consumers import TableConsumer  # noqa: E402

application = ProtocolTypeRouter(
    {"websocket": URLRouter([path("ws/<slug:table>/<slug:audience>/", TableConsumer.as_asgi())])}
)
