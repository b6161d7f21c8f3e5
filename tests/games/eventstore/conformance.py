"""What any store must do. Each backend inherits the class and gives it a `store`."""

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone

import pytest
from django.db import connection

from games.eventstore.chain import (
    EMPTY,
    GENESIS,
    Appended,
    Conflict,
    Head,
    NewEvent,
    Outcome,
    Repeated,
)
from tests.games.eventstore.helpers import COMMITTED, Store, discarded, drawn, hash_by_the_book


def at_once(*calls: Callable[[], Outcome]) -> list[Outcome]:
    """Run calls in threads that start together."""
    start = threading.Barrier(len(calls))
    outcomes: list[Outcome] = []

    def run(call: Callable[[], Outcome]) -> None:
        try:
            start.wait()
            outcomes.append(call())
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(outcomes) == len(calls)
    return outcomes


@COMMITTED
class StoreConformance:
    @pytest.fixture
    def stream(self, store: Store) -> int:
        return store.open_stream("game")

    def test_a_new_stream_is_empty(self, store: Store, stream: int) -> None:
        assert store.head_of(stream) == EMPTY == Head(0, "0" * 64)
        assert store.read(stream) == []

    def test_streams_are_told_apart(self, store: Store, stream: int) -> None:
        other = store.open_stream("game")
        store.append(stream, EMPTY, [drawn()], by="p-carla")
        assert other != stream
        assert store.read(other) == []

    def test_events_are_read_back_as_they_were_appended(self, store: Store, stream: int) -> None:
        first = store.append(stream, EMPTY, [drawn("2S")], by="p-carla", command_id="a")
        second = store.append(stream, first.head, [discarded(), drawn("JK")], by="p-dino")

        assert isinstance(first, Appended)
        assert isinstance(second, Appended)
        events = store.read(stream)
        assert events == [*first.events, *second.events]
        assert [(e.stream, e.seq, e.type, e.by, e.data) for e in events] == [
            (stream, 1, "card_drawn", "p-carla", b'{"card":"2S","seat":2}'),
            (stream, 2, "discarded", "p-dino", b'{"card":"QS","seat":2}'),
            (stream, 3, "card_drawn", "p-dino", b'{"card":"JK","seat":2}'),
        ]
        assert [e.opens for e in events] == [True, True, False]
        assert second.head == store.head_of(stream) == events[-1].head

    def test_the_chain_is_that_of_the_move_language(self, store: Store, stream: int) -> None:
        awkward = NewEvent("ruling_made", '{"why":"«é» \\"\\\\ \U0001f0cf"}'.encode())
        store.append(stream, EMPTY, [drawn(), awkward], by='p-"è\\\n\x1f')
        prev = GENESIS
        for event in store.read(stream):
            assert event.hash == hash_by_the_book(prev, event)
            prev = event.hash

    def test_reading_starts_after_a_given_event(self, store: Store, stream: int) -> None:
        store.append(stream, EMPTY, [drawn() for _ in range(5)], by="p-carla")
        assert [e.seq for e in store.read(stream, 3)] == [4, 5]
        assert store.read(stream, 5) == []

    def test_the_time_of_recording_is_now_in_utc(self, store: Store, stream: int) -> None:
        before = datetime.now(UTC)
        outcome = store.append(stream, EMPTY, [drawn()], by="p-carla")
        assert isinstance(outcome, Appended)
        assert outcome.at.endswith("Z")
        assert before <= datetime.fromisoformat(outcome.at) <= datetime.now(UTC)

    @pytest.mark.parametrize(
        ("at", "text"),
        [
            (datetime(2026, 11, 30, 22, 12, 1, 123456, tzinfo=UTC), "2026-11-30T22:12:01.123456Z"),
            (datetime(2026, 11, 30, 22, 12, 1, tzinfo=UTC), "2026-11-30T22:12:01.000000Z"),
            (datetime(1999, 12, 31, 23, 59, 59, 1, tzinfo=UTC), "1999-12-31T23:59:59.000001Z"),
            (
                datetime(2026, 12, 1, tzinfo=timezone(timedelta(hours=2))),
                "2026-11-30T22:00:00.000000Z",
            ),
        ],
    )
    def test_a_given_time_is_written_in_utc_to_the_microsecond(
        self, store: Store, stream: int, at: datetime, text: str
    ) -> None:
        store.append(stream, EMPTY, [drawn()], by="p-carla", at=at)
        assert store.read(stream)[0].at == text

    def test_a_time_without_its_zone_is_refused(self, store: Store, stream: int) -> None:
        with pytest.raises(TypeError):
            store.append(stream, EMPTY, [drawn()], by="p-carla", at=datetime(2026, 11, 30))  # noqa: DTZ001
        assert store.read(stream) == []

    def test_a_command_without_events_is_refused(self, store: Store, stream: int) -> None:
        with pytest.raises(ValueError, match="at least one event"):
            store.append(stream, EMPTY, [], by="p-carla")

    @pytest.mark.parametrize("size", [1, 3])
    def test_a_stale_head_is_answered_with_the_present_one(
        self, store: Store, stream: int, size: int
    ) -> None:
        first = store.append(stream, EMPTY, [drawn()], by="p-carla")
        second = store.append(stream, first.head, [drawn()], by="p-carla")
        for stale in (EMPTY, first.head):
            outcome = store.append(stream, stale, [discarded()] * size, by="p-dino")
            assert outcome == Conflict(second.head)
        assert len(store.read(stream)) == 2

    @pytest.mark.parametrize("size", [1, 3])
    def test_a_head_that_was_never_reached_is_a_conflict(
        self, store: Store, stream: int, size: int
    ) -> None:
        head = store.append(stream, EMPTY, [drawn()], by="p-carla").head
        for invented in (
            Head(2, head.hash),  # would leave a gap
            Head(1, GENESIS),  # would break the chain
            Head(0, head.hash),
            Head(400, "ab" * 32),
        ):
            outcome = store.append(stream, invented, [discarded()] * size, by="p-dino")
            assert outcome == Conflict(head)
        assert len(store.read(stream)) == 1

    def test_the_first_event_follows_the_beginning_and_nothing_else(
        self, store: Store, stream: int
    ) -> None:
        outcome = store.append(stream, Head(0, "ab" * 32), [drawn()], by="p-carla")
        assert outcome == Conflict(EMPTY)

    def test_a_stream_that_was_never_opened_takes_no_events(self, store: Store) -> None:
        nowhere = 2**62
        assert store.append(nowhere, EMPTY, [drawn()], by="p-carla") == Conflict(EMPTY)
        assert store.append(nowhere, EMPTY, [drawn()] * 2, by="p-carla") == Conflict(EMPTY)
        assert store.read(nowhere) == []

    @pytest.mark.parametrize("size", [1, 3])
    def test_a_repeated_command_has_one_effect_and_the_same_answer(
        self, store: Store, stream: int, size: int
    ) -> None:
        before = store.append(stream, EMPTY, [drawn()], by="p-carla", command_id="before")
        first = store.append(
            stream, before.head, [discarded()] * size, by="p-carla", command_id="again"
        )
        assert isinstance(first, Appended)
        after = store.append(stream, first.head, [drawn()] * 2, by="p-dino", command_id="after")

        for head in (before.head, first.head, after.head, Head(9, "ab" * 32), EMPTY):
            repeat = store.append(
                stream, head, [discarded()] * size, by="p-carla", command_id="again"
            )
            assert repeat == Repeated(first.events)
        assert store.head_of(stream) == after.head

    def test_a_repeated_first_command_is_known_too(self, store: Store, stream: int) -> None:
        first = store.append(stream, EMPTY, [drawn()], by="p-carla", command_id="open")
        assert isinstance(first, Appended)
        repeat = store.append(stream, EMPTY, [drawn()], by="p-carla", command_id="open")
        assert repeat == Repeated(first.events)

    def test_what_a_command_led_to_can_be_asked(self, store: Store, stream: int) -> None:
        first = store.append(stream, EMPTY, [drawn(), drawn()], by="p-carla", command_id="a")
        store.append(stream, first.head, [discarded()], by="p-carla")
        assert isinstance(first, Appended)
        assert store.outcome_of(stream, "a") == Repeated(first.events)
        assert store.outcome_of(stream, "b") is None

    def test_commands_without_an_id_never_count_as_repeats(self, store: Store, stream: int) -> None:
        first = store.append(stream, EMPTY, [drawn()], by="p-carla")
        second = store.append(stream, first.head, [drawn()], by="p-carla")
        assert isinstance(second, Appended)

    def test_a_command_id_counts_within_its_stream_only(self, store: Store, stream: int) -> None:
        other = store.open_stream("game")
        store.append(stream, EMPTY, [drawn()], by="p-carla", command_id="a")
        outcome = store.append(other, EMPTY, [drawn()], by="p-carla", command_id="a")
        assert isinstance(outcome, Appended)

    def test_of_commands_racing_for_one_place_one_wins_and_the_others_learn_the_head(
        self, store: Store, stream: int
    ) -> None:
        head = EMPTY
        for size in (1, 2, 1, 3):
            outcomes = at_once(
                *(
                    lambda head=head, size=size, seat=seat: store.append(
                        stream, head, [drawn()] * (size if seat % 2 else 1), by=f"p-{seat}"
                    )
                    for seat in range(6)
                )
            )
            [winner] = [outcome for outcome in outcomes if isinstance(outcome, Appended)]
            assert outcomes.count(Conflict(winner.head)) == 5
            assert store.read(stream, head.seq) == list(winner.events)
            head = winner.head

    def test_of_the_same_command_sent_by_several_at_once_one_takes_effect(
        self, store: Store, stream: int
    ) -> None:
        outcomes = at_once(
            *(
                lambda minute=minute: store.append(
                    stream,
                    EMPTY,
                    [drawn(), discarded()],
                    by="p-carla",
                    command_id="a",
                    at=datetime(2026, 11, 30, 22, minute, tzinfo=UTC),
                )
                for minute in range(6)
            )
        )
        [winner] = [outcome for outcome in outcomes if isinstance(outcome, Appended)]
        assert outcomes.count(Repeated(winner.events)) == 5
        assert store.read(stream) == list(winner.events)

    def test_a_reference_that_the_database_cannot_hold_is_an_error_and_writes_nothing(
        self, store: Store, stream: int
    ) -> None:
        with pytest.raises(Exception, match=r"NUL|0x00"):
            store.append(stream, EMPTY, [drawn()], by="p-\x00")
        assert isinstance(store.append(stream, EMPTY, [drawn()], by="p-carla"), Appended)
