"""The web server's end: what its sockets share is written, told and closed."""

import pytest
from asgiref.testing import ApplicationCommunicator

from deploy.asgi import application
from games.eventstore.aio import StoreClosedError
from games.eventstore.chain import EMPTY, NewEvent
from games.live.runtime import close_runtime, runtime

pytestmark = pytest.mark.django_db(transaction=True)


async def test_a_server_that_ends_closes_what_its_sockets_share() -> None:
    server = ApplicationCommunicator(application, {"type": "lifespan"})
    await server.send_input({"type": "lifespan.startup"})
    assert await server.receive_output() == {"type": "lifespan.startup.complete"}
    shared = await runtime()
    stream = await shared.store.open_stream("game")
    await server.send_input({"type": "lifespan.shutdown"})
    assert await server.receive_output() == {"type": "lifespan.shutdown.complete"}
    await server.wait()
    with pytest.raises(StoreClosedError):
        await shared.store.append(stream, EMPTY, [NewEvent("rung", b"{}")], by="palba")
    assert await runtime() is not shared
    await close_runtime()


async def test_a_server_that_no_socket_came_to_ends_too() -> None:
    server = ApplicationCommunicator(application, {"type": "lifespan"})
    await server.send_input({"type": "lifespan.shutdown"})
    assert await server.receive_output() == {"type": "lifespan.shutdown.complete"}
