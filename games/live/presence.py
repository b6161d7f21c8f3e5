"""Who is at a table, as browsers see it: seats that are connected, bots, watchers, a takeover.

Leases in Valkey (`games.tables.presence`) are renewed for all sockets of this process together.
What changed is told to the sockets of this process; each process looks for itself.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from typing import Any

import msgspec
import psycopg
from django import db
from django.conf import settings
from redis import RedisError
from redis import asyncio as aioredis

from games.eventstore.chain import instant_of, instant_text
from games.live.delayed import DelayedFeeds
from games.live.hub import Hub
from games.tables import presence
from games.tables.absences import beat, moment_of, takeover_at
from games.tables.folding import Folded
from games.tables.holders import is_bot
from games.tables.loading import load_many
from games.tables.outcomes import TableError
from games.tables.playing import LivePlay

log = logging.getLogger(__name__)

GATHERED_SECONDS = 0.5
"""Many who come and go within so long are told of together."""
FORGOTTEN_SECONDS = 60
"""What a process that is gone has counted is removed after so long."""
_AWAY = (RedisError, db.Error, psycopg.Error, OSError)

_encode = msgspec.json.Encoder().encode


class Presence:
    """The sockets of this process by table. One instance an event loop."""

    def __init__(self, hub: Hub, play: LivePlay, delayed: DelayedFeeds) -> None:
        self._hub = hub
        self._play = play
        self._delayed = delayed
        self._redis = aioredis.Redis.from_url(
            settings.VALKEY_URL, decode_responses=True, socket_timeout=5, socket_connect_timeout=5
        )
        self._seats: Counter[tuple[int, int]] = Counter()
        self._watchers: Counter[int] = Counter()
        self._counted: set[int] = set()
        self._told: dict[int, bytes] = {}
        self._me = f"{id(self):x}-{time.time_ns():x}"
        self._steady: datetime | None = None
        self._wake = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def begin(self) -> None:
        """Give a first sign of life, before any socket is served, and go on doing so."""
        await self._give_sign()
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
        with suppress(RedisError):
            await self._forget([(stream, self._me) for stream in self._counted])
        await self._redis.aclose()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(1)
            await self._give_sign()

    async def _give_sign(self) -> None:
        """Only while Valkey answers: without it no player hears of the others' moves."""
        try:
            await self._redis.ping()
            self._steady = await self._play.in_thread(beat)
        except _AWAY as fault:
            log.warning("no sign of life could be given: %s", fault)

    async def _run(self) -> None:
        while True:
            try:
                await self._look()
            except _AWAY as fault:
                log.warning("presence is not known: %s", fault)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), presence.RENEW_SECONDS)
            await asyncio.sleep(GATHERED_SECONDS)
            self._wake.clear()

    async def _look(self) -> None:
        """Renew, read what all processes have renewed, tell what has changed."""
        now = time.time()
        streams = set(self._watchers) | {stream for stream, _ in self._seats}
        self._told = {stream: told for stream, told in self._told.items() if stream in streams}
        await self._forget([(stream, self._me) for stream in self._counted - set(self._watchers)])
        self._counted = set(self._watchers)
        tables = await self._play.in_thread(_tables, sorted(streams))
        async with self._redis.pipeline(transaction=False) as pipeline:
            for stream, seat in self._seats:
                pipeline.set(presence.seat_key(stream, seat), now, ex=presence.KEPT_SECONDS)
            for stream, watchers in self._watchers.items():
                key = presence.watchers_key(stream)
                pipeline.hset(key, self._me, f"{now}:{watchers}")
                pipeline.expire(key, FORGOTTEN_SECONDS)
            pipeline.set(presence.SINCE_KEY, now, nx=True)
            pipeline.get(presence.SINCE_KEY)
            for stream, folded in tables.items():
                seats = range(folded.state.seats)
                pipeline.hgetall(presence.watchers_key(stream))
                pipeline.mget([presence.seat_key(stream, seat) for seat in seats])
            answers = await pipeline.execute()
        since, *found = answers[len(answers) - 2 * len(tables) - 1 :]
        for place, (stream, folded) in enumerate(tables.items()):
            counts, seen = found[2 * place], found[2 * place + 1]
            await self._forget([(stream, one) for one in _long_gone(counts, now)])
            self._tell(stream, self._frame(folded, counts, seen, now, float(since)))

    async def _forget(self, fields: list[tuple[int, str]]) -> None:
        """Remove what processes have counted."""
        for stream, process in fields:
            await self._redis.hdel(presence.watchers_key(stream), process)

    def _frame(
        self,
        folded: Folded,
        counts: dict[str, str],
        seen: list[str | None],
        now: float,
        since: float,
    ) -> dict[str, Any]:
        watchers = sum(
            int(number)
            for at, _, number in (value.partition(":") for value in counts.values())
            if now - float(at) <= presence.LEASE_SECONDS
        )
        last = [None if value is None else float(value) for value in seen]
        here = [at is not None and now - at <= presence.LEASE_SECONDS for at in last]
        state, clock = folded.state, folded.clock
        bots = [is_bot(holder) for holder in state.holders]
        takeover = None
        deal = state.deal
        running = deal is not None and deal.ended is None and not state.paused
        if deal is not None and clock is not None and running:
            turn = deal.turn
            if not bots[turn] and not here[turn]:
                steady = max(self._steady or moment_of(now), moment_of(since))
                due = moment_of(takeover_at(clock.since, last[turn], steady))
                takeover = {
                    "seat": turn,
                    "at": instant_text(instant_of(due)),
                    "left_ms": max(0, round((due.timestamp() - now) * 1000)),
                }
        return {
            "t": "presence",
            "here": here,
            "bot": bots,
            "watchers": watchers,
            "takeover": takeover,
        }

    def _tell(self, stream: int, frame: dict[str, Any]) -> None:
        # That a countdown goes on is no news.
        if self._told.get(stream) == (news := _news(frame)):
            return
        self._told[stream] = news
        self._hub.tell_here(stream, _encode(frame))
        # Who is here and whom a bot plays for tells of turns that a delay is to keep.
        late = frame | {"here": [], "bot": [], "takeover": None}
        self._delayed.tell(stream, _encode(late))


def _tables(streams: list[int]) -> dict[int, Folded]:
    """The tables as they are now; none where one of them is gone."""
    try:
        return load_many(streams)
    except TableError:
        return {}


def _news(frame: dict[str, Any]) -> bytes:
    """What of a frame makes it worth telling again when it changes."""
    takeover = frame["takeover"]
    return _encode(frame | {"takeover": takeover and (takeover["seat"], takeover["at"])})


def _long_gone(counts: dict[str, str], now: float) -> Iterable[str]:
    for process, value in counts.items():
        if now - float(value.partition(":")[0]) > FORGOTTEN_SECONDS:
            yield process
