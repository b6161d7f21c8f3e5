"""The store for the live path: off the ORM, on psycopg's pool, every append durable when answered.

May import psycopg; Django only to learn where the database is. Never answers before the commit.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from datetime import datetime
from typing import Any, LiteralString, Self, TypeVar

import psycopg
from django.db import connections
from psycopg import AsyncConnection, pq
from psycopg.conninfo import make_conninfo
from psycopg.errors import LockNotAvailable
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from games.eventstore import sql
from games.eventstore.chain import (
    EMPTY,
    Appended,
    Conflict,
    Head,
    NewEvent,
    Outcome,
    Repeated,
    StoredEvent,
)
from games.eventstore.wire import Wire

T = TypeVar("T")

LARGEST_BATCH = 64
"""Commands that one statement carries at most."""

LOCK_TIMEOUT_MS = 250
"""How long a batch waits for a transaction of somebody else that holds a place in it."""

LOCK_TRIES = 20
"""How often the write that wanted that place tries again by itself, before it is an error."""


def database() -> str:
    """The address of Django's database, for `AsyncStore`."""
    known = connections["default"].get_connection_params()
    for key in ("cursor_factory", "context", "prepare_threshold"):
        known.pop(key, None)
    return make_conninfo("", **known)


_Pending = tuple[sql.Write, asyncio.Future[bool]]


class StoreClosedError(Exception):
    """The store is closed, or was never opened; nothing was written."""


class AsyncStore:
    """Append and read from one event loop. Open it, close it, or use it in `async with`.

    Whatever waits while a commit is under way is written by the next one, in one statement. In it
    each command stands on its own: one that conflicts leaves the others alone.
    """

    def __init__(self, conninfo: str, *, size: int = 8, writers: int = 2) -> None:
        """`conninfo`: see `database`. `writers`: commits under way at once, each a batch."""
        self._pool: AsyncConnectionPool[AsyncConnection] = AsyncConnectionPool(
            conninfo,
            min_size=min(2, size),
            max_size=size,
            timeout=10,
            kwargs={"autocommit": True, "application_name": "pozzetto live"},
            configure=_configure,
            open=False,
        )
        self._idle = [_Line(self._pool) for _ in range(writers)]
        self._waiting: deque[_Pending] = deque()
        self._writing: set[asyncio.Task[None]] = set()
        self._closed = True

    async def open(self) -> None:
        """Open the pool; returns once the database answers."""
        await self._pool.open(wait=True)
        self._closed = False

    async def close(self) -> None:
        """Refuse new appends, write those that wait, then close the pool."""
        self._closed = True
        while self._writing:
            await asyncio.wait(self._writing)
        for line in self._idle:
            await line.give_back()
        await self._pool.close()

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def open_stream(self, kind: str) -> int:
        """A new stream's id. `kind` says what it tells of: `"game"`, `"tournament"`."""
        [[stream]] = await self._fetch(sql.OPEN_STREAM, (kind,))
        return stream

    async def append(
        self,
        stream: int,
        head: Head,
        events: Sequence[NewEvent],
        *,
        by: str,
        command_id: str | None = None,
        at: datetime | None = None,
    ) -> Outcome:
        """Append the events of one command after `head`, all of them or none, and commit.

        The same answers as `store.append`. An exception leaves it open whether the events were
        written: the same command with the same id may then be sent again. A caller that is
        cancelled does not take back what it has handed in.
        """
        if self._closed:
            raise StoreClosedError("the event store is closed")
        write = sql.prepare(stream, head, events, by=by, command_id=command_id, at=at)
        return await self._outcome(write, went_in=await self._written(write))

    async def read(self, stream: int, after: int = 0) -> list[StoredEvent]:
        """The events of a stream with a `seq` greater than `after`, in order."""
        return [StoredEvent._make(row) for row in await self._fetch(sql.READ, (stream, after))]

    async def head_of(self, stream: int) -> Head:
        """Where a stream ends; `EMPTY` if nothing was appended to it."""
        rows = await self._fetch(sql.HEAD, (stream,))
        return Head(rows[0][0], rows[0][1].hex()) if rows else EMPTY

    async def outcome_of(self, stream: int, command_id: str) -> Repeated | None:
        """What a command led to, if it was carried out; ask before calling a repeat illegal."""
        first = await self._command(stream, sql.command_key(stream, command_id))
        return Repeated(first) if first else None

    async def _outcome(self, write: sql.Write, *, went_in: bool) -> Outcome:
        if went_in:
            return Appended(write.events)
        if first := await self._command(write.stream, write.key):
            # Our own events, if they went in when the first answer was lost with a connection.
            return Appended(first) if first == write.events else Repeated(first)
        return Conflict(await self.head_of(write.stream))

    async def _command(self, stream: int, key: int) -> tuple[StoredEvent, ...]:
        return tuple(
            StoredEvent._make(row) for row in await self._fetch(sql.COMMAND, (stream, key))
        )

    def _written(self, write: sql.Write) -> asyncio.Future[bool]:
        """Hand a write in. The answer says whether it went in."""
        answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append((write, answer))
        if self._idle:
            # A task of its own: a caller that is cancelled must not take others with it.
            self._start(self._write_waiting(self._idle.pop()))
        return answer

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)

    async def _write_waiting(self, line: "_Line") -> None:
        while batch := self._take():
            try:
                await _write(line, batch)
            except psycopg.Error as refused:
                if len(batch) == 1 and not isinstance(refused, LockNotAvailable):
                    _fail(batch[0], refused)
                    continue
                # One of them is at fault (a character PostgreSQL has no place for, a row that
                # another transaction holds). By itself each gets its own answer, and this line
                # goes on.
                for pending in batch:
                    self._start(self._write_alone(pending))
        # No pause between the last look and the leaving: nothing can be handed in unseen.
        self._idle.append(line)

    async def _write_alone(self, pending: _Pending) -> None:
        line = _Line(self._pool)
        try:
            for tries_left in reversed(range(LOCK_TRIES)):
                try:
                    return await _write(line, [pending])
                except LockNotAvailable:
                    if not tries_left:
                        raise
        except psycopg.Error as refused:
            _fail(pending, refused)
        finally:
            await line.give_back()

    def _take(self) -> list[_Pending]:
        """The writes for the next statement: one for each stream, in the order they came."""
        batch: dict[int, _Pending] = {}
        left: list[_Pending] = []
        while self._waiting and len(batch) < LARGEST_BATCH:
            pending = self._waiting.popleft()
            if pending[0].stream in batch:
                left.append(pending)
            else:
                batch[pending[0].stream] = pending
        self._waiting.extendleft(reversed(left))
        return list(batch.values())

    async def _fetch(
        self, query: LiteralString, parameters: Sequence[Any]
    ) -> list[tuple[Any, ...]]:
        async def ask(connection: AsyncConnection) -> list[tuple[Any, ...]]:
            cursor = await connection.cursor(binary=True).execute(query, parameters, prepare=True)
            return await cursor.fetchall()

        line = _Line(self._pool)
        try:
            return await line.run(ask)
        finally:
            await line.give_back()


class _Line:
    """A connection on loan from the pool; another one if it breaks."""

    def __init__(self, pool: AsyncConnectionPool[AsyncConnection]) -> None:
        self._pool = pool
        self._connection: AsyncConnection | None = None
        self._wire: Wire | None = None

    async def append(self, query: LiteralString, parameters: Sequence[Any]) -> pq.abc.PGresult:
        async def send(connection: AsyncConnection) -> pq.abc.PGresult:
            if self._wire is None:
                self._wire = Wire(connection)
            return await self._wire.run(sql.PREPARED[query], parameters)

        return await self.run(send)

    async def run(self, work: Callable[[AsyncConnection], Awaitable[T]]) -> T:
        """Work with the connection; if it is lost, once more with another.

        Every statement of the store may be sent twice: reading changes nothing, and where the
        first try of an append went in, its key is known.
        """
        try:
            return await work(await self._borrowed())
        except psycopg.OperationalError as error:
            if isinstance(error, PoolTimeout) or not self._broken():
                raise
        await self.give_back()
        await self._pool.check()
        return await work(await self._borrowed())

    async def give_back(self) -> None:
        if self._wire is not None:
            self._wire.leave()
            self._wire = None
        if self._connection is not None:
            connection, self._connection = self._connection, None
            await self._pool.putconn(connection)

    async def _borrowed(self) -> AsyncConnection:
        if self._connection is None:
            self._connection = await self._pool.getconn()
        return self._connection

    def _broken(self) -> bool:
        return self._connection is not None and self._connection.broken


async def _write(line: _Line, batch: Sequence[_Pending]) -> None:
    """Write a batch and answer its callers."""
    result = await line.append(*sql.statement([write for write, _ in batch]))
    if result.status == pq.ExecStatus.COMMAND_OK:
        streams = {batch[0][0].stream} if result.command_tuples else set()
    else:
        rows = (result.get_value(row, 0) for row in range(result.ntuples))
        streams = {int.from_bytes(stream) for stream in rows if stream is not None}
    for write, answer in batch:
        if not answer.done():
            answer.set_result(write.stream in streams)


def _fail(pending: _Pending, error: Exception) -> None:
    if not pending[1].done():
        pending[1].set_exception(error)


async def _configure(connection: AsyncConnection) -> None:
    sql.adapt(connection)
    await connection.execute(f"SET lock_timeout = {LOCK_TIMEOUT_MS}")
    # Left alone, PostgreSQL plans a batch anew each time, because its length differs; that takes
    # longer than writing it.
    await connection.execute("SET plan_cache_mode = force_generic_plan")
    for query, name in sql.PREPARED.items():
        await connection.execute(sql.preparation(name, query))
