"""Reading games: folded, from the cache caught up with the store. Changes nothing.

Within a transaction nothing is put into the cache before it commits: what it has appended so far
may still be taken back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import takewhile

from django.db import connection, transaction

from games.eventstore import store
from games.eventstore.chain import StoredEvent, instant_now
from games.tables.folding import CACHE, Cache, Folded, fold, start
from games.tables.models import Game, Shuffle
from games.tables.outcomes import TableError
from games.tables.sealing import unseal


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
    """The game at the present head of its stream. Raises `TableError` (`no-such-table`)."""
    return load_many([stream])[stream]


def load_many(streams: Iterable[int]) -> dict[int, Folded]:
    """Several games, in two queries however many they are."""
    known: dict[int, Folded] = {}
    missing: list[int] = []
    for stream in streams:
        cached = CACHE.get(stream)
        if cached is None:
            missing.append(stream)
        else:
            known[stream] = cached
    if missing:
        secrets = Shuffle.objects.filter(pk__in=missing).values_list("game_id", "sealed")
        known |= {stream: start(stream, unseal(sealed)) for stream, sealed in secrets}
        lacking = set(missing) - set(known)
        if lacking:
            raise TableError("no-such-table", f"there is no game with stream {min(lacking)}")
    new: defaultdict[int, list[StoredEvent]] = defaultdict(list)
    for event in store.read_many({stream: one.head.seq for stream, one in known.items()}):
        new[event.stream].append(event)
    folded = {stream: fold(one, new[stream]) for stream, one in known.items()}
    if connection.in_atomic_block:
        transaction.on_commit(lambda: _keep(folded))
    else:
        _keep(folded)
    return folded


def _keep(folded: dict[int, Folded]) -> None:
    for one in folded.values():
        CACHE.put(one)


def public_fold(stream: int) -> Folded:
    """The game as everyone may see it who does not sit at the table: with the table's delay.

    Raises `TableError` (`no-such-table`).
    """
    return public_folds([stream])[stream]


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
    missing = [stream for stream in late if stream not in known]
    sealed = Shuffle.objects.filter(pk__in=missing).values_list("game_id", "sealed")
    known |= {stream: start(stream, unseal(secret)) for stream, secret in sealed}
    now = instant_now()
    new: defaultdict[int, list[StoredEvent]] = defaultdict(list)
    for event in store.read_many({stream: one.head.seq for stream, one in known.items()}):
        new[event.stream].append(event)
    folded = {
        stream: fold(one, ripe(new[stream], now - late[stream] * 1_000_000))
        for stream, one in known.items()
    }
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
