# ruff: noqa: S608 — every part of a statement is a constant of this file
"""The statements of the store and the one encoder behind them, for both drivers.

May import psycopg; never opens a connection, never knows Django.
"""

from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from secrets import token_bytes
from typing import Any, LiteralString, NamedTuple

from psycopg import postgres, pq
from psycopg.abc import AdaptContext
from psycopg.types.numeric import Int8BinaryDumper

from games.eventstore.chain import Head, NewEvent, StoredEvent, chained, instant_now, instant_of

# An event goes in only right after the event it was decided upon: that row must be there with the
# hash the caller knows, and nothing may stand at its own place. A taken place or a known command
# gives no row, not an error, so that neither the caller's transaction nor another command in the
# same statement suffers.
#
# `txid` is what followers sort by. A transaction that began earlier may append later, so it is at
# least that of the event before: a stream's order is then the followers' order too. A number that
# is too high is safe, it only makes them wait for more transactions to end.
_TXID: LiteralString = "greatest(pg_current_xact_id()::text::bigint, before.txid)"

APPEND_ONE: LiteralString = f"""
INSERT INTO eventstore_event (stream, seq, txid, at, type, by, data, hash, command_key)
SELECT before.stream, before.seq + 1, {_TXID}, %b::timestamptz, %b::text, %b::text,
       %b::bytea, %b::bytea, %b::bigint
FROM eventstore_event AS before
WHERE before.stream = %b::bigint AND before.seq = %b::bigint::integer
  AND before.hash = %b::bytea
ON CONFLICT DO NOTHING
"""

# Several events, of one command or of many (each for its own stream), or the first of a stream.
# Only the first event of a command carries its key and `prev`; the others go where that one went.
# They need no check of their own: nobody else can stand behind an event that this statement has
# just written. OFFSET 0 keeps the plan at one index probe for each command whatever the
# statistics say; the order by stream keeps two such statements from waiting for each other.
APPEND_MANY: LiteralString = f"""
WITH new AS MATERIALIZED (
    SELECT stream, seq::integer, at, type, by, data, hash, command_key, prev
    FROM unnest(%b::bigint[], %b::bigint[], %b::timestamptz[], %b::text[], %b::text[],
                %b::bytea[], %b::bytea[], %b::bigint[], %b::bytea[])
        AS new (stream, seq, at, type, by, data, hash, command_key, prev)
), opening AS (
    INSERT INTO eventstore_event (stream, seq, txid, at, type, by, data, hash, command_key)
    SELECT stream, seq, {_TXID}, at, type, by, data, new.hash, command_key
    FROM new CROSS JOIN LATERAL (
        SELECT e.txid, e.hash FROM eventstore_event AS e
        WHERE e.stream = new.stream AND e.seq = new.seq - 1
        UNION ALL
        SELECT 0, decode(repeat('00', 32), 'hex') FROM eventstore_stream AS s
        WHERE new.seq = 1 AND s.id = new.stream
        OFFSET 0
    ) AS before (txid, hash)
    WHERE new.prev IS NOT NULL AND before.hash = new.prev
    ORDER BY stream
    ON CONFLICT DO NOTHING
    RETURNING stream, txid
), following AS (
    INSERT INTO eventstore_event (stream, seq, txid, at, type, by, data, hash)
    SELECT stream, new.seq, opening.txid, new.at, new.type, new.by, new.data, new.hash
    FROM new JOIN opening USING (stream)
    WHERE new.prev IS NULL
)
SELECT stream FROM opening
"""

# What the live path prepares once for each connection, under these names.
PREPARED: dict[LiteralString, bytes] = {
    APPEND_ONE: b"eventstore_append_one",
    APPEND_MANY: b"eventstore_append_many",
}

_COLUMNS: LiteralString = "stream, seq, at, type, by, data, hash, command_key IS NOT NULL"

# Several streams, each after its own seq, in one query: an index probe a stream.
READ_MANY: LiteralString = f"""
SELECT found.* FROM unnest(%b::bigint[], %b::bigint[]) AS known (id, after)
CROSS JOIN LATERAL (
    SELECT {_COLUMNS} FROM eventstore_event WHERE stream = known.id AND seq > known.after
) AS found
ORDER BY found.stream, found.seq
"""

READ: LiteralString = f"""
SELECT {_COLUMNS} FROM eventstore_event WHERE stream = %b AND seq > %b ORDER BY seq
"""

HEAD: LiteralString = """
SELECT seq, hash FROM eventstore_event WHERE stream = %b ORDER BY seq DESC LIMIT 1
"""

# The events of one command: from the one with its key up to the next that opens another.
COMMAND: LiteralString = f"""
WITH opening AS (
    SELECT stream AS its_stream, seq AS its_seq
    FROM eventstore_event WHERE stream = %b AND command_key = %b
)
SELECT {_COLUMNS} FROM eventstore_event, opening
WHERE stream = its_stream AND seq >= its_seq AND seq < coalesce(
    (SELECT min(x.seq) FROM eventstore_event AS x
     WHERE x.stream = its_stream AND x.seq > its_seq AND x.command_key IS NOT NULL),
    2147483647)
ORDER BY seq
"""

OPEN_STREAM: LiteralString = "INSERT INTO eventstore_stream (kind) VALUES (%b) RETURNING id"

PAGE: LiteralString = f"""
SELECT {_COLUMNS} FROM eventstore_event
WHERE (stream, seq) > (%b, %b) AND stream <= %b ORDER BY stream, seq LIMIT %b
"""

HORIZON: LiteralString = "SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint"

HIGHEST_TXID: LiteralString = "SELECT max(txid) FROM eventstore_event"
# No transaction that can be seen has reached this id, nor has the present one.
NEXT_TXID: LiteralString = """
SELECT greatest(pg_snapshot_xmax(pg_current_snapshot())::text::bigint,
                pg_current_xact_id_if_assigned()::text::bigint + 1)
"""

# What came strictly after a follower's checkpoint and can no longer be overtaken.
SETTLED: LiteralString = f"""
SELECT txid, {_COLUMNS} FROM eventstore_event
WHERE txid >= %b AND txid < %b AND (txid, stream, seq) > (%b, %b, %b)
ORDER BY txid, stream, seq LIMIT %b
"""


class _Instant(int):
    """An instant on its way into a `timestamptz`."""


class _InstantDumper(Int8BinaryDumper):
    oid = postgres.types["timestamptz"].oid


def adapt(context: AdaptContext) -> None:
    """Teach a connection or cursor the store's types.

    A `timestamptz` travels as its own 64-bit count of microseconds (`chain.instant_of`) and every
    integer as `bigint`, so that one statement has one prepared plan.
    """
    adapters = context.adapters
    assert adapters is not None
    adapters.register_dumper(int, Int8BinaryDumper)
    adapters.register_dumper(_Instant, _InstantDumper)
    bigint = adapters.get_loader(postgres.types["int8"].oid, pq.Format.BINARY)
    assert bigint is not None
    adapters.register_loader("timestamptz", bigint)


def preparation(name: bytes, query: LiteralString) -> bytes:
    """The statement that prepares `query`; its parameters' types are those it casts them to."""
    parts = query.encode().split(b"%b")
    numbered = b"".join(b"%b$%d" % (part, place) for place, part in enumerate(parts[:-1], 1))
    return b"PREPARE %b AS %b%b" % (name, numbered, parts[-1])


class Write(NamedTuple):
    """One command ready to be written: its events, chained, and what they expect."""

    events: tuple[StoredEvent, ...]
    prev: bytes
    key: int

    @property
    def stream(self) -> int:
        return self.events[0].stream


def command_key(stream: int, command_id: str) -> int:
    """The key under which the store knows a command: 64 bits of its SHA-256, signed.

    The stream is mixed in, so that an index on the key alone keeps the commands of all streams
    apart: the same id in two streams is two commands.
    """
    digest = int.from_bytes(sha256(command_id.encode()).digest()[:8], "big", signed=True)
    return digest ^ (stream << 32)


def prepare(
    stream: int,
    head: Head,
    events: Sequence[NewEvent],
    *,
    by: str,
    command_id: str | None,
    at: datetime | None,
) -> Write:
    """Chain the events of a command. A command without an id gets a random key.

    So every command has a key, its events can be told from the next command's, and a write whose
    answer was lost can be tried again. Raises `ValueError` for a command without events.
    """
    if not events:
        raise ValueError("a command appends at least one event")
    instant = instant_now() if at is None else instant_of(at)
    key = (
        int.from_bytes(token_bytes(8), "big", signed=True)
        if command_id is None
        else command_key(stream, command_id)
    )
    stored = chained(stream, head, events, by=by, instant=instant)
    return Write(stored, bytes.fromhex(head.hash), key)


def statement(writes: Sequence[Write]) -> tuple[LiteralString, Sequence[Any]]:
    """The one statement that appends `writes`, each for its own stream, and its parameters."""
    if len(writes) == 1 and len(writes[0].events) == 1 and writes[0].events[0].seq > 1:
        [(stream, seq, *values, prev)] = _rows(writes)
        return APPEND_ONE, (*values, stream, seq - 1, prev)
    return APPEND_MANY, [list(column) for column in zip(*_rows(writes), strict=True)]


def _rows(writes: Sequence[Write]) -> list[tuple[Any, ...]]:
    return [
        (
            event.stream,
            event.seq,
            _Instant(event.instant),
            event.type,
            event.by,
            event.data,
            event.digest,
            write.key if event.opens else None,
            write.prev if event.opens else None,
        )
        for write in writes
        for event in write.events
    ]
