"""The live path of a move: decide on the folded game, append in one statement, answer after it.

Off the ORM. A command that must change rows at once (the end of a deal) goes to the services on a
thread. One instance an event loop; commands of one table go one after another.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

from channels.db import database_sync_to_async

from games.eventstore.aio import AsyncStore
from games.eventstore.chain import Appended, Repeated
from games.rules.moves import AnyMove
from games.rules.refusals import Refusal
from games.tables import loading, planning, services
from games.tables.folding import CACHE, MOST_CACHED, Folded, Step, advanced, encoded, fold, paired
from games.tables.outcomes import Accepted, MoveOutcome, Refused, Stale

THREADS = 6
"""Threads for work on Django's connections; at most so many of its pool are used by the tables."""


class LivePlay:
    """Moves as they come in from sockets."""

    def __init__(
        self, store: AsyncStore, publish: Callable[[int, list[Step], Folded | None], None]
    ) -> None:
        """`publish` is called with the stream, the steps of each command committed here, and the
        game after it.

        Without steps where a command turns out to have been committed before: whoever did that may
        have died before telling.
        """
        self._store = store
        self._publish = publish
        # One that is forgotten too soon costs nothing but a conflict, which the store finds.
        self._lock_of = lru_cache(MOST_CACHED)(lambda stream: asyncio.Lock())
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="tables")

    async def submit(
        self, stream: int, move: AnyMove, *, by: str, seq: int, command_id: str
    ) -> MoveOutcome:
        """Make a well-formed move; the answers of `services.submit_move`."""
        async with self._lock_of(stream):
            return await self._submit(stream, move, by=by, seq=seq, command_id=command_id)

    async def _submit(
        self, stream: int, move: AnyMove, *, by: str, seq: int, command_id: str
    ) -> MoveOutcome:
        folded = await self.load(stream, seq)
        if seq != folded.head.seq:
            known = await self._first_outcome(stream, command_id)
            return known or Stale(folded.head.seq)
        decided = planning.plan_move(folded, move)
        if isinstance(decided, Refusal):
            known = await self._first_outcome(stream, command_id)
            return known or Refused(decided, folded.head.seq)
        if planning.changes_rows(decided):
            return await self.in_thread(
                services.submit_move,
                stream=stream,
                move=move,
                by=by,
                seq=seq,
                command_id=command_id,
            )
        outcome = await self._store.append(
            stream,
            folded.head,
            [encoded(event) for event in decided],
            by=by,
            command_id=command_id,
        )
        if isinstance(outcome, Appended):
            steps = paired(folded, zip(outcome.events, decided, strict=True))
            now = advanced(folded, steps)
            CACHE.put(now)
            self._publish(stream, steps, now)
            return Accepted(now, steps, outcome.head.seq)
        CACHE.forget(stream)
        if isinstance(outcome, Repeated):
            return self._repeated(stream, outcome)
        return Stale(outcome.head.seq)

    async def load(self, stream: int, seq: int) -> Folded:
        """The game, folded at least to `seq` where the store has got that far."""
        folded = CACHE.get(stream)
        if folded is None:
            loaded: Folded = await self.in_thread(loading.load, stream)
            return loaded
        if folded.head.seq < seq:
            folded = fold(folded, await self._store.read(stream, folded.head.seq))
            CACHE.put(folded)
        return folded

    async def in_thread(self, function, /, *args, **kwargs):  # type: ignore[no-untyped-def]
        """Run sync work on the tables' own threads, each with its connection given back."""
        run = database_sync_to_async(function, thread_sensitive=False, executor=self._threads)
        return await run(*args, **kwargs)

    async def _first_outcome(self, stream: int, command_id: str) -> Accepted | None:
        known = await self._store.outcome_of(stream, command_id)
        return None if known is None else self._repeated(stream, known)

    def _repeated(self, stream: int, first: Repeated) -> Accepted:
        self._publish(stream, [], None)
        return Accepted(None, [], first.head.seq, repeated=True)
