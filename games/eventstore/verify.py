"""Checks the log: every chain recomputed, every gap found. Reads only, a page at a time.

May import Django. The chain of a stream proves that nothing in it was changed, moved, put in or
taken out; what it cannot show by itself is that its last events are missing. For that, keep its
heads elsewhere (`manage.py verify --write-heads`) and compare with them later.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from games.eventstore import sql, store
from games.eventstore.chain import EMPTY, Head, StoredEvent

_HEAD_LINE = re.compile(r"(\d{1,18}) (\d{1,9}) ([0-9a-f]{64})")


class Fault(NamedTuple):
    """The first thing wrong in a stream, in words."""

    stream: int
    seq: int
    words: str

    def __str__(self) -> str:
        return f"stream {self.stream}, event {self.seq}: {self.words}"


class StreamHead(NamedTuple):
    stream: int
    head: Head

    def line(self) -> str:
        return f"{self.stream} {self.head.seq} {self.head.hash}\n"


class HeadsFileError(ValueError):
    """A file of heads cannot be read; names the line."""


def read_heads(lines: Iterable[str]) -> Iterator[StreamHead]:
    """Heads as `StreamHead.line` writes them, ascending by stream. Raises `HeadsFileError`."""
    before = 0
    for number, line in enumerate(lines, start=1):
        match = _HEAD_LINE.fullmatch(line.rstrip("\n"))
        if match is None or int(match[1]) <= before:
            raise HeadsFileError(
                f"line {number}: expected a stream, a number and a hash, in ascending order"
            )
        before = int(match[1])
        yield StreamHead(before, Head(int(match[2]), match[3]))


def verify(
    stream: int | None = None, known: Iterable[StreamHead] = ()
) -> Iterator[StreamHead | Fault]:
    """Check one stream or all, and give for each its head or its first fault.

    `known` are heads kept from before, ascending by stream: each must still be there, at its
    place, with its hash.
    """
    heads = (head for head in known if stream in (None, head.stream))
    expected = next(heads, None)
    for number, events in groupby(_events(stream), key=lambda event: event.stream):
        while expected and expected.stream < number:
            yield _vanished(expected)
            expected = next(heads, None)
        if expected and expected.stream == number:
            yield _checked(number, events, expected.head)
            expected = next(heads, None)
        else:
            yield _checked(number, events, EMPTY)
    while expected:
        yield _vanished(expected)
        expected = next(heads, None)


def verify_transaction_ids() -> str | None:
    """What is wrong with the database as a whole, if anything, in words.

    Followers sort by transaction ids. A dump loaded into a new server brings ids that this server
    has not reached: its own events would seem older than those, and followers would pass them by.
    """
    [[highest]] = store.fetch(sql.HIGHEST_TXID, ())
    [[horizon]] = store.fetch(sql.NEXT_TXID, ())
    if highest is None or highest < horizon:
        return None
    return (
        f"events bear transaction ids up to {highest}, this server is at {horizon}: followers "
        f"would miss new events. Stop the server and raise its counter: "
        f"pg_resetwal --epoch={(highest >> 32) + 1}"
    )


def _events(stream: int | None) -> Iterator[StoredEvent]:
    for page in store.pages(stream):
        yield from page


def _checked(stream: int, events: Iterator[StoredEvent], known: Head) -> StreamHead | Fault:
    head = EMPTY
    for event in events:
        if event.seq != head.seq + 1:
            return Fault(stream, head.seq + 1, f"missing, though event {event.seq} is there")
        if event.expected_digest(head.hash) != event.digest:
            return Fault(
                stream, event.seq, "its hash does not fit: it or the hash before it was changed"
            )
        head = event.head
        if head.seq == known.seq and head.hash != known.hash:
            return Fault(stream, event.seq, "its hash is not the one that was kept elsewhere")
    if head.seq < known.seq:
        return Fault(stream, head.seq + 1, f"missing: the stream once reached event {known.seq}")
    return StreamHead(stream, head)


def _vanished(known: StreamHead) -> Fault:
    return Fault(known.stream, 1, f"missing: the stream once reached event {known.head.seq}")
