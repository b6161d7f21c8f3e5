"""Feeds for those who do not sit at a table with a delay: the store's events once they are due.

One task for each such table watched in this process. It reads the store, not the hub, so that no
path is ahead of the delay.
"""

from __future__ import annotations

import asyncio
import logging

import psycopg

from games.eventstore.aio import AsyncStore
from games.eventstore.chain import StoredEvent, instant_now
from games.live.frames import clock_fields, event_frames
from games.live.hub import Outbox, framed
from games.rules.views import PUBLIC
from games.tables.folding import Folded, Step, advanced, steps
from games.tables.loading import public_fold, ripe
from games.tables.playing import LivePlay

log = logging.getLogger(__name__)

LOOK_EVERY = 0.5
"""Seconds between two looks into the store."""


class Feed:
    """One table's delayed public, in this process."""

    def __init__(self, folded: Folded, delay_seconds: int) -> None:
        self.folded = folded
        self.delay = delay_seconds * 1_000_000
        self.waiting: list[StoredEvent] = []
        self.outboxes: set[Outbox] = set()
        self.task: asyncio.Task[None] | None = None


class DelayedFeeds:
    """All delayed tables that are watched here. One instance an event loop."""

    def __init__(self, store: AsyncStore, play: LivePlay) -> None:
        self._store = store
        self._play = play
        self._feeds: dict[int, Feed] = {}
        self._changing = asyncio.Lock()

    async def join(self, stream: int, delay_seconds: int, outbox: Outbox) -> Folded:
        """The table as it is seen now; the outbox gets every frame after that."""
        async with self._changing:
            feed = self._feeds.get(stream)
            if feed is None:
                folded: Folded = await self._play.in_thread(public_fold, stream)
                feed = self._feeds[stream] = Feed(folded, delay_seconds)
                feed.task = asyncio.create_task(self._run(feed))
            feed.outboxes.add(outbox)
            return feed.folded

    async def leave(self, stream: int, outbox: Outbox) -> None:
        async with self._changing:
            feed = self._feeds.get(stream)
            if feed is None:
                return
            feed.outboxes.discard(outbox)
            if not feed.outboxes:
                del self._feeds[stream]
                if feed.task is not None:
                    feed.task.cancel()

    def tell(self, stream: int, frame: bytes) -> None:
        """Hand a frame to every socket of a delayed table in this process."""
        feed = self._feeds.get(stream)
        if feed is not None:
            made = framed(frame)
            for outbox in feed.outboxes:
                outbox.put(made)

    async def close(self) -> None:
        tasks = [feed.task for feed in self._feeds.values() if feed.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self, feed: Feed) -> None:
        while True:
            await asyncio.sleep(LOOK_EVERY)
            try:
                await self._look(feed)
            except (psycopg.Error, OSError) as fault:
                log.warning("delayed table %s: %s", feed.folded.stream, fault)

    async def _look(self, feed: Feed) -> None:
        seq = feed.waiting[-1].seq if feed.waiting else feed.folded.head.seq
        feed.waiting += await self._store.read(feed.folded.stream, seq)
        due = ripe(feed.waiting, instant_now() - feed.delay)
        if not due:
            return
        feed.waiting = feed.waiting[len(due) :]
        taken = steps(feed.folded, due)
        feed.folded = advanced(feed.folded, taken)
        command: list[Step] = []
        for step in taken:
            if step.stored.opens and command:
                self._send(feed, command)
                command = []
            command.append(step)
        self._send(feed, command)

    @staticmethod
    def _send(feed: Feed, command: list[Step]) -> None:
        clock = clock_fields(feed.folded, behind=feed.delay)
        frame = framed(event_frames(command, clock)[PUBLIC])
        for outbox in feed.outboxes:
            outbox.put(frame)
