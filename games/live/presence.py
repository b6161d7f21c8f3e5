"""Who is at a table, as browsers see it: seats that are connected, bots, watchers, a takeover.

Leases in Valkey (`games.tables.presence`) are renewed for all sockets of this process together.
What changed is told to the sockets of this process; each process looks for itself.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from contextlib import suppress
from typing import Any

import msgspec
from django.conf import settings
from django.db import DatabaseError
from redis import RedisError
from redis import asyncio as aioredis

from games.eventstore.chain import instant_text
from games.live.hub import Hub
from games.tables import presence
from games.tables.absences import ABSENT_SECONDS, beat
from games.tables.folding import CACHE
from games.tables.playing import LivePlay
from games.tables.services import BOT

log = logging.getLogger(__name__)

_encode = msgspec.json.Encoder().encode
_UNIX = 946_684_800
"""2000-01-01, from which the event store counts, in seconds since 1970."""


class Presence:
    """The sockets of this process by table. One instance an event loop."""

    def __init__(self, hub: Hub, play: LivePlay) -> None:
        self._hub = hub
        self._play = play
        self._redis = aioredis.Redis.from_url(settings.VALKEY_URL, decode_responses=True)
        self._seats: Counter[tuple[int, int]] = Counter()
        self._watchers: Counter[int] = Counter()
        self._told: dict[int, bytes] = {}
        self._me = f"{id(self):x}-{time.time_ns():x}"
        self._wake = asyncio.Event()
        self._tasks = [asyncio.create_task(self._run()), asyncio.create_task(self._beat())]

    def enter(self, stream: int, seat: int | None) -> None:
        """A socket has come: of a seat, or (None) of someone who watches."""
        if seat is None:
            self._watchers[stream] += 1
        else:
            self._seats[stream, seat] += 1
        self._told.pop(stream, None)
        self._wake.set()

    def leave(self, stream: int, seat: int | None) -> None:
        """The socket has gone."""
        if seat is None:
            self._watchers[stream] -= 1
            if self._watchers[stream] <= 0:
                del self._watchers[stream]
        else:
            self._seats[stream, seat] -= 1
            if self._seats[stream, seat] <= 0:
                del self._seats[stream, seat]
        self._wake.set()

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._redis.aclose()

    async def _beat(self) -> None:
        while True:
            try:
                await self._play.in_thread(beat)
            except (DatabaseError, OSError) as fault:
                log.warning("no sign of life could be given: %s", fault)
            await asyncio.sleep(1)

    async def _run(self) -> None:
        while True:
            try:
                await self._look()
            except RedisError as fault:
                log.warning("presence is not known: %s", fault)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), presence.RENEW_SECONDS)
            # Many who come at once are looked at together.
            await asyncio.sleep(0.2)
            self._wake.clear()

    async def _look(self) -> None:
        """Renew, read what all processes have renewed, tell what has changed."""
        now = time.time()
        streams = set(self._watchers) | {stream for stream, _ in self._seats}
        self._told = {stream: told for stream, told in self._told.items() if stream in streams}
        if not streams:
            return
        order = sorted(streams)
        seats = {stream: self._seats_of(stream) for stream in order}
        async with self._redis.pipeline(transaction=False) as pipeline:
            for stream, seat in self._seats:
                pipeline.set(presence.seat_key(stream, seat), now, ex=presence.KEPT_SECONDS)
            for stream in order:
                key = presence.watchers_key(stream)
                pipeline.hset(key, self._me, f"{now}:{self._watchers.get(stream, 0)}")
                pipeline.expire(key, 60)
                pipeline.hgetall(key)
                pipeline.mget([presence.seat_key(stream, seat) for seat in range(seats[stream])])
            answers = await pipeline.execute()
        answers = answers[len(self._seats) :]
        for place, stream in enumerate(order):
            counts, seen = answers[4 * place + 2], answers[4 * place + 3]
            self._tell(stream, self._frame(stream, counts, seen, now))

    def _seats_of(self, stream: int) -> int:
        folded = CACHE.get(stream)
        return folded.state.seats if folded is not None else 4

    def _frame(
        self, stream: int, counts: dict[str, str], seen: list[str | None], now: float
    ) -> bytes:
        watchers = 0
        for value in counts.values():
            at, _, number = value.partition(":")
            if now - float(at) <= presence.LEASE_SECONDS:
                watchers += int(number)
        last = [None if value is None else float(value) for value in seen]
        frame: dict[str, Any] = {
            "t": "presence",
            "here": [at is not None and now - at <= presence.LEASE_SECONDS for at in last],
            "bot": [],
            "watchers": watchers,
            "takeover": None,
        }
        folded = CACHE.get(stream)
        if folded is not None:
            state = folded.state
            frame["bot"] = [holder.startswith(BOT) for holder in state.holders]
            deal, clock = state.deal, folded.clock
            if deal is not None and deal.ended is None and clock is not None and not state.paused:
                turn = deal.turn
                if not frame["bot"][turn] and not frame["here"][turn]:
                    since = max(_UNIX + clock.since / 1_000_000, last[turn] or 0.0)
                    due = int((since + ABSENT_SECONDS - _UNIX) * 1_000_000)
                    frame["takeover"] = {"seat": turn, "at": instant_text(due)}
        return _encode(frame)

    def _tell(self, stream: int, frame: bytes) -> None:
        if self._told.get(stream) != frame:
            self._told[stream] = frame
            self._hub.tell_here(stream, frame)
