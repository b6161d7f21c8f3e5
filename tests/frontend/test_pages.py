"""The pages of live tables and replays on real games: what they show to anyone, and what never."""

import json
import random
import re

import pytest
from django.core.cache import cache
from django.template.loader import render_to_string
from django.test import Client

from games.rules.cards import ALL_CARDS
from games.rules.match import Game as Match
from games.rules.match import decide
from games.rules.moves import AnyMove
from games.rules.profile import load_profile
from games.rules.refusals import Refusal
from games.tables import services
from games.tables.loading import load
from games.tables.models import Game
from games.tables.outcomes import Accepted
from games.tables.selectors import live_boards
from tests.cast import Cast, make_cast
from tests.frontend.matches import tries
from tests.games.play import opened

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_wall_from_before() -> None:
    cache.clear()


@pytest.fixture
def cast() -> Cast:
    return make_cast()


@pytest.fixture
def table(cast: Cast) -> Game:
    """Carla and Dino against two bots, in the first deal."""
    return services.open_table(
        profile=load_profile("burraco-italiano"),
        holders=(cast.carla.public_id, "bot:sensible", cast.dino.public_id, "bot:sensible"),
        by="test",
        deals=2,
        club=cast.club.pk,
        label="Table 7",
    )


def match_of(table: Game) -> Match:
    return load(table.stream).state


def finish_deal(table: Game) -> None:
    luck = random.Random(7)
    while not (match := match_of(table)).between_deals:
        move = next(each for each in tries(match, luck) if not is_refused(match, each))
        outcome = services.submit_move(stream=table.stream, move=move, by="test")
        assert isinstance(outcome, Accepted)


def is_refused(match: Match, move: AnyMove) -> bool:
    return isinstance(decide(match, move), Refusal)


def test_the_wall_shows_each_live_table_with_club_rules_names_score_and_turn(
    client: Client, table: Game
) -> None:
    page = client.get("/tables/").content.decode()
    for text in ("Burraco italiano", "Table 7", "Circolo Aurora", "Carla Conti", "Dino Donati"):
        assert text in page
    assert f'href="/tables/{table.public_id}/"' in page
    assert "Turn: " in page


def test_the_wall_is_the_front_page(client: Client, table: Game) -> None:
    assert table.public_id in client.get("/").content.decode()


def test_practice_is_counted_on_the_front_page_and_stands_apart_on_the_wall(
    client: Client, cast: Cast, table: Game
) -> None:
    carla, dino = cast.carla.public_id, cast.dino.public_id

    def laid(*holders: str) -> str:
        profile = load_profile("buraco-aberto")
        return services.open_table(profile=profile, holders=holders, by="test").public_id

    alone = laid(carla, "bot:sensible")
    friends = laid(carla, f"bot:sensible:{dino}")
    for path in ("/", "/tables/"):
        head, _, apart = client.get(path).content.decode().partition('class="wall-practice"')
        assert table.public_id in head
        assert friends in head
        assert "Practice tables: 1" in apart
        assert alone in apart.partition("</details>")[0]
        assert f'id="table-{alone}"' not in head


def test_a_wall_without_tables_says_so(client: Client) -> None:
    assert "No table is playing now" in client.get("/tables/").content.decode()


def test_the_wall_takes_as_many_queries_for_three_tables_as_for_one(
    client: Client, table: Game, cast: Cast, django_assert_max_num_queries
) -> None:
    for _ in range(2):
        services.open_table(
            profile=load_profile("buraco-aberto"),
            holders=("bot:random", "bot:random"),
            by="test",
            club=cast.other_club.pk,
        )
    with django_assert_max_num_queries(14):
        client.get("/tables/")


def test_a_table_page_names_its_socket_and_players_and_no_card(client: Client, table: Game) -> None:
    page = client.get(f"/tables/{table.public_id}/").content.decode()
    assert f'data-socket="/ws/tables/{table.public_id}/"' in page
    names = json.loads(re.search(r'id="names"[^>]*>(.*?)</script>', page)[1])
    assert names == ["Carla Conti", "Bot 2", "Dino Donati", "Bot 4"]
    assert not re.search(r'"[A2-9TJQK][SHDC]"', page)


def test_a_finished_deal_is_replayed_and_an_unfinished_one_is_unknown(
    client: Client, table: Game
) -> None:
    address = f"/tables/{table.public_id}/replay/"
    assert "No deal is finished yet" in client.get(address).content.decode()
    assert client.get(f"{address}?deal=1").status_code == 200
    finish_deal(table)
    services.start_next_deal(stream=table.stream, by="test")
    page = client.get(address).content.decode()
    assert f'data-events="/tables/{table.public_id}/events.json?deal=1"' in page
    for deal in ("2", "0", "-1", "x", "1e0", ""):
        assert client.get(f"{address}?deal={deal}").status_code == 404, deal


def test_the_events_of_a_finished_deal_hold_no_hand_and_no_drawn_card(
    client: Client, table: Game
) -> None:
    stock = match_of(table).deal.stock
    assert stock
    finish_deal(table)
    answer = client.get(f"/tables/{table.public_id}/events.json?deal=1").json()
    types = [event["type"] for event in answer["events"]]
    assert types[:2] == ["game_opened", "deal_started"]
    assert types[-1] in {"deal_scored", "game_ended"}
    for event in answer["events"]:
        if event["type"] == "deal_started":
            assert all(isinstance(hand, int) for hand in event["data"]["hands"])
        if event["type"] in {"card_drawn", "reserve_taken"}:
            assert not {"card", "cards", "hand"} & set(event["data"])


def test_the_events_of_the_deal_being_played_are_for_nobody(client: Client, table: Game) -> None:
    address = f"/tables/{table.public_id}/events.json"
    assert client.get(address).status_code == 404
    assert client.get(f"{address}?deal=1").status_code == 404


def test_a_page_names_no_card_while_none_lies_face_up(client: Client) -> None:
    """Buraco Aberto starts with an empty pile (S3-9), so a card that is named is a hidden one."""
    fresh = opened("buraco-aberto")
    assert not match_of(fresh).deal.pile
    page = client.get(f"/tables/{fresh.public_id}/").content.decode()
    [board] = [each for each in live_boards() if each.summary.public_id == fresh.public_id]
    for said in (page, json.dumps(board.view)):
        assert [card for card in ALL_CARDS if re.search(rf"\b{card}\b", said)] == []


@pytest.mark.parametrize("path", ["", "replay/", "events.json"])
def test_a_table_that_is_not_there_is_not_found(client: Client, path: str) -> None:
    assert client.get(f"/tables/nowhere/{path}").status_code == 404


@pytest.mark.parametrize(
    "address", ["/tables/%00/", "/tables/%00/events.json", "/sit/%00/", "/embed/%00/"]
)
def test_a_name_that_no_table_can_have_is_not_found(client: Client, address: str) -> None:
    assert client.get(address).status_code == 404


@pytest.mark.parametrize("since", ["", "-1", "x", "%00", "9" * 5000])
def test_the_wall_since_what_is_no_tick_is_the_whole_wall(
    client: Client, table: Game, since: str
) -> None:
    wall = client.get(f"/tables/wall.json?since={since}").json()
    assert wall["order"]
    assert [row["id"] for row in wall["tables"]] == wall["order"]


@pytest.mark.parametrize("who", ["elsa", "furio", "alba"])
def test_who_is_signed_in_sees_the_same_as_anyone(
    client: Client, table: Game, cast: Cast, who: str
) -> None:
    address = f"/tables/{table.public_id}/"
    main = re.compile(r"<main.*</main>", re.DOTALL)
    (anyone,) = main.findall(client.get(address).content.decode())
    client.force_login(cast.accounts[who])
    assert main.findall(client.get(address).content.decode()) == [anyone]


def test_pages_only_read(client: Client, table: Game) -> None:
    for path in ("", "replay/", "events.json"):
        assert client.post(f"/tables/{table.public_id}/{path}").status_code == 405


def test_no_page_has_a_script_or_a_style_of_its_own(client: Client, table: Game) -> None:
    finish_deal(table)
    for path in ("/tables/", f"/tables/{table.public_id}/", f"/tables/{table.public_id}/replay/"):
        page = client.get(path)
        text = page.content.decode()
        assert "script-src 'self'" in page["Content-Security-Policy"]
        scripts = re.findall(r"<script[^>]*>", text)
        assert scripts
        assert all("src=" in tag or 'type="application/json"' in tag for tag in scripts)
        assert not re.search(r"<style|\sstyle=|\son\w+=", text)


def test_a_reader_chooses_the_language_and_keeps_it(client: Client) -> None:
    client.post("/language/", {"language": "pt-br", "next": "/tables/"})
    page = client.get("/tables/").content.decode()
    assert '<html lang="pt-br"' in page
    assert "Mesas ao vivo" in page


@pytest.mark.parametrize("status", [400, 403, 404, 500])
def test_every_fault_has_a_page_that_needs_nothing_but_itself(status: int) -> None:
    """A fault may be that the database is away: then there is no reader and no session."""
    page = render_to_string(f"{status}.html")
    assert "<h1>" in page
    assert 'href="/"' in page
