"""Events as stored, and the hash chain that ties the events of a stream together.

Pure: imports neither Django nor the database, so that a record can be checked anywhere.
Nothing here opens, reads or writes anything.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from hashlib import sha256
from time import time_ns
from typing import Any, NamedTuple

import msgspec

GENESIS = "0" * 64
"""The `prev` of a stream's first event."""

# PostgreSQL counts time in microseconds from this instant; keeping its own number spares every
# reader of a long stream four hundred datetimes that nobody looks at.
_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_UNIX_OFFSET = int(_EPOCH.timestamp()) * 1_000_000

_json = msgspec.json.Encoder(order="sorted")


def canonical(value: Any) -> bytes:
    """Canonical JSON: sorted keys, no spaces, UTF-8 unescaped.

    For integers, strings, booleans, null, lists, mappings and structs. Floats have no one text
    that all languages agree on, so events hold none.
    """
    return _json.encode(value)


def instant_of(moment: datetime) -> int:
    """Microseconds from 2000-01-01 UTC; `moment` must know its time zone."""
    return (moment - _EPOCH) // _MICROSECOND


def instant_now() -> int:
    """This instant by the machine's clock."""
    return time_ns() // 1000 - _UNIX_OFFSET


def instant_text(instant: int) -> str:
    """An instant as events write it: `2026-11-30T22:12:01.123456Z`."""
    second, microsecond = divmod(instant, 1_000_000)
    return f"{_second_text(second)}.{microsecond:06}Z"


@lru_cache(maxsize=64)
def _second_text(second: int) -> str:
    return (_EPOCH + timedelta(seconds=second)).strftime("%Y-%m-%dT%H:%M:%S")


def link(prev: str, *, at: str, by: str, data: bytes, seq: int, type: str) -> bytes:
    """The hash (32 bytes) of an event: SHA-256 over `prev` and the canonical JSON of the rest.

    `data` is canonical JSON already, so the line is put together from its parts: the keys stand
    in their sorted order and only `by` can hold a character that needs escaping.
    """
    text = f'{prev}{{"at":"{at}","by":{_json.encode(by).decode()},"data":'
    return sha256(
        b'%b%b,"seq":%d,"type":"%b"}' % (text.encode(), data, seq, type.encode())
    ).digest()


class Head(NamedTuple):
    """The last event of a stream, as an append expects it. `EMPTY` before the first."""

    seq: int
    hash: str


EMPTY = Head(0, GENESIS)


class NewEvent(NamedTuple):
    """An event to append: its stored type name and its data as canonical JSON."""

    type: str
    data: bytes


class StoredEvent(NamedTuple):
    """An event of a stream. `at` and `hash` are made on demand: a fold needs neither."""

    stream: int
    seq: int
    instant: int
    type: str
    by: str
    data: bytes
    digest: bytes
    opens: bool
    """True for the first event of its command; the events up to the next `opens` belong to it."""

    @property
    def at(self) -> str:
        """When it was recorded, UTC: `2026-11-30T22:12:01.123456Z`."""
        return instant_text(self.instant)

    @property
    def hash(self) -> str:
        """Its hash in hex: the `prev` of the event after it."""
        return self.digest.hex()

    @property
    def head(self) -> Head:
        """The head of a stream that ends with this event."""
        return Head(self.seq, self.digest.hex())

    def line(self, prev: str) -> bytes:
        """The event as a line of a record, without the line end: canonical JSON of all fields."""
        return canonical(
            {
                "at": self.at,
                "by": self.by,
                "data": msgspec.Raw(self.data),
                "hash": self.hash,
                "prev": prev,
                "seq": self.seq,
                "type": self.type,
            }
        )

    def expected_digest(self, prev: str) -> bytes:
        """What `digest` must be if this event follows the one whose hash is `prev`."""
        return link(prev, at=self.at, by=self.by, data=self.data, seq=self.seq, type=self.type)


def chained(
    stream: int, head: Head, events: Sequence[NewEvent], *, by: str, instant: int
) -> tuple[StoredEvent, ...]:
    """The events of one command as they will be stored after `head`."""
    at, (seq, prev) = instant_text(instant), head
    stored: list[StoredEvent] = []
    for type_, data in events:
        seq += 1
        digest = link(prev, at=at, by=by, data=data, seq=seq, type=type_)
        stored.append(StoredEvent(stream, seq, instant, type_, by, data, digest, not stored))
        prev = digest.hex()
    return tuple(stored)


class Appended(msgspec.Struct, frozen=True):
    """The command's events are committed (or will be, with the caller's transaction)."""

    events: tuple[StoredEvent, ...]

    @property
    def head(self) -> Head:
        return self.events[-1].head

    @property
    def at(self) -> str:
        return self.events[-1].at


class Repeated(msgspec.Struct, frozen=True):
    """This command was carried out before; these are the events of that first time."""

    events: tuple[StoredEvent, ...]

    @property
    def head(self) -> Head:
        return self.events[-1].head


class Conflict(msgspec.Struct, frozen=True):
    """The stream does not end where the command thought; nothing was written."""

    head: Head


Outcome = Appended | Repeated | Conflict
