"""What the tests of the store share: plain events, and the chain written down a second time."""

import asyncio
import hashlib
import json
import threading
from collections.abc import Callable, Coroutine
from typing import Any, Protocol, Self, TypeVar

import pytest

from games.eventstore import store
from games.eventstore.aio import AsyncStore, database
from games.eventstore.chain import EMPTY, Head, NewEvent, Outcome, StoredEvent

T = TypeVar("T")

COMMITTED = pytest.mark.django_db(transaction=True, available_apps=["games.eventstore"])
"""For tests whose events other connections must see. The log itself is not emptied afterwards,
for the database refuses it: each test opens streams of its own."""


def drawn(card: str = "QS") -> NewEvent:
    return NewEvent("card_drawn", f'{{"card":"{card}","seat":2}}'.encode())


def discarded(card: str = "QS") -> NewEvent:
    return NewEvent("discarded", f'{{"card":"{card}","seat":2}}'.encode())


def hash_by_the_book(prev: str, event: StoredEvent) -> str:
    """Section 6 of the move language to the letter, with the standard library alone."""
    fields = {
        "seq": event.seq,
        "type": event.type,
        "at": event.at,
        "by": event.by,
        "data": json.loads(event.data),
    }
    line = json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256((prev + line).encode()).hexdigest()


def a_stream(events: int, kind: str = "game") -> tuple[int, Head]:
    """A stream of so many events, one a command."""
    stream, head = store.open_stream(kind), EMPTY
    for number in range(events):
        outcome = store.append(stream, head, [drawn()], by="p-carla", command_id=f"draw {number}")
        head = outcome.head
    return stream, head


class Store(Protocol):
    """What both stores offer, with calls that wait."""

    def open_stream(self, kind: str) -> int: ...
    def append(self, *args: Any, **options: Any) -> Outcome: ...
    def read(self, stream: int, after: int = 0) -> list[StoredEvent]: ...
    def head_of(self, stream: int) -> Head: ...
    def outcome_of(self, stream: int, command_id: str) -> Any: ...


class WaitedFor:
    """An `AsyncStore` in a loop of its own, each call waited for; callable from any thread."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self.store = AsyncStore(database())

    def __enter__(self) -> Self:
        self._thread.start()
        self.wait(self.store.open())
        return self

    def __exit__(self, *_: object) -> None:
        self.wait(self.store.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def wait(self, coroutine: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(timeout=30)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self.store, name)
        return lambda *args, **options: self.wait(method(*args, **options))
