"""The hub of a process: one Valkey subscription a table watched here, one outbox a socket.

A slow reader fills its own outbox and is dropped; it never holds up a table. Publishes of a
process are gathered into one command. A frame is a hint: whoever misses one asks the store.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from enum import Enum
from typing import Any

from redis import RedisError
from redis import asyncio as aioredis
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from games.live.publishing import MOST_SEATS, RESYNC, Message, channel, letters_in
from games.rules.views import audiences

log = logging.getLogger(__name__)

LARGEST_OUTBOX = 256
"""Frames that may wait for one socket; more and it is dropped, to come back and resume."""

CONFIRMED_WITHIN = 5.0
"""Seconds to wait for Valkey to confirm a subscription; a browser without one still catches up."""

PAUSE_BEFORE_LINK = 0.5
"""Seconds before the next try when the link to Valkey has broken."""

_ALWAYS = "pozzetto:hub"
"""A channel that every hub listens to, so that its link is there before the first table."""

# One command for all that has gathered, so that one answer comes back: a client spends more on
# reading an answer than Valkey does on passing a message on.
_PUBLISH = "for i = 1, #ARGV, 2 do redis.call('PUBLISH', ARGV[i], ARGV[i + 1]) end"


class Dropped(Enum):
    """Why a socket gets no more frames."""

    TOO_SLOW = "too-slow"
    SEAT_LOST = "seat-lost"


class Outbox:
    """What is on its way to one socket. `on_drop` is called once, when it gets no more.

    Held at first, and while someone looks in the store for what the socket lacks: what happens
    meanwhile comes after that. `holder`: who holds the seat whose frames these are, empty for
    audiences that are no seat.
    """

    def __init__(
        self,
        send: Callable[[bytes], Awaitable[None]],
        on_drop: Callable[[Dropped], None],
        holder: str = "",
    ) -> None:
        self._send = send
        self._on_drop = on_drop
        self._holder = holder.encode()
        self._waiting: deque[bytes] = deque()
        self._wake = asyncio.Event()
        self._held = True
        self._dropped = False

    def deliver(self, holder: bytes, frame: bytes) -> None:
        """Queue a frame that is for `holder`, for everyone if empty; never waits."""
        if holder and holder != self._holder:
            self._drop(Dropped.SEAT_LOST)
        else:
            self.put(frame)

    def put(self, frame: bytes) -> None:
        """Queue a frame; never waits."""
        if self._dropped:
            return
        if len(self._waiting) >= LARGEST_OUTBOX:
            self._drop(Dropped.TOO_SLOW)
            return
        self._waiting.append(frame)
        self._wake.set()

    def hold(self) -> None:
        """Send nothing until `release`."""
        self._held = True

    def release(self, first: bytes | None) -> None:
        """Go on, with `first` before all that waits."""
        self._held = False
        if first is not None and not self._dropped:
            self._waiting.appendleft(first)
        self._wake.set()

    async def run(self) -> None:
        """Send what is queued, for as long as the socket lives."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._waiting and not self._held:
                await self._send(self._waiting.popleft())

    def _drop(self, why: Dropped) -> None:
        if not self._dropped:
            self._dropped = True
            self._waiting.clear()
            self._on_drop(why)


class Table:
    """The sockets of one table here, room by room. `ready`: Valkey confirms the subscription."""

    def __init__(self) -> None:
        self._rooms: dict[bytes, set[Outbox]] = {}
        self.ready = asyncio.Event()

    def join(self, room: str, outbox: Outbox) -> None:
        self._rooms.setdefault(room.encode(), set()).add(outbox)

    def leave(self, room: str, outbox: Outbox) -> None:
        here = self._rooms.get(room.encode(), set())
        here.discard(outbox)
        if not here:
            self._rooms.pop(room.encode(), None)

    def is_empty(self) -> bool:
        return not self._rooms

    def subscribed(self) -> None:
        """Confirmed. Again after a broken link: what was sent meanwhile is lost, so say so."""
        if self.ready.is_set():
            for outbox in set().union(*self._rooms.values()):
                outbox.put(RESYNC)
        self.ready.set()

    def take(self, body: bytes) -> None:
        """Hand out the letters of a message (`publishing`)."""
        for room, holder, frame in letters_in(body):
            for outbox in self._rooms.get(room, ()):
                outbox.deliver(holder, frame)

    def tell(self, room: str, frame: bytes) -> None:
        """Hand a frame to every socket of a room."""
        for outbox in self._rooms.get(room.encode(), ()):
            outbox.put(frame)


class Hub:
    """Tables by channel. One instance an event loop."""

    def __init__(self, url: str) -> None:
        # One more try at once, for a connection that died while idle. Beyond that the hub links
        # again by itself, with all its tables: redis-py knows only those it has subscribed to.
        self._redis = aioredis.Redis.from_url(
            url, socket_connect_timeout=5, retry=Retry(NoBackoff(), 1)
        )
        self._pubsub: PubSub | None = None
        self._tables: dict[str, Table] = {}
        self._changing = asyncio.Lock()
        self._outgoing: list[str | bytes] = []
        self._wake = asyncio.Event()
        self._flushing = asyncio.create_task(self._flush())
        self._listening = asyncio.create_task(self._listen())

    async def join(self, stream: int, room: str, outbox: Outbox) -> None:
        """From when this returns the outbox gets every frame of the room."""
        name = channel(stream)
        async with self._changing:
            table = self._tables.get(name)
            if table is None:
                table = self._tables[name] = Table()
                await self._subscribe(name)
            table.join(room, outbox)
        with suppress(TimeoutError):
            await asyncio.wait_for(table.ready.wait(), CONFIRMED_WITHIN)

    async def leave(self, stream: int, room: str, outbox: Outbox) -> None:
        name = channel(stream)
        async with self._changing:
            table = self._tables.get(name)
            if table is None:
                return
            table.leave(room, outbox)
            if table.is_empty():
                del self._tables[name]
                if self._pubsub is not None:
                    with suppress(RedisError):
                        await self._pubsub.unsubscribe(name)

    def publish(self, message: Message) -> None:
        """Send a message to all processes; what gathers goes in one round trip."""
        self._outgoing += message
        self._wake.set()

    def tell_here(self, stream: int, frame: bytes) -> None:
        """Hand a frame to every socket of a table in this process, whatever its audience."""
        table = self._tables.get(channel(stream))
        if table is not None:
            for audience in audiences(MOST_SEATS):
                table.tell(audience, frame)

    async def close(self) -> None:
        tasks = (self._flushing, self._listening)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._redis.aclose()

    async def _subscribe(self, name: str) -> None:
        # While there is no link nothing need be done: a new one starts with every table.
        if self._pubsub is None:
            return
        try:
            await self._pubsub.subscribe(name)
        except RedisError:
            self._listening.cancel()
            self._listening = asyncio.create_task(self._listen())

    async def _flush(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            outgoing, self._outgoing = self._outgoing, []
            try:
                await self._redis.eval(_PUBLISH, 0, *outgoing)
            except RedisError as fault:
                log.warning("%d messages were not sent: %s", len(outgoing) // 2, fault)

    async def _listen(self) -> None:
        while True:
            pubsub = self._redis.pubsub()
            try:
                await pubsub.connect()
                self._pubsub = pubsub
                await pubsub.subscribe(_ALWAYS, *self._tables)
                async for message in pubsub.listen():
                    self._take(message)
            except RedisError as fault:
                log.warning("the link to Valkey is down: %s", fault)
            finally:
                if self._pubsub is pubsub:
                    self._pubsub = None
                await pubsub.aclose()
            await asyncio.sleep(PAUSE_BEFORE_LINK)

    def _take(self, message: dict[str, Any]) -> None:
        table = self._tables.get(message["channel"].decode())
        if table is None:
            return
        if message["type"] == "subscribe":
            table.subscribed()
        elif message["type"] == "message":
            table.take(message["data"])
