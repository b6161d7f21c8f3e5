"""The hub of a process: one Valkey subscription a table watched here, one outbox a socket.

Frames go out as they come, in ready-made bytes. A slow reader is dropped when too much waits for
it; it never holds up a table. A frame is a hint: whoever misses one asks the store, and where some
may have been lost the hub tells everyone to ask.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from enum import Enum
from typing import Any

from redis import RedisError

from games.live.link import Link, link_to
from games.live.publishing import MOST_SEATS, RESYNC_ALL, Message, channel, letters_in, span_of
from games.rules.views import audiences

log = logging.getLogger(__name__)

MOST_WAITING = 256 * 1024
"""Bytes that may wait for one socket; more and it is dropped, to come back and resume."""

EXTENSION = "pozzetto.write_ready"
"""The ASGI extension by which a server takes frames ready to be sent (`deploy.websockets`)."""

CONFIRMED_WITHIN = 5.0
"""Seconds to wait for Valkey to confirm a subscription; a browser without one still catches up."""

PAUSE_BEFORE_LINK = 0.5
"""Seconds before the next try when the link to Valkey has broken."""

# The first byte of a whole text message.
_TEXT = 0x81


class Dropped(Enum):
    """Why a socket gets no more frames."""

    TOO_SLOW = "too-slow"
    SEAT_LOST = "seat-lost"


def framed(text: bytes) -> bytes:
    """A frame in a WebSocket's bytes, made once for all who get it."""
    length = len(text)
    if length < 126:
        return bytes((_TEXT, length)) + text
    if length < 1 << 16:
        return bytes((_TEXT, 126)) + length.to_bytes(2) + text
    return bytes((_TEXT, 127)) + length.to_bytes(8) + text


class Outbox:
    """The way out to one socket. `on_drop` is called once, when it gets no more.

    Held at first, and while someone looks in the store for what the socket lacks: what happens
    meanwhile comes after that. `write` sends a frame's bytes without waiting and answers how many
    wait for the reader. `holder`: who holds the seat whose frames these are, empty for audiences
    that are no seat.
    """

    __slots__ = ("_kept", "_on_drop", "_write", "holder", "send")

    def __init__(self, write: Callable[[bytes], int], on_drop: Callable[[Dropped], None]) -> None:
        self._write = write
        self._on_drop = on_drop
        self._kept: list[bytes] = []
        self.holder = b""
        self.send: Callable[[bytes], int] = self._keep
        """What becomes of a frame just now; answers how many bytes wait."""

    def put(self, frame: bytes) -> None:
        """Send a frame, as `framed` makes it; never waits."""
        if self.send(frame) > MOST_WAITING:
            self.drop(Dropped.TOO_SLOW)

    def hold(self) -> None:
        """Send nothing until `release`."""
        if self.send == self._write:
            self.send = self._keep

    def release(self, first: bytes | None) -> None:
        """Go on, with `first` (not framed yet) before all that waits."""
        if self.send == _forget:
            return
        self.send = self._write
        kept, self._kept = self._kept, []
        if first is not None:
            self.put(framed(first))
        for frame in kept:
            self.put(frame)

    def drop(self, why: Dropped) -> None:
        """Send nothing any more."""
        if self.send != _forget:
            self.send = _forget
            self._kept.clear()
            self._on_drop(why)

    def _keep(self, frame: bytes) -> int:
        self._kept.append(frame)
        return sum(map(len, self._kept))


def _forget(frame: bytes) -> int:
    return 0


class Table:
    """The sockets of one table here, room by room. `ready`: Valkey confirms the subscription.

    It knows the last event that it has told of, so that what happens here need not come back from
    Valkey first. What others did before must have come, or frames would overtake each other.
    """

    def __init__(self) -> None:
        self._rooms: dict[bytes, set[Outbox]] = {}
        self._told = 0
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

    def take_own(self, message: Message) -> None:
        """Hand out at once what this process publishes, if it follows on what was told."""
        if self._told and message.first == self._told + 1:
            self._hand_out(message.body, message.last)

    def take(self, body: bytes) -> None:
        """Hand out a message that comes from Valkey, unless that was done before."""
        _, last = span_of(body)
        if not last or last > self._told:
            self._hand_out(body, last)

    def _hand_out(self, body: bytes, last: int) -> None:
        self._told = max(self._told, last)
        for room, holder, text in letters_in(body):
            outboxes = self._rooms.get(room)
            if not outboxes:
                continue
            frame = framed(text)
            for outbox in outboxes:
                if holder and holder != outbox.holder:
                    outbox.drop(Dropped.SEAT_LOST)
                elif outbox.send(frame) > MOST_WAITING:
                    outbox.drop(Dropped.TOO_SLOW)

    def tell(self, room: str, frame: bytes) -> None:
        """Hand a frame to every socket of a room."""
        for outbox in self._rooms.get(room.encode(), ()):
            outbox.put(frame)


class Hub:
    """Tables by channel. One instance an event loop."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._link: Link | None = None
        self._tables: dict[str, Table] = {}
        self._untold: set[str] = set()
        self._linking = asyncio.create_task(self._stay_linked())

    async def join(self, stream: int, room: str, outbox: Outbox) -> None:
        """From when this returns the outbox gets every frame of the room."""
        name = channel(stream)
        table = self._tables.get(name)
        if table is None:
            table = self._tables[name] = Table()
            # While there is no link nothing need be done: a new one starts with every table.
            if self._link is not None:
                self._link.send("SUBSCRIBE", name)
        table.join(room, outbox)
        with suppress(TimeoutError):
            await asyncio.wait_for(table.ready.wait(), CONFIRMED_WITHIN)

    def leave(self, stream: int, room: str, outbox: Outbox) -> None:
        name = channel(stream)
        table = self._tables.get(name)
        if table is None:
            return
        table.leave(room, outbox)
        if table.is_empty():
            del self._tables[name]
            if self._link is not None:
                self._link.send("UNSUBSCRIBE", name)

    def publish(self, message: Message) -> None:
        """Hand a message out here, and send it to all processes."""
        table = self._tables.get(message.channel)
        if table is not None:
            table.take_own(message)
        if self._link is not None:
            self._link.send("PUBLISH", message.channel, message.body)
        else:
            self._untold.add(message.channel)

    def tell_here(self, stream: int, frame: bytes) -> None:
        """Hand a frame to every socket of a table in this process, whatever its audience."""
        table = self._tables.get(channel(stream))
        if table is not None:
            made = framed(frame)
            for audience in audiences(MOST_SEATS):
                table.tell(audience, made)

    async def close(self) -> None:
        self._linking.cancel()
        await asyncio.gather(self._linking, return_exceptions=True)

    async def _stay_linked(self) -> None:
        while True:
            try:
                link = await link_to(self._url, self._take)
            except (RedisError, OSError) as fault:
                log.warning("the link to Valkey is down: %s", fault)
            else:
                try:
                    self._begin(link)
                    await link.ended
                finally:
                    self._link = None
                    link.close()
                log.warning("the link to Valkey has broken")
            await asyncio.sleep(PAUSE_BEFORE_LINK)

    def _begin(self, link: Link) -> None:
        """Take up every table, and have all browsers ask: what was on its way may be lost."""
        if self._tables:
            link.send("SUBSCRIBE", *self._tables)
        for name in self._untold.union(self._tables):
            link.send("PUBLISH", name, RESYNC_ALL)
        self._untold.clear()
        self._link = link

    def _take(self, push: list[Any]) -> None:
        kind, name = push[0], push[1]
        table = self._tables.get(name.decode())
        if table is None:
            return
        if kind == b"subscribe":
            table.ready.set()
        elif kind == b"message":
            table.take(push[2])
