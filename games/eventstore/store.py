"""The store for services, tasks and commands: on Django's connection, in the caller's transaction.

May import Django and psycopg. Never opens a transaction of its own and never leaves the caller's
broken: a conflict is an answer. The live path has the same functions in `aio`.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from typing import Any, LiteralString

import psycopg
from django.db import connection

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

# A row has the fields of an event, so its length need not be looked at again.
_event = partial(tuple.__new__, StoredEvent)


def open_stream(kind: str) -> int:
    """A new stream's id. `kind` says what it tells of: `"game"`, `"tournament"`."""
    [[stream]] = fetch(sql.OPEN_STREAM, (kind,))
    return stream


def append(
    stream: int,
    head: Head,
    events: Sequence[NewEvent],
    *,
    by: str,
    command_id: str | None = None,
    at: datetime | None = None,
) -> Outcome:
    """Append the events of one command after `head`, all of them or none.

    `by` is the actor's opaque reference, `at` the time of recording (now, if absent; with a time
    zone). Returns `Appended`; `Repeated` with the first outcome if the stream knows `command_id`;
    `Conflict` with the present head if the stream ends elsewhere (or was never opened). Inside
    `atomic` the events stand and fall with the caller's transaction.
    """
    write = sql.prepare(stream, head, events, by=by, command_id=command_id, at=at)
    with _cursor() as cursor:
        cursor.execute(*sql.statement([write]), prepare=True, binary=True)
        if cursor.rowcount:
            return Appended(write.events)
    if first := _command(stream, write.key):
        return Repeated(first)
    return Conflict(head_of(stream))


def read(stream: int, after: int = 0) -> list[StoredEvent]:
    """The events of a stream with a `seq` greater than `after`, in order."""
    return list(map(_event, fetch(sql.READ, (stream, after))))


def read_part(stream: int, after: int, last: int) -> list[StoredEvent]:
    """The events of a stream with a `seq` greater than `after` and not above `last`, in order."""
    # A stream has no gaps, so their number is known.
    rows = fetch(sql.PAGE, (stream, after, stream, max(0, last - after)))
    return list(map(_event, rows))


def read_many(after: Mapping[int, int]) -> list[StoredEvent]:
    """The events of several streams, each with a `seq` greater than given, stream by stream."""
    if not after:
        return []
    rows = fetch(sql.READ_MANY, (list(after), list(after.values())))
    return [StoredEvent._make(row) for row in rows]


def head_of(stream: int) -> Head:
    """Where a stream ends; `EMPTY` if nothing was appended to it."""
    rows = fetch(sql.HEAD, (stream,))
    return Head(rows[0][0], rows[0][1].hex()) if rows else EMPTY


def outcome_of(stream: int, command_id: str) -> Repeated | None:
    """What a command led to, if it was carried out; ask before calling a repeat illegal."""
    first = _command(stream, sql.command_key(stream, command_id))
    return Repeated(first) if first else None


def pages(stream: int | None = None, *, size: int = 1000) -> Iterator[list[StoredEvent]]:
    """All events in the order (stream, seq), or one stream's, `size` at a time."""
    place, last = (0, 0) if stream is None else (stream, 0), stream or 2**63 - 1
    while rows := fetch(sql.PAGE, (*place, last, size)):
        page = [StoredEvent._make(row) for row in rows]
        yield page
        place = page[-1].stream, page[-1].seq


def fetch(query: LiteralString, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
    """The rows of one of the store's own statements (`sql`)."""
    with _cursor() as cursor:
        return cursor.execute(query, parameters, prepare=True, binary=True).fetchall()


@contextmanager
def _cursor() -> Iterator[psycopg.Cursor[tuple[Any, ...]]]:
    """A cursor on Django's connection that speaks psycopg's binary protocol.

    Django's own would put the parameters into the text. Its checks hold all the same: a broken
    transaction is not used, errors are those of `django.db`.
    """
    connection.ensure_connection()
    connection.validate_no_broken_transaction()
    with connection.wrap_database_errors, psycopg.Cursor(connection.connection) as cursor:
        sql.adapt(cursor)
        yield cursor


def _command(stream: int, key: int) -> tuple[StoredEvent, ...]:
    return tuple(StoredEvent._make(row) for row in fetch(sql.COMMAND, (stream, key)))
