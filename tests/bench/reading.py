"""Reading a stream of 400 real events and folding it, beside the `eventsourcing` library.

Both read from the same PostgreSQL into the state at the end. Ours is folded twice over: as the
tables do it, by the rules, and plainly, with a state that only counts, as the library's is.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import cycle
from typing import Any

import psycopg

from games.eventstore import store
from games.eventstore.chain import EMPTY, Appended
from games.tables.folding import decoded, fold, forget_shuffles, start
from tests.bench.compare import Comparison, Contender
from tests.bench.database import bench_database
from tests.bench.facts import Story, story
from tests.bench.peers import installed

LENGTH = 400
STREAMS = 16
"""Different streams are read in turn, so that no run lives on what one stream left behind."""


@contextmanager
def comparisons(seconds: float) -> Iterator[list[Comparison]]:
    with bench_database() as conninfo:
        stories = [story(number, LENGTH) for number in range(STREAMS)]
        streams = [(_written(one), one.master) for one in stories]
        _settle(conninfo)
        library = _Library(conninfo, stories)

        def peer(goal: float | None) -> Contender:
            run = lambda: _milliseconds(library.reads(), seconds)  # noqa: E731
            return installed("eventsourcing", "eventsourcing repository.get", run, goal=goal)

        by_rules = [partial(_fold_by_rules, stream, master) for stream, master in streams]
        cold = [partial(_fold_cold, stream, master) for stream, master in streams]
        plainly = [partial(_fold_plainly, stream) for stream, _ in streams]
        yield [
            Comparison(
                key="read/rules",
                title=f"{LENGTH} events read and folded by the rules",
                unit="ms",
                ours=Contender("Pozzetto", lambda: _milliseconds(by_rules, seconds)),
                peers=(peer(1 / 10),),
                smaller=True,
            ),
            Comparison(
                key="read/cold",
                title="the same, with every shuffle worked out anew",
                unit="ms",
                ours=Contender("Pozzetto", lambda: _milliseconds(cold, seconds)),
                peers=(peer(None),),
                smaller=True,
            ),
            Comparison(
                key="read/plain",
                title=f"{LENGTH} events read and counted",
                unit="ms",
                ours=Contender("Pozzetto", lambda: _milliseconds(plainly, seconds)),
                peers=(peer(1 / 10),),
                smaller=True,
            ),
        ]
        library.close()


def _milliseconds(reads: list[Callable[[], object]], seconds: float) -> float:
    for read in reads:
        read()
    began = time.perf_counter()
    for count, read in enumerate(cycle(reads), 1):
        read()
        spent = time.perf_counter() - began
        if spent > seconds:
            return 1000 * spent / count
    raise AssertionError("nothing to read")


def _written(one: Story) -> int:
    stream = store.open_stream("game")
    head = EMPTY
    for event in one.stored:
        outcome = store.append(stream, head, [event], by="p000000001")
        if not isinstance(outcome, Appended):
            raise AssertionError(f"an append to a fresh stream failed: {outcome}")
        head = outcome.head
    return stream


def _settle(conninfo: str) -> None:
    """What autovacuum does for a table that has been there for a while."""
    with psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")


def _fold_cold(stream: int, master: bytes) -> object:
    forget_shuffles()
    return _fold_by_rules(stream, master)


def _fold_by_rules(stream: int, master: bytes) -> object:
    return fold(start(stream, master), store.read(stream))


def _fold_plainly(stream: int) -> tuple[int, type | None]:
    happened, last = 0, None
    for stored in store.read(stream):
        last = type(decoded(stored))
        happened += 1
    return happened, last


class _Library:
    """The library's copies of the stories, written when they are first asked for."""

    def __init__(self, conninfo: str, stories: list[Story]) -> None:
        self._conninfo = conninfo
        self._stories = stories
        self._application: Any = None
        self._reads: list[Callable[[], object]] = []

    def reads(self) -> list[Callable[[], object]]:
        if self._application is None:
            from tests.bench.library import Match, application, trigger

            self._application = application(self._conninfo, 1)
            for one in self._stories:
                match = Match()
                # Its creation is the first event, so that both streams have as many.
                for fact in one.events[1:]:
                    trigger(match, fact, "p000000001")
                self._application.save(match)
                self._reads.append(partial(self._application.repository.get, match.id))
            _settle(self._conninfo)
        return self._reads

    def close(self) -> None:
        if self._application is not None:
            self._application.close()
