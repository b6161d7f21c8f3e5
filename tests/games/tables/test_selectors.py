"""What is asked of tables: at the same cost for few and for many, and nothing that is not shown."""

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.rules.record import FORMAT
from games.tables import selectors, services
from games.tables.folding import CACHE
from games.tables.loading import load_many
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
