"""A process that appends without end: `python appending_process.py CONNINFO`.

Prints `STREAM SEQ` for each command once it is answered. Started, and killed, by a test.
"""

import asyncio
import sys

from games.eventstore.aio import AsyncStore
from games.eventstore.chain import EMPTY, NewEvent

EVENTS = [NewEvent("pile_taken", b"{}"), NewEvent("melded", b"{}"), NewEvent("discarded", b"{}")]


async def append_for_ever(store: AsyncStore) -> None:
    stream, head = await store.open_stream("game"), EMPTY
    while True:
        outcome = await store.append(stream, head, EVENTS, by="p-carla")
        head = outcome.head
        sys.stdout.write(f"{stream} {head.seq}\n")
        sys.stdout.flush()


async def main(conninfo: str) -> None:
    async with AsyncStore(conninfo) as store:
        await asyncio.gather(*(append_for_ever(store) for _ in range(8)))


asyncio.run(main(sys.argv[1]))
