"""Followers: readers of the whole log that keep their place and miss nothing.

May import Django. A follower sees every event exactly once: its rows and its checkpoint are one
transaction. It never reads by a bare counter: numbers are handed out before commits, so a later
one may be seen first, and whoever remembers it never sees the earlier.
"""

from collections.abc import Callable, Sequence

from django.db import transaction

from games.eventstore import sql
from games.eventstore.chain import StoredEvent
from games.eventstore.models import Checkpoint
from games.eventstore.store import fetch

Handler = Callable[[Sequence[StoredEvent]], None]

_FIRST_SPAN = 4096
_LAST_SEQ = 2**31 - 1
_LAST_STREAM = 2**63 - 1


class Follower:
    """Hands the events of all streams to `handle`, in batches, each stream's in order.

    `handle` runs in the transaction that moves the checkpoint; what it raises undoes both. Where
    several processes run the same follower, one works and the others find nothing to do.
    """

    def __init__(self, name: str, handle: Handler, *, batch: int = 500) -> None:
        self.name = name
        self._handle = handle
        self._batch = batch

    def run_once(self) -> int:
        """Handle the next batch, and return how many events it held.

        0: nothing new is settled, or another process is at work. An event is settled once every
        transaction older than its own has ended; a long one delays followers, and only them.
        """
        Checkpoint.objects.bulk_create([Checkpoint(follower=self.name)], ignore_conflicts=True)
        with transaction.atomic():
            place = (
                Checkpoint.objects.select_for_update(skip_locked=True)
                .filter(follower=self.name)
                .first()
            )
            if place is None:
                return 0
            start = place.txid
            events = self._next(place)
            if events:
                self._handle(events)
            if events or place.txid > start + _FIRST_SPAN:  # a quiet log costs no writing
                place.save()
            return len(events)

    def catch_up(self) -> int:
        """Handle batches until nothing new is settled; returns how many events there were."""
        total = 0
        while handled := self.run_once():
            total += handled
        return total

    def _next(self, place: Checkpoint) -> list[StoredEvent]:
        """The events after `place`, which moves behind them.

        The log is searched in spans of transactions, for its index on them is one of ranges: a
        follower far behind must not sort the whole rest for each batch.
        """
        [[horizon]] = fetch(sql.HORIZON, ())
        span = _FIRST_SPAN
        while place.txid < horizon:
            end = min(place.txid + span, horizon)
            rows = fetch(
                sql.SETTLED,
                (place.txid, end, place.txid, place.stream, place.seq, self._batch),
            )
            events = [StoredEvent._make(row[1:]) for row in rows]
            if events:
                place.txid, place.stream, place.seq = rows[-1][0], events[-1].stream, events[-1].seq
                return events
            place.txid, place.stream, place.seq = end - 1, _LAST_STREAM, _LAST_SEQ
            if end == horizon:
                break
            span *= 2
        return []
