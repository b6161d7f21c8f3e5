"""What the sockets of one event loop share: the store, the tables, the hub."""

from __future__ import annotations

import asyncio
from typing import NamedTuple
from weakref import WeakKeyDictionary

from django.conf import settings

from games.eventstore.aio import AsyncStore, database
from games.live.delayed import DelayedFeeds
from games.live.hub import Hub
from games.live.presence import Presence
from games.live.publishing import message_of
from games.tables.folding import Folded, Step
from games.tables.playing import LivePlay


class Runtime(NamedTuple):
    store: AsyncStore
    play: LivePlay
    hub: Hub
    presence: Presence
    delayed: DelayedFeeds

    async def close(self) -> None:
        """Write what waits, then let go of the connections."""
        await self.presence.close()
        await self.delayed.close()
        await self.store.close()
        await self.hub.close()


_runtimes: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Future[Runtime]] = (
    WeakKeyDictionary()
)


async def runtime() -> Runtime:
    """The runtime of this event loop, made when first asked for."""
    loop = asyncio.get_running_loop()
    known = _runtimes.get(loop)
    if known is None or (known.done() and known.exception() is not None):
        known = _runtimes[loop] = asyncio.ensure_future(_open())
    return await asyncio.shield(known)


async def close_runtime() -> None:
    """Close the runtime of this event loop, if there is one."""
    known = _runtimes.pop(asyncio.get_running_loop(), None)
    if known is not None:
        await (await known).close()


async def _open() -> Runtime:
    store = AsyncStore(database())
    await store.open()
    hub = Hub(settings.VALKEY_URL)

    def publish(stream: int, steps: list[Step], folded: Folded | None) -> None:
        hub.publish(message_of(stream, steps, folded))

    play = LivePlay(store, publish)
    delayed = DelayedFeeds(store, play)
    presence = Presence(hub, play, delayed)
    await presence.begin()
    return Runtime(store, play, hub, presence, delayed)
