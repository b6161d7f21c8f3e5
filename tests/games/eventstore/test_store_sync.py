"""The store on Django's connection, and what the caller's transaction means to it."""

import pytest
from django.db import connection, transaction

from games.eventstore import store as sync_store
from games.eventstore.chain import EMPTY, Appended, Conflict, Repeated
from tests.games.eventstore.conformance import StoreConformance
from tests.games.eventstore.helpers import COMMITTED, WaitedFor, a_stream, drawn


class TestSyncStore(StoreConformance):
    @pytest.fixture
    def store(self):
        return sync_store


@pytest.mark.django_db
def test_a_conflict_or_a_repeat_leaves_the_callers_transaction_whole() -> None:
    stream, head = a_stream(2)
    with transaction.atomic():
        conflict = sync_store.append(stream, EMPTY, [drawn(), drawn()], by="p-carla")
        repeat = sync_store.append(stream, EMPTY, [drawn()], by="p-carla", command_id="draw 0")
        after = sync_store.append(stream, head, [drawn()], by="p-carla")
    assert isinstance(conflict, Conflict)
    assert isinstance(repeat, Repeated)
    assert isinstance(after, Appended)
    assert sync_store.head_of(stream) == after.head


@pytest.mark.django_db
def test_an_append_is_one_statement_and_takes_no_savepoint() -> None:
    stream, head = a_stream(1)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_current_xact_id()::text")
        own = cursor.fetchone()
        sync_store.append(stream, head, [drawn()], by="p-carla")
        # A subtransaction would leave an id of its own in the row.
        cursor.execute(
            "SELECT xmin::text FROM eventstore_event WHERE stream = %s AND seq = 2", [stream]
        )
        assert cursor.fetchone() == own


@COMMITTED
def test_events_of_a_transaction_that_fails_were_never_there() -> None:
    stream, head = a_stream(1)
    with transaction.atomic():
        lost = sync_store.append(stream, head, [drawn()], by="p-carla")
        transaction.set_rollback(True)
    assert sync_store.head_of(stream) == head
    # Whoever still holds the head that was rolled back cannot leave a gap behind it.
    assert sync_store.append(stream, lost.head, [drawn()], by="p-carla") == Conflict(head)


@COMMITTED
def test_several_streams_are_read_at_once_each_from_its_own_place() -> None:
    (one, _), (two, _), (three, _) = a_stream(3), a_stream(2), a_stream(1)
    found = sync_store.read_many({two: 0, one: 2, three: 1})
    assert [(event.stream, event.seq) for event in found] == [(one, 3), (two, 1), (two, 2)]
    assert sync_store.read_many({}) == []


@COMMITTED
def test_both_stores_read_what_the_other_wrote() -> None:
    with WaitedFor() as live:
        stream = live.open_stream("game")
        first = live.append(stream, EMPTY, [drawn()], by="p-carla", command_id="a")
        second = sync_store.append(stream, first.head, [drawn()], by="p-carla", command_id="b")
        assert isinstance(second, Appended)
        assert sync_store.outcome_of(stream, "a") == Repeated(first.events)
        assert live.outcome_of(stream, "b") == Repeated(second.events)
        assert live.read(stream) == sync_store.read(stream) == [*first.events, *second.events]
