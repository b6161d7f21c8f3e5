"""A connection without its cursors: what it leaves behind when it is lost."""

import asyncio
import socket

import psycopg
from psycopg import AsyncConnection

from games.eventstore.aio import database
from games.eventstore.wire import Wire
from tests.games.eventstore.helpers import COMMITTED

pytestmark = COMMITTED


async def test_who_has_the_number_of_a_lost_socket_now_goes_on_being_heard() -> None:
    """The system gives a closed socket's number to the next one, be it a browser's."""
    loop = asyncio.get_running_loop()
    connection = await AsyncConnection.connect(database(), autocommit=True)
    number, wire = connection.fileno(), Wire(connection)
    with psycopg.connect(database(), autocommit=True) as administrator:
        administrator.execute("SELECT pg_terminate_backend(%s)", [connection.info.backend_pid])
    while not connection.broken:
        await asyncio.sleep(0.01)
    others = [socket.socketpair() for _ in range(8)]
    [(near, far)] = [pair for pair in others if pair[0].fileno() == number] or [
        pair[::-1] for pair in others if pair[1].fileno() == number
    ]
    heard = asyncio.Event()
    loop.add_reader(near, heard.set)
    wire.leave()
    far.send(b"!")
    await asyncio.wait_for(heard.wait(), 5)
    loop.remove_reader(near)
    for pair in others:
        for each in pair:
            each.close()
    await connection.close()
