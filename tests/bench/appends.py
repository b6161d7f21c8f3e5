"""Committed appends: through our store, through `eventsourcing`, and bare, by 1, 4 and 16 at once.

Every event is a commit that its writer waits for. Ours are moves at as many tables, each table
waiting for its answer as a player does; the store may write what waits in one statement. Bare is
one prepared INSERT of ready-made values, on a connection for each writer, into a table with the
same columns and primary key and no other index. Both run on the event loop of the web server.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from itertools import count, cycle
from typing import Any

import psycopg
import uvloop
from psycopg import AsyncConnection

from games.eventstore import sql
from games.eventstore.aio import AsyncStore
from games.eventstore.chain import EMPTY, Appended, Head, NewEvent, StoredEvent, chained
from games.rules import events as ev
from tests.bench.compare import Comparison, Contender
from tests.bench.database import bench_database
from tests.bench.facts import Story, story
from tests.bench.peers import installed

GOALS = {1: 2.5, 4: 4.0, 16: 7.0}
"""What ours must be to the library, by how many write at once."""
OF_BARE = 0.75
WARM_SECONDS = 0.3
BY = "p000000001"

_BARE_TABLE = """
CREATE TABLE IF NOT EXISTS bare (LIKE eventstore_event INCLUDING DEFAULTS);
ALTER TABLE bare ADD PRIMARY KEY (stream, seq);
"""
_BARE = """
INSERT INTO bare (stream, seq, at, command_key, type, by, data, hash)
VALUES (%b, %b, %b, %b, %b, %b, %b, %b)
"""


@contextmanager
def comparisons(seconds: float) -> Iterator[list[Comparison]]:
    with bench_database() as conninfo:
        told = story(0, 400)
        with psycopg.connect(conninfo) as connection:
            connection.execute(_BARE_TABLE)
        library = _Library(conninfo, told)
        yield [
            Comparison(
                key=f"append/{writers}",
                title=f"committed appends, {writers} at once",
                unit="events/s",
                ours=Contender("Pozzetto", lambda n=writers: _ours(conninfo, told, n, seconds)),  # type: ignore[misc]
                peers=(
                    installed(
                        "eventsourcing",
                        "eventsourcing save",
                        lambda n=writers: library.rate(n, seconds),  # type: ignore[misc]
                        goal=goal,
                    ),
                    Contender(
                        f"bare INSERT, psycopg {psycopg.__version__}",
                        lambda n=writers: _bare(conninfo, told, n, seconds),  # type: ignore[misc]
                        OF_BARE,
                    ),
                ),
            )
            for writers, goal in GOALS.items()
        ]
        library.close()


class _Meter:
    """Counts events between the end of the warming up and the end of the time."""

    def __init__(self, seconds: float) -> None:
        self.began = time.perf_counter() + WARM_SECONDS
        self.ends = self.began + seconds
        self.counted = 0

    def goes_on(self) -> bool:
        now = time.perf_counter()
        self.counted += self.began <= now < self.ends
        return now < self.ends

    @property
    def rate(self) -> float:
        return self.counted / (self.ends - self.began)


def _ours(conninfo: str, told: Story, writers: int, seconds: float) -> float:
    facts = _moves(told)

    async def run() -> float:
        async with AsyncStore(conninfo) as store:
            heads = []
            for _ in range(writers):
                stream = await store.open_stream("game")
                outcome = await store.append(stream, EMPTY, told.stored[:2], by=BY)
                heads.append((stream, outcome.head))

            async def play(stream: int, head: Head, number: int) -> None:
                for turn, fact in enumerate(cycle(facts)):
                    outcome = await store.append(
                        stream, head, [fact], by=BY, command_id=f"{BY}:{number}-{turn}"
                    )
                    if not isinstance(outcome, Appended):
                        raise AssertionError(f"nobody else writes here: {outcome}")
                    head = outcome.head
                    if not meter.goes_on():
                        return

            meter = _Meter(seconds)
            await _at_once(play(*known, number) for number, known in enumerate(heads))
            return meter.rate

    return uvloop.run(run())


def _bare(conninfo: str, told: Story, writers: int, seconds: float) -> float:
    prepared = chained(1, EMPTY, _moves(told), by=BY, instant=0)
    first = next(_STREAMS)

    async def run() -> float:
        connections = [
            await AsyncConnection.connect(conninfo, autocommit=True) for _ in range(writers)
        ]

        async def write(connection: AsyncConnection[Any], stream: int) -> None:
            sql.adapt(connection)
            cursor = connection.cursor(binary=True)
            for seq, fact in enumerate(cycle(prepared), 1):
                await cursor.execute(_BARE, _row(stream, seq, fact), prepare=True)
                if not meter.goes_on():
                    return

        meter = _Meter(seconds)
        await _at_once(write(one, first * 1000 + n) for n, one in enumerate(connections))
        for connection in connections:
            await connection.close()
        return meter.rate

    return uvloop.run(run())


_STREAMS = count(1)


def _row(stream: int, seq: int, fact: StoredEvent) -> tuple[Any, ...]:
    at = sql._Instant(fact.instant)
    return stream, seq, at, seq, fact.type, fact.by, fact.data, fact.digest


async def _at_once(tasks: Iterator[Awaitable[None]]) -> None:
    await asyncio.gather(*tasks)


def _moves(told: Story) -> list[NewEvent]:
    """The facts of ordinary moves: one event each."""
    rare = (ev.GameOpened, ev.DealStarted, ev.DealScored, ev.GameEnded)
    pairs = zip(told.events, told.stored, strict=True)
    return [stored for event, stored in pairs if not isinstance(event, rare)]


class _Library:
    """The library's application, made when it is first asked for."""

    def __init__(self, conninfo: str, told: Story) -> None:
        self._conninfo = conninfo
        rare = (ev.GameOpened, ev.DealStarted, ev.DealScored, ev.GameEnded)
        self._facts = [event for event in told.events if not isinstance(event, rare)]
        self._application: Any = None

    def rate(self, writers: int, seconds: float) -> float:
        from tests.bench.library import Match, application, trigger

        if self._application is None:
            self._application = application(self._conninfo, max(GOALS))
        app, meters = self._application, [_Meter(seconds) for _ in range(writers)]

        def write(meter: _Meter) -> None:
            match = Match()
            app.save(match)
            for fact in cycle(self._facts):
                trigger(match, fact, BY)
                app.save(match)
                if not meter.goes_on():
                    return

        _in_threads([lambda meter=meter: write(meter) for meter in meters])  # type: ignore[misc]
        return sum(meter.rate for meter in meters)

    def close(self) -> None:
        if self._application is not None:
            self._application.close()


def _in_threads(work: list[Callable[[], None]]) -> None:
    threads = [threading.Thread(target=one) for one in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
