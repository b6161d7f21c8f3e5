"""The database itself refuses to change what happened, whoever asks."""

import pytest
from django.db import DatabaseError, connection, transaction

from games.eventstore import store
from games.eventstore.models import Stream
from tests.games.eventstore.helpers import a_stream

pytestmark = pytest.mark.django_db

CHANGES = [
    "UPDATE eventstore_event SET data = '{}'",
    "UPDATE eventstore_event SET data = data WHERE false",
    "DELETE FROM eventstore_event",
    "TRUNCATE eventstore_event",
    "UPDATE eventstore_stream SET kind = 'other'",
    "DELETE FROM eventstore_stream",
    "TRUNCATE eventstore_stream CASCADE",
    "INSERT INTO eventstore_event (stream, seq, at, type, by, data, hash) "
    "SELECT stream, seq, at, type, by, '{}', hash FROM eventstore_event "
    "ON CONFLICT (stream, seq) DO UPDATE SET data = excluded.data",
    "MERGE INTO eventstore_event AS e USING eventstore_stream AS s ON e.stream = s.id "
    "WHEN MATCHED THEN DELETE",
]


@pytest.fixture
def stream() -> int:
    return a_stream(2)[0]


def refused(statement: str) -> None:
    with (
        pytest.raises(DatabaseError, match="is refused: events are never changed or removed"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)


def run(*statements: str) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


@pytest.mark.parametrize("change", CHANGES)
def test_a_superuser_who_owns_the_table_is_refused(stream: int, change: str) -> None:
    before = store.read(stream)
    refused(change)
    assert store.read(stream) == before


@pytest.mark.parametrize("change", CHANGES)
def test_an_owner_who_is_no_superuser_is_refused(stream: int, change: str) -> None:
    run(
        "CREATE ROLE keeper",
        "GRANT CREATE ON SCHEMA public TO keeper",
        "ALTER TABLE eventstore_event OWNER TO keeper",
        "ALTER TABLE eventstore_stream OWNER TO keeper",
        # Tables that point to streams stand in the way of TRUNCATE only by rights not given.
        "GRANT ALL ON ALL TABLES IN SCHEMA public TO keeper",
        "SET LOCAL ROLE keeper",
    )
    refused(change)


@pytest.mark.parametrize("change", CHANGES)
def test_a_plain_role_with_all_rights_is_refused(stream: int, change: str) -> None:
    run(
        "CREATE ROLE player",
        "GRANT ALL ON ALL TABLES IN SCHEMA public TO player",
        "SET LOCAL ROLE player",
    )
    refused(change)


def test_the_orm_is_refused(stream: int) -> None:
    with pytest.raises(DatabaseError, match="is refused"), transaction.atomic():
        Stream.objects.filter(pk=stream).update(kind="other")
    with pytest.raises(DatabaseError, match="is refused"), transaction.atomic():
        Stream.objects.get(pk=stream).delete()


def test_the_flush_of_a_test_database_passes_the_log_by() -> None:
    assert not {"eventstore_event", "eventstore_stream"} & set(
        connection.introspection.django_table_names(only_existing=True)
    )
