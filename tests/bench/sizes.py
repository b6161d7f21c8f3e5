"""Bytes that an event takes in the database, heap and indexes, beside the `eventsourcing` library.

The same facts of the same matches, written as play does it: the tables in turn, a move at a time.
Both are vacuumed before they are weighed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

import psycopg

from games.eventstore.aio import AsyncStore
from games.eventstore.chain import EMPTY
from tests.bench.compare import Comparison, Contender
from tests.bench.database import bench_database
from tests.bench.facts import Story, story
from tests.bench.peers import installed

LENGTH = 400
TABLES = 24
BY = "p000000001"
_SAVED_AT_ONCE = 10
"""Events of one match in one save of the library; its rows are those of single saves."""


@contextmanager
def comparisons(seconds: float) -> Iterator[list[Comparison]]:
    with bench_database() as conninfo:
        stories = [story(number, LENGTH) for number in range(TABLES)]
        yield [
            Comparison(
                key="size",
                title="an event, heap and indexes",
                unit="bytes",
                ours=Contender("Pozzetto", lambda: _ours(conninfo, stories)),
                peers=(
                    installed(
                        "eventsourcing",
                        "eventsourcing",
                        lambda: _library(conninfo, stories),
                        goal=0.7,
                    ),
                ),
                smaller=True,
                once=True,
            )
        ]


def _ours(conninfo: str, stories: list[Story]) -> float:
    async def play(store: AsyncStore, told: Story) -> None:
        stream = await store.open_stream("game")
        head, left = EMPTY, iter(told.stored)
        for number, length in enumerate(told.commands):
            facts = list(islice(left, length))
            outcome = await store.append(stream, head, facts, by=BY, command_id=f"{BY}:{number}")
            head = outcome.head

    async def run() -> None:
        async with AsyncStore(conninfo) as store:
            await asyncio.gather(*(play(store, told) for told in stories))

    asyncio.run(run())
    return _weight(conninfo, "eventstore_event")


def _library(conninfo: str, stories: list[Story]) -> float:
    from tests.bench.library import Match, application, trigger

    app: Any = application(conninfo, 1)
    matches = [Match() for _ in stories]
    for begun in range(1, LENGTH, _SAVED_AT_ONCE):
        for match, told in zip(matches, stories, strict=True):
            for fact in told.events[begun : begun + _SAVED_AT_ONCE]:
                trigger(match, fact, BY)
            app.save(match)
    with psycopg.connect(conninfo) as connection:
        query = "SELECT tablename FROM pg_tables WHERE tablename LIKE '%application_events'"
        [[table]] = connection.execute(query).fetchall()
    app.close()
    return _weight(conninfo, table)


def _weight(conninfo: str, table: str) -> float:
    with psycopg.connect(conninfo, autocommit=True) as connection:
        name = psycopg.sql.Identifier(table)
        connection.execute(psycopg.sql.SQL("VACUUM ANALYZE {}").format(name))
        counted = psycopg.sql.SQL(
            "SELECT (pg_relation_size({0}) + pg_indexes_size({0}))::float / count(*) FROM {1}"
        ).format(table, name)
        [[weight]] = connection.execute(counted).fetchall()
        return float(weight)
