"""A bare broadcast by `websockets`: whatever one client sends, all get the same ready text.

`python -m tests.bench.bare PORT BYTES`. No game, no rules, nobody is told anything else.
"""

import asyncio
import sys

import uvloop
from websockets.asyncio.server import ServerConnection, broadcast, serve


async def run(port: int, size: int) -> None:
    text = '{"t":"events"' + "a" * (size - 14) + "}"
    everyone: set[ServerConnection] = set()

    async def handle(connection: ServerConnection) -> None:
        everyone.add(connection)
        await connection.send('{"t":"snapshot"}')
        try:
            async for _ in connection:
                broadcast(everyone, text)
        finally:
            everyone.discard(connection)

    async with serve(handle, "127.0.0.1", port, compression=None, backlog=4096):
        await asyncio.get_running_loop().create_future()


uvloop.run(run(int(sys.argv[1]), int(sys.argv[2])))
