"""Followers see every event once, whatever the writers do meanwhile."""

import random
import threading
import time
from collections import Counter
from collections.abc import Sequence

import psycopg
import pytest
from django.db import connection

from games.eventstore import follow, sql, store
from games.eventstore.aio import database
from games.eventstore.chain import EMPTY, StoredEvent
from games.eventstore.models import Checkpoint
from tests.games.eventstore.helpers import COMMITTED, a_stream, discarded, drawn
from tests.games.processes import eventually

pytestmark = COMMITTED


class Follower(follow.Follower):
    """Looks once no transaction of another test run is under way that was there before.

    What is settled is settled for the whole server, and test runs beside this one share it.
    """

    def run_once(self) -> int:
        if before := transactions_elsewhere():
            assert eventually(lambda: not before & transactions_elsewhere())
        return super().run_once()


def transactions_elsewhere() -> set[str]:
    """The ids of transactions under way in other databases."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT backend_xid::text FROM pg_stat_activity "
            "WHERE datname IS DISTINCT FROM current_database() AND backend_xid IS NOT NULL"
        )
        return {xid for (xid,) in cursor.fetchall()}


class Notebook:
    """A handler that writes down what it is shown."""

    def __init__(self) -> None:
        self.events: list[StoredEvent] = []

    def __call__(self, events: Sequence[StoredEvent]) -> None:
        self.events.extend(events)

    def of(self, *streams: int) -> list[tuple[int, int]]:
        return [(e.stream, e.seq) for e in self.events if e.stream in streams]


def test_a_follower_sees_what_was_there_and_what_comes() -> None:
    notebook = Notebook()
    follower = Follower("sees all", notebook)
    stream, head = a_stream(3)
    follower.catch_up()
    assert notebook.of(stream) == [(stream, 1), (stream, 2), (stream, 3)]
    assert notebook.events[-3:] == store.read(stream)

    store.append(stream, head, [drawn(), discarded()], by="p-carla")
    assert follower.catch_up() == 2
    assert notebook.of(stream)[3:] == [(stream, 4), (stream, 5)]
    assert follower.run_once() == 0


def test_a_new_follower_of_the_same_name_goes_on_where_the_old_one_was() -> None:
    a_stream(3)
    Follower("goes on", Notebook()).catch_up()
    stream, _ = a_stream(2)
    notebook = Notebook()
    assert Follower("goes on", notebook).catch_up() == 2
    assert notebook.of(stream) == [(stream, 1), (stream, 2)]


def test_small_batches_break_neither_a_transaction_nor_a_stream() -> None:
    Follower("small", Notebook()).catch_up()
    stream = store.open_stream("game")
    store.append(stream, EMPTY, [drawn()] * 10, by="p-carla")
    notebook = Notebook()
    follower = Follower("small", notebook, batch=3)
    assert [follower.run_once() for _ in range(5)] == [3, 3, 3, 1, 0]
    assert notebook.of(stream) == [(stream, seq) for seq in range(1, 11)]


def test_what_a_handler_raises_leaves_the_events_for_the_next_time() -> None:
    stream, _ = a_stream(2)
    Follower("stumbles", Notebook()).catch_up()
    later, _ = a_stream(2)

    def stumble(events: Sequence[StoredEvent]) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Follower("stumbles", stumble).run_once()
    notebook = Notebook()
    Follower("stumbles", notebook).catch_up()
    assert notebook.of(stream, later) == [(later, 1), (later, 2)]


def test_the_rows_of_a_handler_and_its_checkpoint_are_one_transaction() -> None:
    a_stream(1)

    def write_and_stumble(events: Sequence[StoredEvent]) -> None:
        Checkpoint.objects.create(follower="a row of the handler's")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Follower("one transaction", write_and_stumble).run_once()
    assert not Checkpoint.objects.filter(follower="a row of the handler's").exists()


def test_of_two_followers_with_one_name_one_works_and_the_other_finds_nothing() -> None:
    a_stream(1)
    inside, leave = threading.Event(), threading.Event()

    def linger(events: Sequence[StoredEvent]) -> None:
        inside.set()
        assert leave.wait(10)

    def work() -> None:
        try:
            Follower("twice", linger).run_once()
        finally:
            connection.close()

    worker = threading.Thread(target=work)
    worker.start()
    try:
        assert inside.wait(10)
        notebook = Notebook()
        assert Follower("twice", notebook).run_once() == 0
        assert notebook.events == []
    finally:
        leave.set()
        worker.join()


def test_an_event_committed_late_is_not_passed_by() -> None:
    notebook = Notebook()
    follower = Follower("waits", notebook)
    follower.catch_up()
    slow = store.open_stream("game")
    with psycopg.connect(database()) as other:
        append_on(other, slow)
        quick, _ = a_stream(1)  # a later transaction, committed earlier
        follower.catch_up()
        assert notebook.of(slow, quick) == []  # not settled yet
        other.commit()
    follower.catch_up()
    assert notebook.of(slow, quick) == [(slow, 1), (quick, 1)]


def test_a_streams_order_holds_when_an_earlier_transaction_appends_later() -> None:
    notebook = Notebook()
    follower = Follower("in order", notebook, batch=1)
    follower.catch_up()
    stream = store.open_stream("game")
    with psycopg.connect(database()) as early:
        early.execute("SELECT pg_current_xact_id()")
        store.append(stream, EMPTY, [drawn()], by="p-carla")
        append_on(early, stream)
        early.commit()
    follower.catch_up()
    assert notebook.of(stream) == [(stream, 1), (stream, 2)]


def test_a_follower_finds_its_next_event_behind_many_foreign_transactions() -> None:
    Follower("far behind", Notebook()).catch_up()
    place = Checkpoint.objects.get(follower="far behind")
    place.txid -= 10**6  # as if so many had come since; the store's own lie all behind
    place.save()
    notebook = Notebook()
    Follower("far behind", notebook, batch=7).catch_up()
    assert len(set(notebook.of(*(e.stream for e in notebook.events)))) == len(notebook.events)
    assert Checkpoint.objects.get(follower="far behind").txid > place.txid


def append_on(other: psycopg.Connection, stream: int) -> None:
    """Append an event in somebody else's transaction."""
    sql.adapt(other)
    write = sql.prepare(
        stream, store.head_of(stream), [discarded()], by="p-dino", command_id=None, at=None
    )
    other.cursor(binary=True).execute(*sql.statement([write]))


@pytest.mark.parametrize(
    "seconds", [3, pytest.param(60, marks=[pytest.mark.long, pytest.mark.timeout(180)])]
)
def test_of_what_24_writers_write_a_follower_loses_and_doubles_nothing(seconds: int) -> None:
    notebook = Notebook()
    follower = Follower(f"24 writers {seconds}", notebook)
    follower.catch_up()
    notebook.events.clear()
    end = time.monotonic() + seconds
    written: list[tuple[int, int]] = []
    failures: list[BaseException] = []

    def write(number: int) -> None:
        chance = random.Random(number)
        try:
            with psycopg.connect(database()) as own:
                sql.adapt(own)
                [[stream]] = own.cursor(binary=True).execute(sql.OPEN_STREAM, ("game",))
                own.commit()
                head = EMPTY
                while time.monotonic() < end:
                    # Ids are drawn here, events written there, commits done later still.
                    own.execute("SELECT pg_current_xact_id()")
                    time.sleep(chance.random() * 0.01)
                    events = [drawn()] * chance.choice((1, 1, 3))
                    new = sql.prepare(stream, head, events, by="p-x", command_id=None, at=None)
                    assert own.cursor(binary=True).execute(*sql.statement([new])).rowcount
                    time.sleep(chance.random() * 0.01)
                    if chance.random() < 0.1:
                        own.rollback()
                        continue
                    own.commit()
                    head = new.events[-1].head
                    written.extend((event.stream, event.seq) for event in new.events)
        except BaseException as failure:
            failures.append(failure)

    writers = [threading.Thread(target=write, args=(number,)) for number in range(24)]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        follower.run_once()
        time.sleep(0.002)
    for writer in writers:
        writer.join()
    during = len(notebook.events)
    follower.catch_up()

    assert failures == []
    assert len(written) > 24
    assert during > 0  # it did follow while they wrote
    streams = {stream for stream, _ in written}
    seen = notebook.of(*streams)
    assert Counter(seen) == Counter(written)
    for stream in streams:
        seqs = [seq for one, seq in seen if one == stream]
        assert seqs == sorted(seqs)
