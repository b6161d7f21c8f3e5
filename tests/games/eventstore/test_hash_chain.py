"""The hash by the letter of the move language, against the standard library."""

import json
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from games.eventstore.chain import (
    EMPTY,
    NewEvent,
    canonical,
    chained,
    instant_of,
    instant_text,
)
from tests.games.eventstore.helpers import hash_by_the_book

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)


@given(values)
def test_canonical_json_is_sorted_without_spaces_and_unescaped(value: object) -> None:
    expected = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert canonical(value) == expected.encode()


@given(by=texts, data=st.lists(st.dictionaries(texts, values, max_size=3), min_size=1, max_size=3))
def test_a_chain_is_what_anyone_computes_from_the_words_of_the_specification(
    by: str, data: list[dict]
) -> None:
    events = chained(
        7, EMPTY, [NewEvent("noted", canonical(one)) for one in data], by=by, instant=0
    )
    prev = EMPTY.hash
    for seq, event in enumerate(events, start=1):
        assert event.seq == seq
        assert event.hash == hash_by_the_book(prev, event)
        prev = event.hash


def test_a_known_event_has_a_known_hash() -> None:
    [event] = chained(1, EMPTY, [NewEvent("noted", b"{}")], by="p", instant=0)
    assert event.at == "2000-01-01T00:00:00.000000Z"
    assert event.hash == "a34bf83ac040d21cbe08d64312a96e76577839724edb9236ed6d33b7bde62770"


def test_an_event_becomes_a_line_of_a_record_with_all_its_fields() -> None:
    data = canonical({"seat": 2, "card": "QS"})
    [event] = chained(1, EMPTY, [NewEvent("discarded", data)], by="p-è", instant=5)
    line = event.line(EMPTY.hash)
    assert json.loads(line) == {
        "seq": 1,
        "type": "discarded",
        "at": "2000-01-01T00:00:00.000005Z",
        "by": "p-è",
        "data": {"card": "QS", "seat": 2},
        "prev": EMPTY.hash,
        "hash": event.hash,
    }
    assert line == canonical(json.loads(line))


@given(st.datetimes(datetime(1970, 1, 1), datetime(2200, 1, 1)))  # noqa: DTZ001
def test_instants_keep_every_microsecond(moment: datetime) -> None:
    moment = moment.replace(tzinfo=UTC)
    assert datetime.fromisoformat(instant_text(instant_of(moment))) == moment
    later = instant_of(moment + timedelta(microseconds=1))
    assert instant_text(instant_of(moment)) < instant_text(later)
