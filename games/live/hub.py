"""The hub of a process: one Valkey subscription an audience watched here, one outbox a socket.

A slow reader fills its own outbox and is dropped; it never holds up a table. Publishes of a
process are gathered into one pipeline. A frame is a hint: whoever misses one asks the store.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress

from redis import RedisError
from redis import asyncio as aioredis

from games.live.publishing import channel

log = logging.getLogger(__name__)

LARGEST_OUTBOX = 256
"""Frames that may wait for one socket; more and it is dropped, to come back and resume."""


RESYNC = b'{"t":"resync"}'
"""Tells a browser to ask for what it may have missed."""

CONFIRMED_WITHIN = 5.0
"""Seconds to wait for Valkey to confirm a subscription; a browser without one still catches up."""


class Outbox:
    """What is on its way to one socket. `close` is called once if the reader is too slow."""

    def __init__(
        self, send: Callable[[bytes], Awaitable[None]], too_slow: Callable[[], None]
    ) -> None:
        self._send = send
        self._too_slow = too_slow
        self._waiting: deque[bytes] = deque()
        self._wake = asyncio.Event()
        self.dropped = False

    def put(self, frame: bytes) -> None:
        """Queue a frame; never waits."""
        if self.dropped:
            return
        if len(self._waiting) >= LARGEST_OUTBOX:
            self.dropped = True
            self._waiting.clear()
            self._too_slow()
            return
        self._waiting.append(frame)
        self._wake.set()

    async def run(self) -> None:
        """Send what is queued, for as long as the socket lives."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._waiting:
                await self._send(self._waiting.popleft())


class Room:
    """The sockets of one channel here. `ready`: Valkey has confirmed the subscription."""

    def __init__(self) -> None:
        self.outboxes: set[Outbox] = set()
        self.ready = asyncio.Event()

    def subscribed(self) -> None:
        """Confirmed. Again after a broken link: what was sent meanwhile is lost, so say so."""
        if self.ready.is_set():
            self.put(RESYNC)
        self.ready.set()

    def put(self, frame: bytes) -> None:
        for outbox in self.outboxes:
            outbox.put(frame)


class Hub:
    """Rooms by channel. One instance an event loop."""

    def __init__(self, url: str) -> None:
        self._redis = aioredis.Redis.from_url(url, socket_connect_timeout=5)
        self._pubsub = self._redis.pubsub()
        self._rooms: dict[str, Room] = {}
        self._changing = asyncio.Lock()
        self._outgoing: list[tuple[str, bytes]] = []
        self._wake = asyncio.Event()
        self._watching = asyncio.Event()
        self._tasks = [asyncio.create_task(self._flush()), asyncio.create_task(self._listen())]

    async def join(self, stream: int, audience: str, outbox: Outbox) -> None:
        """From when this returns the outbox gets every frame of the audience."""
        name = channel(stream, audience)
        async with self._changing:
            room = self._rooms.get(name)
            if room is None:
                room = self._rooms[name] = Room()
                with suppress(RedisError):
                    await self._pubsub.subscribe(name)
                self._watching.set()
            room.outboxes.add(outbox)
        with suppress(TimeoutError):
            await asyncio.wait_for(room.ready.wait(), CONFIRMED_WITHIN)

    async def leave(self, stream: int, audience: str, outbox: Outbox) -> None:
        name = channel(stream, audience)
        async with self._changing:
            room = self._rooms.get(name)
            if room is None:
                return
            room.outboxes.discard(outbox)
            if not room.outboxes:
                del self._rooms[name]
                with suppress(RedisError):
                    await self._pubsub.unsubscribe(name)

    def publish(self, stream: int, frames: dict[str, bytes]) -> None:
        """Send a command's frames to all processes; what gathers goes in one round trip."""
        self._outgoing += [(channel(stream, audience), frame) for audience, frame in frames.items()]
        self._wake.set()

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._pubsub.aclose()
        await self._redis.aclose()

    async def _flush(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            outgoing, self._outgoing = self._outgoing, []
            try:
                async with self._redis.pipeline(transaction=False) as pipeline:
                    for name, frame in outgoing:
                        pipeline.publish(name, frame)
                    await pipeline.execute()
            except RedisError as fault:
                log.warning("%d frames were not sent: %s", len(outgoing), fault)

    async def _listen(self) -> None:
        while True:
            await self._watching.wait()
            try:
                async for message in self._pubsub.listen():
                    room = self._rooms.get(message["channel"].decode())
                    if room is None:
                        continue
                    if message["type"] == "subscribe":
                        room.subscribed()
                    elif message["type"] == "message":
                        room.put(message["data"])
            except RedisError as fault:
                log.warning("the link to Valkey is down: %s", fault)
                await asyncio.sleep(0.5)
            self._watching.clear()
            if self._rooms:
                self._watching.set()
