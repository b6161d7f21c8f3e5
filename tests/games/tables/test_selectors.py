"""What is asked of tables: at the same cost for few and for many, and nothing that is not shown."""

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.rules.record import FORMAT
from games.tables import selectors, services
from games.tables.folding import CACHE
from games.tables.loading import load_at, load_many
from games.tables.models import Game
from games.tables.outcomes import TableError
from tests.games.play import moves, opened, play

pytestmark = pytest.mark.django_db


def tables(number: int) -> list[Game]:
    """Of three, two are being played and one is over."""
    made = [opened(club=7) for _ in range(number)]
    for game in made[::3]:
        services.end_match(stream=game.stream, by="palba")
    return made


def queries_of_each(made: list[Game]) -> dict[str, int]:
    """How many queries each selector makes when nothing is cached."""
    one = made[1].public_id
    asked = {
        "live": selectors.live_tables,
        "live of a club": lambda: selectors.live_tables(club=7),
        "boards": selectors.live_boards,
        "finished": selectors.finished_tables,
        "one": lambda: selectors.table_summary(one),
        "view": lambda: selectors.current_view(one, "public"),
        "folded": lambda: load_many([game.stream for game in made]),
        "record": lambda: list(selectors.export_record(one)),
    }
    counted = {}
    for name, ask in asked.items():
        for game in made:
            CACHE.forget(game.stream)
        with CaptureQueriesContext(connection) as captured:
            ask()
        counted[name] = len(captured)
    return counted


def test_lists_cost_the_same_however_many_tables_there_are():
    few = tables(3)
    for_few = queries_of_each(few)
    many = few + tables(27)
    assert len(selectors.live_tables()) == 20
    assert len(selectors.finished_tables()) == 10
    assert queries_of_each(many) == for_few
    assert max(for_few.values()) <= 6


def test_a_list_holds_a_clubs_own_tables_only():
    opened(club=7)
    other = opened(club=8)
    assert [table.public_id for table in selectors.live_tables(club=8)] == [other.public_id]


def test_a_finished_match_gives_a_complete_record_with_hashes():
    game = opened("burraco-italiano", deals=1)
    play(game, seed=8)
    header, *lines = [json.loads(line) for line in selectors.export_record(game.public_id)]
    assert header["format"] == FORMAT
    assert "view" not in header
    assert header["head"] == lines[-1]["hash"]
    assert [line["prev"] for line in lines[1:]] == [line["hash"] for line in lines[:-1]]
    drawn = [line for line in lines if line["type"] == "card_drawn"]
    assert drawn
    assert all("card" in line["data"] for line in drawn)


def spoil(stream: int, seq: int) -> None:
    """What a superuser could do who switches the triggers off: an event that no one can read."""
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        cursor.execute(
            "UPDATE eventstore_event SET type = 'card_eaten' WHERE stream = %s AND seq = %s",
            [stream, seq],
        )
        cursor.execute("SET session_replication_role = origin")


@pytest.mark.django_db(transaction=True)
def test_a_second_look_at_a_deal_reads_no_other_deal():
    game = opened("burraco-italiano", deals=2)
    play(game, seed=8)
    first = selectors.deal_events(game.public_id, 1)
    second = selectors.deal_events(game.public_id, 2)
    sat = selectors.sitters(game.public_id, 2)
    spoil(game.stream, first.deals[0].first + 3)
    assert selectors.deal_events(game.public_id, 2) == second
    assert selectors.sitters(game.public_id, 2) == sat
    load_at.cache_clear()
    with pytest.raises(TableError) as refused:
        selectors.sitters(game.public_id, 2)
    assert refused.value.code == "log-unreadable"


@pytest.mark.parametrize("over", [True, False])
def test_a_record_is_the_same_however_little_of_it_is_in_memory(over, monkeypatch):
    game = opened("buraco-aberto", deals=2)
    play(game, seed=8, most=10_000 if over else 40)
    lines = list(selectors.export_record(game.public_id))
    assert ("view" in json.loads(lines[0])) is not over
    for page in (1, 7, len(lines) - 1):
        monkeypatch.setattr(selectors, "RECORD_PAGE", page)
        assert list(selectors.export_record(game.public_id)) == lines


def test_a_complete_record_is_given_as_it_is_stored_without_being_played_again():
    game = opened("burraco-italiano", deals=1)
    play(game, seed=8)
    lines = selectors.export_record(game.public_id)
    next(lines)
    spoil(game.stream, 5)
    assert [json.loads(line)["type"] for line in lines][4] == "card_eaten"


def test_the_events_of_a_deal_are_shown_once_it_has_ended():
    game = opened("burraco-italiano", deals=2)
    with pytest.raises(TableError) as refused:
        selectors.deal_events(game.public_id, 1)
    assert refused.value.code == "no-such-deal"
    for _ in moves(game, seed=8):
        if Game.objects.get(pk=game.pk).status == "between":
            break
    events = selectors.deal_events(game.public_id, 1).events
    assert [events[0]["type"], events[1]["type"], events[-1]["type"]] == [
        "game_opened", "deal_started", "deal_scored",
    ]  # fmt: skip
    assert not any("card" in event["data"] for event in events if event["type"] == "card_drawn")
    assert "hand" not in events[1]["data"]
