"""Reading games: folded, from the cache caught up with the store. Changes nothing.

Within a transaction nothing is put into the cache before it commits: what it has appended so far
may still be taken back.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import takewhile

from cryptography.fernet import InvalidToken
from django.db import connection, transaction

from games.eventstore import store
from games.eventstore.chain import Head, StoredEvent, instant_now
from games.tables.folding import CACHE, Cache, Folded, fold, start
from games.tables.models import Game, Shuffle
from games.tables.outcomes import TableError
from games.tables.sealing import unseal

log = logging.getLogger(__name__)


def stream_of(public_id: str) -> int:
    """The stream of the game with this public id. Raises `TableError` (`no-such-table`)."""
    found = Game.objects.filter(public_id=public_id).values_list("stream", flat=True).first()
    if found is None:
        raise TableError("no-such-table", f"there is no table {public_id!r}")
    return found


def delay_of(stream: int) -> int:
    """How many seconds behind the table everyone is who does not sit at it."""
    found = Game.objects.filter(pk=stream).values_list("delay_seconds", flat=True).first()
    return found or 0


def load(stream: int) -> Folded:
    """The game at the present head of its stream.

    Raises `TableError` (`no-such-table`, `log-unreadable`).
    """
    return _one(load_many([stream]), stream)


def load_many(streams: Iterable[int]) -> dict[int, Folded]:
    """Several games, in two queries however many they are; one that cannot be read is left out."""
    known: dict[int, Folded] = {}
    missing: list[int] = []
    for stream in streams:
        cached = CACHE.get(stream)
        if cached is None:
            missing.append(stream)
        else:
            known[stream] = cached
    known |= _starts(missing)
    folded = _folded(known, _new_events(known))
    if connection.in_atomic_block:
        transaction.on_commit(lambda: _keep(folded))
    else:
        _keep(folded)
    return folded


def _starts(streams: Iterable[int]) -> dict[int, Folded]:
    """Games of which nothing has been read yet."""
    asked = list(streams)
    if not asked:
        return {}
    found = {}
    for stream, sealed in Shuffle.objects.filter(pk__in=asked).values_list("game_id", "sealed"):
        try:
            found[stream] = start(stream, unseal(sealed))
        except InvalidToken:
            log.error("table %s: its shuffles were sealed under another key", stream)
    return found


def _new_events(known: dict[int, Folded]) -> dict[int, list[StoredEvent]]:
    """What the store has beyond each of these games, in one query."""
    new: defaultdict[int, list[StoredEvent]] = defaultdict(list)
    for event in store.read_many({stream: one.head.seq for stream, one in known.items()}):
        new[event.stream].append(event)
    return new


def _folded(
    known: dict[int, Folded], new: Mapping[int, Sequence[StoredEvent]]
) -> dict[int, Folded]:
    """Each game after its new events. One that cannot be read keeps none of the others back."""
    found = {}
    for stream, one in known.items():
        try:
            found[stream] = fold(one, new.get(stream, ()))
        except (LookupError, ValueError, TypeError):
            log.exception("table %s: its events cannot be read", stream)
    return found


def _one(found: dict[int, Folded], stream: int) -> Folded:
    if stream in found:
        return found[stream]
    if Game.objects.filter(pk=stream).exists():
        raise TableError("log-unreadable", "the log of this table cannot be read")
    raise TableError("no-such-table", f"there is no game with stream {stream}")


def _keep(folded: dict[int, Folded]) -> None:
    for one in folded.values():
        CACHE.put(one)


def beginning(stream: int) -> Folded:
    """A game of which no event has been read. Raises `TableError` (`no-such-table`)."""
    return _one(_starts([stream]), stream)


@lru_cache(maxsize=512)
def load_at(stream: int, head: Head) -> Folded:
    """The game where its stream had this head, which must be one that it had.

    Kept for ever, also within a transaction: the hash says what came before. Raises as `load`.
    """
    known = beginning(stream)
    return _one(_folded({stream: known}, {stream: store.read_part(stream, 0, head.seq)}), stream)


def public_fold(stream: int) -> Folded:
    """The game as everyone may see it who does not sit at the table: with the table's delay.

    Raises `TableError` (`no-such-table`, `log-unreadable`).
    """
    return _one(public_folds([stream]), stream)


def public_folds(streams: Iterable[int]) -> dict[int, Folded]:
    """Several games as the public may see them now, in a few queries however many they are.

    A game whose first deal is still within the delay is seen at its opening, without a deal.
    """
    delays = dict(Game.objects.filter(pk__in=list(streams)).values_list("stream", "delay_seconds"))
    found = load_many(stream for stream, delay in delays.items() if not delay)
    late = {stream: delay for stream, delay in delays.items() if delay}
    if not late:
        return found
    known = {stream: one for stream in late if (one := _LATE.get(stream)) is not None}
    known |= _starts(stream for stream in late if stream not in known)
    now = instant_now()
    seen = {
        stream: ripe(events, now - late[stream] * 1_000_000)
        for stream, events in _new_events(known).items()
    }
    folded = _folded(known, seen)
    for one in folded.values():
        _LATE.put(one)
    return found | folded


def ripe(events: Sequence[StoredEvent], due: int) -> list[StoredEvent]:
    """The events up to the first that is recorded after `due`; the opening of a game is always.

    Never one without all before it, whatever clocks they were recorded by.
    """
    return list(takewhile(lambda event: event.instant <= due or event.seq == 1, events))


_LATE = Cache()
"""Games folded to what the public has seen of them; like `CACHE` a hint only."""
