"""Away and back: by `since`, after servers have died, and at a reader's own pace."""

import json
import os
import threading
import time

import pytest
import redis
from django.conf import settings

from games.live.publishing import RESYNC, Letter, message
from games.live.sockets import MOST_RESUMED
from games.rules.views import PUBLIC
from games.tables import services
from games.tables.loading import load
from tests.games.live.browser import Browser
from tests.games.play import moves, sensible

pytestmark = pytest.mark.django_db(transaction=True)


def play_on(table, commands: int) -> int:
    """Plays that many commands by the services, as another process would; answers the head."""
    for _ in moves(table.game, most=commands, choose=sensible):
        pass
    return load(table.game.stream).head.seq


def test_who_missed_a_few_events_gets_just_those(table):
    head = play_on(table, 6)
    browser = table.connect()
    browser.say(t="since", seq=4)
    frame = browser.until("events")
    assert (frame["from"], frame["to"]) == (5, head)
    assert [event["seq"] for event in frame["events"]] == [*range(5, head + 1)]


def test_who_missed_many_gets_a_snapshot(table):
    head = play_on(table, MOST_RESUMED + 6)
    assert head - 2 > MOST_RESUMED
    browser = table.connect(0)
    browser.say(t="since", seq=2)
    frame = browser.until("snapshot", "events")
    assert frame["t"] == "snapshot"
    assert frame["seq"] == head
    assert frame["view"]["audience"] == "seat-0"


@pytest.mark.parametrize("seq", [0, -1, 10**9, 2**63, 2**64])
def test_a_number_that_is_no_place_in_the_table_gets_a_snapshot(table, seq):
    browser = table.connect()
    browser.say(t="since", seq=seq)
    browser.until("snapshot", "error")
    browser.say(t="ping")
    assert browser.until("pong", "snapshot") == {"t": "pong", "seq": 2}


def test_who_missed_nothing_hears_where_the_table_is(table):
    browser = table.connect()
    browser.say(t="since", seq=2)
    assert browser.until("pong") == {"t": "pong", "seq": 2}


def test_frames_come_without_a_gap_while_many_ask_and_the_table_moves(table):
    browsers = [table.connect(seat) for seat in (None, 0, 1, 2, 3)]
    playing = threading.Thread(target=play_on_elsewhere, args=(table, 40))
    playing.start()
    for number in range(8):
        for browser in browsers:
            browser.say(t="since", seq=browser.seq - min(number, 1))
            browser.next()
    playing.join()
    head = load(table.game.stream).head.seq
    assert all(browser.reaches(head) for browser in browsers)


def play_on_elsewhere(table, commands: int) -> None:
    from django.db import connection

    try:
        play_on(table, commands)
    finally:
        connection.close()


def test_what_another_process_does_arrives_and_the_next_move_takes_it_into_account(table):
    """Services here, sockets there: two caches of folded games over one store."""
    turn = load(table.game.stream).state.deal.turn
    player = table.connect(turn)
    for _ in range(3):
        head = play_on(table, 1)
        assert player.reaches(head)
    while load(table.game.stream).state.deal.turn != turn:
        assert player.reaches(play_on(table, 1))
    if load(table.game.stream).state.deal.step.value == "draw":
        assert player.move(move="draw")["t"] == "ack"
    assert load(table.game.stream).head.seq == player.seq


def test_a_command_whose_answer_was_lost_makes_the_others_look_when_sent_again(table):
    """The process may have died after the commit and before it told anyone."""
    turn = load(table.game.stream).state.deal.turn
    player, other = table.connect(turn), table.connect()
    assert player.move(move="draw", id="again", seq=2)["t"] == "ack"
    assert other.reaches(3)
    assert player.move(move="draw", id="again", seq=2)["t"] == "ack"
    assert other.until("resync") == json.loads(RESYNC)


def test_a_slow_reader_is_dropped_and_holds_nobody_up(table):
    slow, quick = table.connect(), table.connect()
    link = redis.Redis.from_url(settings.VALKEY_URL)
    letter = Letter(PUBLIC, b'{"t":"padding","text":"' + b"x" * 60_000 + b'"}')
    padding = message(table.game.stream, [letter])
    # As much as no buffer between here and there takes: 60 kB times 400.
    for _ in range(400):
        assert link.publish(padding.channel, padding.body) == 1
        assert quick.until("padding"), "others get every frame"
    head = play_on(table, 2)
    assert quick.reaches(head), "others go on"
    assert slow.closed_with() == 4408
    assert len(slow.frames) < 400
    with Browser(table.web.address(table.game.public_id)) as again:
        assert again.next()["seq"] == head, "and the slow one may come back"


def test_valkey_dies_and_comes_back_and_everyone_catches_up(table, servers):
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    engine = servers.home.valkey(f"valkey-{worker}" if worker else "valkey")
    if engine.url != settings.VALKEY_URL:
        pytest.skip("this Valkey is not ours to kill")
    turn = load(table.game.stream).state.deal.turn
    player, spectator = table.connect(turn), table.connect()
    engine.stop()
    try:
        assert player.move_without_news(move="draw")["t"] == "ack", "the store is the truth"
        head = play_on(table, 3)
        late = Browser(table.web.address(table.game.public_id))
        assert late.next(20)["seq"] == head, "who comes now still gets a snapshot"
    finally:
        engine.start()
    for browser in (player, spectator, late):
        if browser is not late:
            browser.until("resync", seconds=20)
        browser.say(t="since", seq=browser.seq)
        browser.until("events", "snapshot", "pong")
        assert browser.seq == head
    time.sleep(1.5)
    head = play_on(table, 2)
    for browser in (player, spectator, late):
        assert browser.reaches(head), "frames flow again, also to who came meanwhile"
    late.close()


def test_a_link_that_breaks_is_made_again_and_everyone_asks(table):
    """Valkey lives on: what the other processes said meanwhile would be missed in silence."""
    spectator = table.connect()
    with redis.Redis.from_url(settings.VALKEY_URL) as admin:
        assert admin.client_kill_filter(_type="pubsub") >= 1
    assert spectator.until("resync", seconds=20)
    assert spectator.reaches(play_on(table, 2)), "frames flow again"


def test_an_end_by_ruling_reaches_everyone_with_the_seeds(table):
    spectator = table.connect()
    services.end_match(stream=table.game.stream, by="palba")
    head = load(table.game.stream).head.seq
    assert spectator.reaches(head)
    assert [event["type"] for event in spectator.events] == [
        "deal_ended",
        "game_ended",
        "seed_revealed",
    ]
