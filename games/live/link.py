"""A connection to Valkey that publishes and listens, in RESP 3, straight on the event loop.

redis-py opens it (address, password, TLS), hiredis reads it. In between nobody waits for answers
and no message has a task of its own, for a client that does spends more on a message than all else
here. Never tries again by itself: it ends, and says so.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import hiredis
from redis import asyncio as aioredis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

log = logging.getLogger(__name__)

CONNECT_SECONDS = 5.0

MOST_UNSENT = 16 * 1024 * 1024
"""Bytes that may wait for a Valkey that takes none; with more the link is given up."""

_NOT_YET = object()


class Link(asyncio.Protocol):
    """An open connection. `ended`: from when it is open no more."""

    def __init__(self, writer: asyncio.StreamWriter, heard: Callable[[list[Any]], None]) -> None:
        self._heard = heard
        self._reader = hiredis.Reader(notEnoughData=_NOT_YET)
        self._writer = writer
        self._transport = writer.transport
        self._transport.set_protocol(self)
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def send(self, *command: str | bytes) -> None:
        """Send a command; never waits. What it is answered is not looked at, but for errors."""
        self._transport.write(hiredis.pack_command(command))  # type: ignore[arg-type]
        if self._transport.get_write_buffer_size() > MOST_UNSENT:
            self.close()

    def close(self) -> None:
        """End it; what has not been sent is lost."""
        self._transport.abort()

    def data_received(self, data: bytes) -> None:
        self._reader.feed(data)
        try:
            while (answer := self._reader.gets()) is not _NOT_YET:
                if isinstance(answer, hiredis.PushNotification):
                    self._heard(answer)
                elif isinstance(answer, hiredis.ReplyError):
                    log.warning("Valkey refuses a command: %s", answer)
        except hiredis.ProtocolError as fault:
            log.warning("Valkey says what nobody understands: %s", fault)
            self.close()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.ended.done():
            self.ended.set_result(None)


async def link_to(url: str, heard: Callable[[list[Any]], None]) -> Link:
    """Connect. `heard` gets each push: `[b"message", channel, body]` and confirmations.

    Raises `redis.RedisError` where that fails.
    """
    pool = aioredis.ConnectionPool.from_url(
        url, protocol=3, socket_connect_timeout=CONNECT_SECONDS, retry=Retry(NoBackoff(), 0)
    )
    connection: Any = pool.make_connection()
    await connection.connect()
    # From here on redis-py has no part in it; it would close what it still holds.
    writer, connection._writer, connection._reader = connection._writer, None, None
    return Link(writer, heard)
