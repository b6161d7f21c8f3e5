"""Looking back at real games: who is shown which cards and when, records, embedding, the wall."""

import json
import re
import time
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.core.cache import cache
from django.db import connections
from django.test import AsyncClient, Client
from django.utils import timezone

from frontend import streaming
from frontend.wall import wall_feed
from games.rules.verification import verify_record
from games.rules.views import ALL, PUBLIC
from games.tables import services
from games.tables.models import Game
from games.tables.selectors import finished_tables, live_tables, table_summary
from tests.cast import Cast, make_cast
from tests.frontend.tables import match_of, open_table, play

pytestmark = pytest.mark.django_db

HOUR = 3600


@pytest.fixture(autouse=True)
def no_wall_from_before() -> None:
    cache.clear()


@pytest.fixture
def cast() -> Cast:
    return make_cast()


def events_of(client: Client, table: Game, eyes: str, deal: int = 1) -> list[dict]:
    answer = client.get(f"/tables/{table.public_id}/events.json?deal={deal}&as={eyes}")
    assert answer.status_code == 200, answer.content
    return answer.json()["events"]


@pytest.mark.parametrize("eyes", ["all", "seat-0", "seat-3"])
def test_while_the_match_goes_on_no_one_looks_into_the_hands_of_a_deal_that_has_ended(
    client: Client, cast: Cast, eyes: str
) -> None:
    table = open_table(cast, deals=2)
    play(table)
    answer = client.get(f"/tables/{table.public_id}/events.json?deal=1&as={eyes}")
    assert (answer.status_code, answer.json()["code"]) == (403, "not-revealed")
    page = client.get(f"/tables/{table.public_id}/replay/?as={eyes}").content.decode()
    assert re.search(r'data-events="[^"]*\?deal=1"', page)
    assert "The hands can be seen once the match is over." in page


def test_after_the_match_all_hands_and_the_order_of_the_stock_are_open(
    client: Client, cast: Cast
) -> None:
    table = open_table(cast)
    play(table)
    events = events_of(client, table, ALL)
    start = next(event["data"] for event in events if event["type"] == "deal_started")
    assert [len(hand) for hand in start["all_hands"]] == [11] * 4
    stock = list(start["stock_cards"])
    drawn = [event["data"]["card"] for event in events if event["type"] == "card_drawn"]
    assert drawn[:5] == stock[::-1][:5]
    assert [len(reserve) for reserve in start["reserve_cards"]] == [11, 11]
    assert events[-1]["type"] == "seed_revealed"


def test_the_eyes_of_a_seat_see_its_own_hand_and_no_other(client: Client, cast: Cast) -> None:
    table = open_table(cast)
    play(table)
    for event in events_of(client, table, "seat-2"):
        data = event["data"]
        assert not {"all_hands", "stock_cards"} & set(data)
        if event["type"] == "card_drawn":
            assert ("card" in data) == (data["seat"] == 2)
        if event["type"] == "deal_started":
            assert len(data["hand"]) == 11


@pytest.mark.parametrize("eyes", ["official", "seat-4", "nobody", ""])
def test_eyes_that_nobody_has_are_refused(client: Client, cast: Cast, eyes: str) -> None:
    table = open_table(cast)
    play(table)
    answer = client.get(f"/tables/{table.public_id}/events.json?deal=1&as={eyes}")
    assert (answer.status_code, answer.json()["code"]) == (400, "no-such-audience")


def test_the_score_grows_with_the_melds_and_without_the_hands_until_they_are_open(
    client: Client, cast: Cast
) -> None:
    table = open_table(cast)
    play(table)
    public, everything = (events_of(client, table, eyes) for eyes in (PUBLIC, ALL))
    codes = {
        line["code"]
        for event in public
        for side in event.get("sheets") or ()
        for line in side["lines"]
    }
    assert "melds" in codes
    assert "hand" not in codes
    for event in public:
        if "sheets" in event and event["type"] != "deal_started":
            assert event["type"] in {"melded", "reserve_taken", "deal_scored", "undo_granted"}
    opening = next(event for event in everything if event["type"] == "deal_started")
    assert all(side["total"] < 0 for side in opening["sheets"])


def test_a_delayed_table_is_behind_in_lists_on_its_page_and_in_the_record(
    client: Client, cast: Cast
) -> None:
    table = open_table(cast, delay=HOUR)
    play(table, moves=6)
    assert table_summary(table.public_id).deal == 0
    [row] = wall_feed()["tables"]
    assert (row["deal"], row["melds"], row["turn"]) == (0, [[], []], None)
    lines = client.get(f"/tables/{table.public_id}/record.jsonl").getvalue().splitlines()
    assert [json.loads(line).get("type") for line in lines] == [None, "game_opened"]


def test_the_end_of_a_delayed_match_is_a_secret_until_the_delay_has_passed(
    client: Client, cast: Cast
) -> None:
    table = open_table(cast, delay=HOUR)
    play(table)
    assert match_of(table).over
    assert [each.public_id for each in live_tables()] == [table.public_id]
    assert finished_tables() == []
    summary = table_summary(table.public_id)
    assert (summary.status, summary.revealed, summary.ended_deals) == ("between", False, ())
    assert client.get(f"/tables/{table.public_id}/events.json?deal=1").status_code == 404
    body = client.get(f"/tables/{table.public_id}/record.jsonl").getvalue()
    assert json.loads(body.splitlines()[0])["view"] == "public"
    assert b"seed_revealed" not in body
    # An hour later: what is told of the past is moved there.
    Game.objects.filter(pk=table.pk).update(
        delay_seconds=0, ended_at=timezone.now() - timedelta(hours=1)
    )
    assert finished_tables()[0].public_id == table.public_id
    assert table_summary(table.public_id).revealed
    assert events_of(client, table, ALL)


def test_the_record_of_a_match_that_is_over_is_complete_and_sound(
    client: Client, cast: Cast
) -> None:
    table = open_table(cast)
    play(table)
    answer = client.get(f"/tables/{table.public_id}/record.jsonl")
    assert f'filename="pozzetto-{table.public_id}.jsonl"' in answer["Content-Disposition"]
    assert verify_record(answer.getvalue().splitlines(keepends=True)) is None


def test_only_the_embedded_table_may_be_framed(client: Client, cast: Cast, settings) -> None:
    table = open_table(cast, deals=2)
    play(table)
    framed = client.get(f"/embed/{table.public_id}/?deal=1")
    assert "frame-ancestors *" in framed["Content-Security-Policy"]
    assert "X-Frame-Options" not in framed
    settings.POZZETTO_EMBED_ANCESTORS = "https://club.example"
    framed = client.get(f"/embed/{table.public_id}/")
    assert framed["Content-Security-Policy"].endswith("frame-ancestors https://club.example")
    for path in ("", "replay/", "verify/", "events.json?deal=1", "record.jsonl"):
        answer = client.get(f"/tables/{table.public_id}/{path}")
        assert answer["X-Frame-Options"] == "DENY"
        assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]


def test_an_embedded_table_is_live_until_a_deal_is_asked_for_or_the_match_is_over(
    client: Client, cast: Cast
) -> None:
    table = open_table(cast)
    address = f"/embed/{table.public_id}/"
    assert "data-socket" in client.get(address).content.decode()
    assert client.get(f"{address}?deal=1").status_code == 404
    play(table)
    page = client.get(f"{address}?deal=1&as=all").content.decode()
    assert f'data-events="/tables/{table.public_id}/events.json?deal=1&amp;as=all"' in page
    assert "data-socket" not in page
    assert "data-events" in client.get(address).content.decode()


def test_an_embedded_table_carries_no_pass_even_for_who_sits_there(
    client: Client, cast: Cast
) -> None:
    client.force_login(cast.accounts["carla"])
    page = client.get(f"/embed/{open_table(cast).public_id}/").content.decode()
    assert "data-pass" not in page
    assert "<form" not in page


def test_the_wall_tells_each_browser_what_is_new_to_it(cast: Cast) -> None:
    still, moving = open_table(cast), open_table(cast)
    first = wall_feed()
    assert first["order"] == [still.public_id, moving.public_id]
    assert [row["id"] for row in first["tables"]] == first["order"]
    assert first["tables"][0]["names"] == ["Carla Conti", "bot:", "Dino Donati", "bot:"]
    assert wall_feed(first["tick"])["tables"] == []
    play(moving, moves=2)
    grow_old()
    second = wall_feed(first["tick"])
    assert second["tick"] > first["tick"]
    assert [row["id"] for row in second["tables"]] == [moving.public_id]
    play(still)
    grow_old()
    third = wall_feed(second["tick"])
    assert third["order"] == [moving.public_id]


def grow_old(made: float = 0) -> None:
    snapshot = cache.get("wall:snapshot")
    cache.set("wall:snapshot", snapshot | {"made": made})


def test_a_wall_made_by_one_is_seen_by_all_without_a_query(
    client: Client, cast: Cast, django_assert_num_queries
) -> None:
    open_table(cast)
    wall_feed()
    with django_assert_num_queries(0):
        assert client.get("/tables/wall.json?since=0").json()["tables"]


@pytest.mark.parametrize("path", ["/", "/tables/"])
def test_the_list_without_scripts_is_of_the_same_wall(
    client: Client, cast: Cast, django_assert_num_queries, path: str
) -> None:
    open_table(cast)
    wall_feed()
    grow_old(made=time.time() + 60)  # not while the test runs
    with django_assert_num_queries(0):
        page = client.get(path).content.decode()
    # Whoever has the turn is marked.
    assert re.search("Carla Conti</span> &amp; <span[^>]*>Dino Donati", page)


def test_a_wall_of_ten_tables_costs_as_many_queries_as_one_of_one(
    cast: Cast, django_assert_max_num_queries
) -> None:
    for _ in range(10):
        open_table(cast)
    with django_assert_max_num_queries(12):
        assert len(wall_feed()["tables"]) == 10


def test_nothing_on_the_wall_depends_on_a_hand(client: Client, cast: Cast) -> None:
    table = open_table(cast)
    play(table, moves=12)
    shown = json.dumps(wall_feed())
    pile = match_of(table).deal.pile
    cards = set(re.findall(r'"([A2-9TJQK][SHDC]|JK)"', shown))
    assert cards <= set(pile[-1:])


def test_a_replay_names_who_sat_there_then_not_who_sits_there_today(
    client: Client, cast: Cast
) -> None:
    table = open_table(cast, deals=2)
    carla, bruno, alba = (each.public_id for each in (cast.carla, cast.bruno, cast.alba))

    def seat(holder: str, reason: str) -> None:
        services.change_seat(stream=table.stream, seat=0, holder=holder, by="t", reason=reason)

    play(table, moves=6)
    seat(f"bot:sensible:{carla}", "absent")
    play(table)
    seat(bruno, "substituted")
    services.start_next_deal(stream=table.stream, by="test")
    play(table, moves=6)
    seat(alba, "substituted")
    play(table)
    told = {}
    for deal in (1, 2):
        address = f"/tables/{table.public_id}/events.json?deal={deal}"
        told[deal] = client.get(address).json()["holders"][0]
    assert told == {1: carla, 2: bruno}
    first, second = (replay_of(client, table, deal) for deal in (1, 2))
    assert first["names"] == {
        carla: "Carla Conti", cast.dino.public_id: "Dino Donati", bruno: "Bruno Bassi",
    }  # fmt: skip
    assert second["names"].keys() == {bruno, alba, cast.dino.public_id}
    assert first["eyes"] == [
        "Spectators",
        "Carla Conti",
        "Bot 2",
        "Dino Donati",
        "Bot 4",
        "All hands",
    ]
    assert second["eyes"][1] == "Bruno Bassi, Alba Amato"


def replay_of(client: Client, table: Game, deal: int) -> dict:
    page = client.get(f"/tables/{table.public_id}/replay/?deal={deal}").content.decode()
    names = re.search(r'<script id="names"[^>]*>(.*?)</script>', page)
    assert names is not None
    return {
        "names": json.loads(names[1]),
        "eyes": re.findall(r"data-keep-place[^>]*>([^<]*)</a>", page),
    }


@pytest.mark.django_db(transaction=True)
async def test_an_asynchronous_server_sends_a_record_part_by_part(monkeypatch) -> None:
    table = await sync_to_async(lambda: open_table(make_cast()))()
    await sync_to_async(play)(table)
    monkeypatch.setattr(streaming, "LINES_AT_ONCE", 50)
    answer = await AsyncClient().get(f"/tables/{table.public_id}/record.jsonl")
    parts = [part async for part in answer.streaming_content]
    await sync_to_async(connections.close_all)()
    assert [part.count(b"\n") for part in parts[:-1]] == [50] * (len(parts) - 1)
    assert len(parts) > 2
    assert verify_record(b"".join(parts).splitlines(keepends=True)) is None
