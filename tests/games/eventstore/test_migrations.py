"""A log that an older version wrote, after its table was built anew."""

import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256

import psycopg
import pytest

from deploy.embedded import ROOT
from games.eventstore.aio import AsyncStore, database
from games.eventstore.chain import EMPTY, Appended, Repeated, chained
from tests.games.eventstore.helpers import COMMITTED, drawn
from tests.games.processes import environment

pytestmark = COMMITTED

NAME = "pozzetto_older_log"


@pytest.fixture
def older() -> Iterator[str]:
    """The address of a database of its own, on this test run's server."""
    with psycopg.connect(database(), autocommit=True) as server:
        server.execute(f"DROP DATABASE IF EXISTS {NAME} WITH (FORCE)")
        server.execute(f"CREATE DATABASE {NAME}")
        yield psycopg.conninfo.make_conninfo(database(), dbname=NAME)
        server.execute(f"DROP DATABASE {NAME} WITH (FORCE)")


def migrate(to: str) -> None:
    known = environment()
    address = known["DATABASE_URL"].rpartition("/")[0] + f"/{NAME}"
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "eventstore", to, "--verbosity", "0"],
        cwd=ROOT,
        env=known | {"DATABASE_URL": address},
        check=True,
    )


def older_key(command_id: str) -> int:
    return int.from_bytes(sha256(command_id.encode()).digest()[:8], "big", signed=True)


async def test_a_narrower_table_keeps_events_commands_and_refusals(older: str) -> None:
    """design.md §4: events stay, a repeated command is still known, no event can be changed."""
    migrate("0001")
    told = {stream: chained(stream, EMPTY, [drawn()] * 3, by="p1", instant=7) for stream in (1, 2)}
    with psycopg.connect(older, autocommit=True) as connection:
        for stream, events in told.items():
            connection.execute("INSERT INTO eventstore_stream (kind) VALUES ('game')")
            for event in events:
                connection.execute(
                    "INSERT INTO eventstore_event"
                    " (stream, seq, at, type, by, data, hash, command_key)"
                    " VALUES (%s, %s, '2000-01-01Z'::timestamptz + interval '7 microseconds',"
                    " %s, %s, %s, %s, %s)",
                    (
                        stream,
                        event.seq,
                        event.type,
                        event.by,
                        event.data,
                        event.digest,
                        older_key(f"draw {event.seq}"),
                    ),
                )
    migrate("0002")

    async with AsyncStore(older) as store:
        for stream, events in told.items():
            kept = await store.read(stream)
            assert [event.line("") for event in kept] == [event.line("") for event in events]
            again = await store.append(
                stream, EMPTY, [drawn()], by="p1", command_id="draw 2", at=None
            )
            assert isinstance(again, Repeated)
            assert [event.seq for event in again.events] == [2]
            following = await store.append(
                stream, kept[-1].head, [drawn()], by="p1", command_id="draw 4"
            )
            assert isinstance(following, Appended)
    with psycopg.connect(older, autocommit=True) as connection:
        for change in ("UPDATE eventstore_event SET by = ''", "TRUNCATE eventstore_event"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(change)
