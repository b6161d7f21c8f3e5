"""A change that got past the database is found, whatever was changed."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from games.eventstore import store
from games.eventstore.chain import EMPTY, Head
from games.eventstore.verify import Fault, HeadsFileError, StreamHead, read_heads, verify
from tests.games.eventstore.helpers import a_stream, discarded, drawn

# Each test is one transaction that is taken back, so that no fault stays in the database.
pytestmark = pytest.mark.django_db


@pytest.fixture
def superuser() -> None:
    """Someone who may switch the triggers off."""
    run("SET LOCAL session_replication_role = replica")


def run(statement: str, *parameters: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        assert cursor.rowcount != 0


def checked(stream: int, *known: StreamHead) -> StreamHead | Fault:
    [result] = verify(stream, known)
    return result


def command(*arguments: str | Path) -> str:
    out, err = StringIO(), StringIO()
    try:
        call_command("verify", *map(str, arguments), stdout=out, stderr=err)
    except CommandError as error:
        error.args = (err.getvalue() + str(error),)
        raise
    return out.getvalue()


def test_an_untouched_stream_is_verified_up_to_its_head() -> None:
    stream, head = a_stream(5)
    assert checked(stream) == StreamHead(stream, head)


@pytest.mark.usefixtures("superuser")
@pytest.mark.parametrize(
    "edit",
    [
        "at = at + interval '1 microsecond'",
        "by = 'p-furio'",
        "type = 'discarded'",
        'data = convert_to(\'{"card":"QH","seat":2}\', \'UTF8\')',
        "data = data || convert_to(' ', 'UTF8')",
        "hash = set_byte(hash, 31, (get_byte(hash, 31) + 1) %% 256)",
        "hash = ''",
    ],
)
@pytest.mark.parametrize("seq", [1, 3, 5])
def test_a_change_of_any_field_of_any_event_is_found(edit: str, seq: int) -> None:
    stream, _ = a_stream(5)
    run(f"UPDATE eventstore_event SET {edit} WHERE stream = %s AND seq = %s", stream, seq)
    fault = checked(stream)
    assert isinstance(fault, Fault)
    assert fault.seq == seq


@pytest.mark.usefixtures("superuser")
@pytest.mark.parametrize(
    ("removed", "missing"), [("seq = 1", 1), ("seq = 3", 3), ("seq IN (2, 3)", 2)]
)
def test_a_missing_event_is_named(removed: str, missing: int) -> None:
    stream, _ = a_stream(5)
    run(f"DELETE FROM eventstore_event WHERE stream = %s AND {removed}", stream)
    fault = checked(stream)
    assert isinstance(fault, Fault)
    assert (fault.seq, fault.words.split(",")[0]) == (missing, "missing")


@pytest.mark.usefixtures("superuser")
def test_events_that_changed_places_are_found() -> None:
    stream, _ = a_stream(4)
    run("UPDATE eventstore_event SET seq = 9 WHERE stream = %s AND seq = 2", stream)
    run("UPDATE eventstore_event SET seq = 2 WHERE stream = %s AND seq = 3", stream)
    run("UPDATE eventstore_event SET seq = 3 WHERE stream = %s AND seq = 9", stream)
    fault = checked(stream)
    assert isinstance(fault, Fault)
    assert fault.seq == 2


@pytest.mark.usefixtures("superuser")
def test_an_event_moved_to_another_stream_is_found_in_both() -> None:
    (one, _), (two, _) = a_stream(4), a_stream(2)
    run("UPDATE eventstore_event SET stream = %s WHERE stream = %s AND seq = 3", two, one)
    assert isinstance(checked(one), Fault)
    assert isinstance(checked(two), Fault)


@pytest.mark.usefixtures("superuser")
def test_an_event_forged_with_its_own_hash_is_found_at_the_next() -> None:
    stream, _ = a_stream(5)
    forge(stream, 3, 3)
    fault = checked(stream)
    assert isinstance(fault, Fault)
    assert fault.seq == 4


@pytest.mark.usefixtures("superuser")
def test_a_stream_forged_to_its_end_is_found_by_a_head_kept_elsewhere() -> None:
    stream, head = a_stream(5)
    forge(stream, 3, 5)
    assert isinstance(checked(stream), StreamHead)
    fault = checked(stream, StreamHead(stream, head))
    assert isinstance(fault, Fault)
    assert (fault.seq, fault.words) == (5, "its hash is not the one that was kept elsewhere")


def forge(stream: int, first: int, last: int) -> None:
    """Rewrite events with hashes that fit."""
    events = store.read(stream)
    prev = events[first - 2].hash
    for event in events[first - 1 : last]:
        forged = event._replace(by="p-furio")
        digest = forged.expected_digest(prev)
        run(
            "UPDATE eventstore_event SET by = %s, hash = %s WHERE stream = %s AND seq = %s",
            forged.by,
            digest,
            stream,
            event.seq,
        )
        prev = digest.hex()


@pytest.mark.usefixtures("superuser")
def test_missing_last_events_are_found_by_a_head_kept_elsewhere() -> None:
    stream, head = a_stream(5)
    run("DELETE FROM eventstore_event WHERE stream = %s AND seq > 3", stream)
    assert isinstance(checked(stream), StreamHead)  # the chain alone cannot tell
    fault = checked(stream, StreamHead(stream, head))
    assert fault == Fault(stream, 4, "missing: the stream once reached event 5")


@pytest.mark.usefixtures("superuser")
def test_a_whole_stream_that_is_gone_is_found_by_a_head_kept_elsewhere() -> None:
    streams = [a_stream(2) for _ in range(3)]
    known = [StreamHead(stream, head) for stream, head in streams]
    for gone in (1, 2):
        run("DELETE FROM eventstore_event WHERE stream = %s", streams[gone][0])
    results = {r.stream: r for r in verify(None, known) if r.stream >= streams[0][0]}
    assert [isinstance(results[stream], Fault) for stream, _ in streams] == [False, True, True]


def test_a_stream_that_has_grown_still_fits_its_old_head() -> None:
    stream, old = a_stream(3)
    new = store.append(stream, old, [drawn()], by="p-carla").head
    assert checked(stream, StreamHead(stream, old)) == StreamHead(stream, new)


def test_a_stream_longer_than_a_page_is_verified_across_pages() -> None:
    stream = store.open_stream("game")
    head = store.append(stream, EMPTY, [drawn()] * 2500, by="p-carla").head
    assert checked(stream) == StreamHead(stream, head)


def test_the_command_checks_every_stream_and_keeps_heads(tmp_path: Path) -> None:
    heads = tmp_path / "heads"
    stream, head = a_stream(4)
    assert "checked" in command("--write-heads", heads)
    assert f"{stream} 4 {head.hash}\n" in heads.read_text()
    assert list(tmp_path.iterdir()) == [heads]
    store.append(stream, head, [discarded()], by="p-carla")
    assert "checked" in command("--heads", heads)
    assert "1 stream, 5 events checked." in command("--heads", heads, "--stream", str(stream))


@pytest.mark.usefixtures("superuser")
def test_the_command_names_the_first_fault_of_a_stream_and_fails(tmp_path: Path) -> None:
    heads = tmp_path / "heads"
    stream, _ = a_stream(4)
    command("--write-heads", heads)
    good = heads.read_text()
    run("UPDATE eventstore_event SET by = 'p-furio' WHERE stream = %s AND seq > 1", stream)
    with pytest.raises(CommandError) as failure:
        command("--write-heads", heads)
    assert f"stream {stream}, event 2: its hash does not fit" in str(failure.value)
    assert "1 fault found." in str(failure.value)
    assert heads.read_text() == good  # a bad run does not spoil good heads
    assert failure.value.returncode == 1


def test_a_stream_that_does_not_exist_is_an_error_not_a_success() -> None:
    with pytest.raises(CommandError, match="no events"):
        command("--stream", str(2**62))


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("1 2\n", 1),
        ("1 2 xyz\n", 1),
        (f"2 1 {'a' * 64}\n1 1 {'a' * 64}\n", 2),
        (f"2 1 {'a' * 64}\n\n", 2),
    ],
)
def test_a_file_of_heads_that_makes_no_sense_is_refused_with_its_line(
    tmp_path: Path, line: str, number: int
) -> None:
    with pytest.raises(HeadsFileError, match=f"line {number}"):
        list(read_heads(line.splitlines(keepends=True)))
    heads = tmp_path / "heads"
    heads.write_text(line)
    with pytest.raises(CommandError, match=f"line {number}"):
        command("--heads", heads)


def test_a_stream_before_the_first_is_refused_and_not_all_are_checked_instead() -> None:
    with pytest.raises(CommandError, match="counted from 1"):
        command("--stream", 0)


def test_heads_are_read_as_they_are_written() -> None:
    heads = [StreamHead(1, Head(4, "ab" * 32)), StreamHead(7, Head(1, "0f" * 32))]
    assert list(read_heads(head.line() for head in heads)) == heads


@pytest.mark.usefixtures("superuser")
def test_events_from_a_server_that_had_come_further_are_reported() -> None:
    stream, _ = a_stream(1)
    run("UPDATE eventstore_event SET txid = %s WHERE stream = %s", 5 << 32, stream)
    with pytest.raises(CommandError, match="pg_resetwal --epoch=6"):
        command()
