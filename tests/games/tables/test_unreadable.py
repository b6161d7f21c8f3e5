"""A table whose log cannot be read keeps no other table from anyone."""

import logging

import pytest
from django.db import connection
from django.test import Client

from games.tables import selectors
from games.tables.folding import CACHE
from games.tables.loading import load, public_fold
from games.tables.models import Game, Shuffle
from games.tables.outcomes import TableError
from tests.games.play import opened

pytestmark = pytest.mark.django_db


def retype_an_event(stream: int) -> None:
    """What a superuser could do who switches the triggers off."""
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        cursor.execute(
            "UPDATE eventstore_event SET type = 'card_eaten' WHERE stream = %s AND seq = 2",
            [stream],
        )
        cursor.execute("SET session_replication_role = origin")
    CACHE.forget(stream)


def seal_under_a_lost_key(stream: int) -> None:
    Shuffle.objects.filter(pk=stream).update(sealed=b"nobody can open this")
    CACHE.forget(stream)


@pytest.mark.parametrize("spoil", [retype_an_event, seal_under_a_lost_key])
def test_the_other_tables_are_still_listed(spoil, client: Client, caplog) -> None:
    spoilt, sound = opened(), opened()
    spoil(spoilt.stream)
    with caplog.at_level(logging.CRITICAL, logger="games.tables.loading"):
        listed = {table.public_id for table in selectors.live_tables()}
        assert client.get("/tables/").status_code == 200
    assert sound.public_id in listed
    assert spoilt.public_id not in listed


@pytest.mark.parametrize("spoil", [retype_an_event, seal_under_a_lost_key])
def test_the_table_itself_says_that_its_log_cannot_be_read(spoil, client: Client, caplog) -> None:
    spoilt: Game = opened()
    spoil(spoilt.stream)
    with caplog.at_level(logging.CRITICAL, logger="games.tables.loading"):
        for ask in (load, public_fold):
            with pytest.raises(TableError) as refused:
                ask(spoilt.stream)
            assert refused.value.code == "log-unreadable"
        assert client.get(f"/tables/{spoilt.public_id}/").status_code in (404, 503)
