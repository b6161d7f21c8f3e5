"""The store of the live path: batches, lost connections, locks, an orderly end."""

import asyncio
from collections.abc import Iterator

import psycopg
import pytest
from psycopg.errors import LockNotAvailable

from games.eventstore import sql
from games.eventstore.aio import AsyncStore, StoreClosedError, database
from games.eventstore.chain import EMPTY, Appended, Conflict, NewEvent, Repeated
from tests.games.eventstore.conformance import StoreConformance
from tests.games.eventstore.helpers import COMMITTED, WaitedFor, discarded, drawn

pytestmark = COMMITTED


class TestAsyncStore(StoreConformance):
    @pytest.fixture
    def store(self) -> Iterator[WaitedFor]:
        with WaitedFor() as store:
            yield store


async def test_in_a_batch_each_command_stands_on_its_own() -> None:
    async with AsyncStore(database(), writers=1) as store:
        streams = [await store.open_stream("game") for _ in range(30)]
        heads = [
            (await store.append(stream, EMPTY, [drawn()], by="p-carla", command_id="a")).head
            for stream in streams
        ]
        outcomes = await asyncio.gather(
            *(
                store.append(
                    stream,
                    EMPTY if place % 3 == 1 else head,
                    [discarded()] * (1 + place % 2),
                    by="p-carla",
                    command_id="a" if place % 3 == 2 else None,
                )
                for place, (stream, head) in enumerate(zip(streams, heads, strict=True))
            )
        )
        for place, outcome in enumerate(outcomes):
            assert isinstance(outcome, (Appended, Conflict, Repeated)[place % 3])
            written = (await store.read(streams[place]))[1:]
            assert written == (list(outcome.events) if isinstance(outcome, Appended) else [])


async def test_commands_for_one_stream_that_wait_together_are_answered_in_turn() -> None:
    async with AsyncStore(database(), writers=1) as store:
        stream = await store.open_stream("game")
        outcomes = await asyncio.gather(
            *(store.append(stream, EMPTY, [drawn()], by=f"p-{seat}") for seat in range(5))
        )
        [first, *others] = outcomes
        assert isinstance(first, Appended)
        assert others == [Conflict(first.head)] * 4


async def test_a_command_that_the_database_cannot_hold_spoils_no_other() -> None:
    async with AsyncStore(database(), writers=1) as store:
        streams = [await store.open_stream("game") for _ in range(5)]
        outcomes = await asyncio.gather(
            *(
                store.append(stream, EMPTY, [drawn()], by="p-\x00" if place == 2 else "p-carla")
                for place, stream in enumerate(streams)
            ),
            return_exceptions=True,
        )
        assert isinstance(outcomes.pop(2), psycopg.Error)
        assert all(isinstance(outcome, Appended) for outcome in outcomes)


async def test_a_caller_that_goes_away_takes_nothing_back_and_harms_no_other() -> None:
    async with AsyncStore(database(), writers=1) as store:
        stream, other = await store.open_stream("game"), await store.open_stream("game")
        gone = asyncio.create_task(store.append(stream, EMPTY, [drawn()], by="p-carla"))
        stays = asyncio.create_task(store.append(other, EMPTY, [drawn()], by="p-dino"))
        await asyncio.sleep(0)
        gone.cancel()
        assert isinstance(await stays, Appended)
        with pytest.raises(asyncio.CancelledError):
            await gone
        assert (await store.head_of(stream)).seq == 1


async def test_closing_writes_what_waits_and_then_refuses() -> None:
    store = AsyncStore(database(), writers=1)
    with pytest.raises(StoreClosedError):
        await store.append(1, EMPTY, [drawn()], by="p-carla")
    await store.open()
    streams = [await store.open_stream("game") for _ in range(200)]
    waiting = [
        asyncio.create_task(store.append(stream, EMPTY, [drawn()], by="p-carla"))
        for stream in streams
    ]
    await asyncio.sleep(0)
    await store.close()
    assert all(isinstance(outcome, Appended) for outcome in await asyncio.gather(*waiting))
    with pytest.raises(StoreClosedError):
        await store.append(streams[0], EMPTY, [drawn()], by="p-carla")


async def test_after_lost_connections_a_command_is_carried_out_once() -> None:
    async with AsyncStore(database(), writers=1) as store:
        stream = await store.open_stream("game")
        first = await store.append(stream, EMPTY, [drawn()], by="p-carla", command_id="a")
        cut_connections()
        second = await store.append(stream, first.head, [drawn()], by="p-carla", command_id="b")
        assert isinstance(second, Appended)
        assert await store.read(stream) == [*first.events, *second.events]


async def test_after_lost_connections_a_stream_is_read_all_the_same() -> None:
    async with AsyncStore(database()) as store:
        stream = await store.open_stream("game")
        first = await store.append(stream, EMPTY, [drawn()], by="p-carla")
        cut_connections()
        assert await store.read(stream) == list(first.events)


def cut_connections() -> None:
    with psycopg.connect(database(), autocommit=True) as administrator:
        administrator.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND application_name = 'pozzetto live'"
        )


async def test_connections_lost_while_nothing_is_under_way_are_replaced() -> None:
    async with AsyncStore(database(), writers=1) as store:
        stream = await store.open_stream("game")
        first = await store.append(stream, EMPTY, [drawn()], by="p-carla")
        cut_connections()
        await asyncio.sleep(0.2)  # the event loop sees the end of the line before anyone asks
        second = await store.append(stream, first.head, [drawn()], by="p-carla")
        assert isinstance(second, Appended)


async def test_a_command_that_goes_in_asks_the_database_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """design.md §4: the hot path is one INSERT."""
    async with AsyncStore(database(), writers=1) as store:
        streams = [await store.open_stream("game") for _ in range(3)]

        async def asked(*_: object) -> None:
            raise AssertionError("one statement was enough")

        monkeypatch.setattr(store, "_fetch", asked)
        opened = await asyncio.gather(
            *(store.append(stream, EMPTY, [drawn()] * 2, by="p-carla") for stream in streams)
        )
        alone = await store.append(streams[0], opened[0].head, [drawn()], by="p-carla")
        assert all(isinstance(outcome, Appended) for outcome in (*opened, alone))


async def test_a_batch_larger_than_what_the_line_holds_goes_through() -> None:
    large = NewEvent("noted", b'{"words":"%b"}' % (b"a" * 400_000))
    async with AsyncStore(database(), writers=1) as store:
        streams = [await store.open_stream("game") for _ in range(40)]
        outcomes = await asyncio.gather(
            *(store.append(stream, EMPTY, [large], by="p-carla") for stream in streams)
        )
        assert all(isinstance(outcome, Appended) for outcome in outcomes)
        assert [event.data for event in await store.read(streams[-1])] == [large.data]


async def test_a_commit_whose_answer_was_lost_is_still_answered_as_our_own() -> None:
    async with AsyncStore(database(), writers=1) as store:
        stream = await store.open_stream("game")
        write = sql.prepare(stream, EMPTY, [drawn()], by="p-carla", command_id="a", at=None)
        assert await store._written(write)  # the first try, whose answer nobody got
        assert not await store._written(write)  # the second
        assert await store._outcome(write, went_in=False) == Appended(write.events)


async def test_a_transaction_that_holds_a_place_delays_other_streams_but_shortly() -> None:
    async with AsyncStore(database(), writers=1) as store:
        held, free = await store.open_stream("game"), await store.open_stream("game")
        with psycopg.connect(database()) as other:
            sql.adapt(other)
            write = sql.prepare(held, EMPTY, [drawn()], by="p-dino", command_id=None, at=None)
            other.cursor(binary=True).execute(*sql.statement([write]))
            waiting = asyncio.create_task(store.append(held, EMPTY, [drawn()], by="p-carla"))
            outcome = await store.append(free, EMPTY, [drawn()], by="p-carla")
            assert isinstance(outcome, Appended)
            assert not waiting.done()
            other.commit()
        assert await waiting == Conflict(write.events[-1].head)


async def test_a_transaction_that_never_ends_is_an_error_for_its_place_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("games.eventstore.aio.LOCK_TRIES", 2)
    async with AsyncStore(database(), writers=1) as store:
        held = await store.open_stream("game")
        with psycopg.connect(database()) as other:
            sql.adapt(other)
            write = sql.prepare(held, EMPTY, [drawn()], by="p-dino", command_id=None, at=None)
            other.cursor(binary=True).execute(*sql.statement([write]))
            with pytest.raises(LockNotAvailable):
                await store.append(held, EMPTY, [drawn()], by="p-carla")
            other.rollback()
        assert isinstance(await store.append(held, EMPTY, [drawn()], by="p-carla"), Appended)
