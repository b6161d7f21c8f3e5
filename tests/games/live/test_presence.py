"""Who is at a table, over all processes: leases that are renewed, and run out by themselves."""

import time

import pytest

from games.tables import agreements, presence, services
from games.tables.absences import ABSENT_SECONDS
from games.tables.loading import load
from games.tables.models import Pulse
from tests.games.live.around import Table
from tests.games.live.browser import Browser, Frame
from tests.games.play import opened
from tests.games.processes import Web, eventually

pytestmark = pytest.mark.django_db(transaction=True)


def told(browser: Browser, seconds: float = 12.0, **expected) -> Frame:
    """The next word of who is there that says this."""
    deadline = time.monotonic() + seconds
    while True:
        frame = browser.until("presence", seconds=max(0.1, deadline - time.monotonic()))
        if all(frame[name] == value for name, value in expected.items()):
            return frame


def counted(game) -> dict[str, str]:
    return presence._client().hgetall(presence.watchers_key(game.stream))


def test_whoever_comes_is_told_who_is_there(table):
    carla = table.connect(0)
    frame = told(carla, here=[True, False, False, False], watchers=0)
    assert frame["bot"] == [False] * 4
    table.connect(2)
    table.connect()
    told(carla, here=[True, False, True, False], watchers=1)


def test_who_closes_the_browser_is_counted_no_more(table):
    carla = table.connect(0)
    watchers = [table.connect() for _ in range(3)]
    told(carla, watchers=3)
    for watcher in watchers:
        watcher.close()
    told(carla, watchers=0)
    assert eventually(lambda: not counted(table.game), 5), "and nothing of it is kept"


def test_a_seat_counts_as_here_until_its_lease_runs_out(table):
    carla, dino = table.connect(0), table.connect(2)
    told(carla, here=[True, False, True, False])
    dino.close()
    left = time.monotonic()
    told(carla, seconds=25, here=[True, False, False, False])
    assert 5 < time.monotonic() - left < presence.LEASE_SECONDS + 8


def test_the_turn_of_someone_who_is_not_there_has_a_countdown(table):
    turn = load(table.game.stream).state.deal.turn
    other = table.connect((turn + 1) % 4)
    frame = told(other)
    assert frame["takeover"]["seat"] == turn
    assert 30_000 < frame["takeover"]["left_ms"] <= 1000 * ABSENT_SECONDS
    table.connect(turn)
    told(other, takeover=None)


def test_a_seat_that_a_bot_plays_is_told_as_such_though_another_process_gave_it(table):
    carla = table.connect(0)
    told(carla)
    services.change_seat(
        stream=table.game.stream, seat=1, holder="bot:sensible:pelsa", by="clock", reason="absent"
    )
    told(carla, bot=[False, True, False, False])
    agreements.take_back_seat(stream=table.game.stream, seat=1, person="pelsa")
    told(carla, bot=[False] * 4)


def test_the_person_takes_the_seat_back_on_the_socket_and_plays(table):
    turn = load(table.game.stream).state.deal.turn
    player = table.connect(turn)
    bot = f"bot:sensible:{load(table.game.stream).state.holders[turn]}"
    services.change_seat(
        stream=table.game.stream, seat=turn, holder=bot, by="clock", reason="absent"
    )
    player.reaches(3)
    assert player.move(move="draw")["code"] == "bot-plays"
    player.say(t="back", id="b")
    assert player.until("ack")["id"] == "b"
    assert player.reaches(4)
    assert player.move(move="draw")["t"] == "ack"
    other = table.connect((turn + 1) % 4)
    other.say(t="back", id="b")
    assert other.until("error")["code"] == "seat-not-lent"


def test_a_delayed_tables_watchers_are_told_how_many_they_are_and_no_more(seat_at):
    hall = seat_at(opened(delay_seconds=600))
    player, watcher = hall.connect(0), hall.connect()
    frame = told(watcher, watchers=1)
    assert (frame["here"], frame["bot"], frame["takeover"]) == ([], [], None)
    told(player, watchers=1)


@pytest.mark.long
def test_two_processes_count_together_and_one_that_dies_takes_its_own_along(table, tmp_path):
    second = Web(tmp_path / "second.log")
    try:
        second.wait_until_healthy()
        elsewhere = Table(second, table.game)
        carla = table.connect(0)
        table.connect()
        for _ in range(2):
            elsewhere.connect()
        elsewhere.connect(2)
        told(carla, here=[True, False, True, False], watchers=3)
        assert len(counted(table.game)) == 2
    finally:
        second.kill()
    told(carla, seconds=30, here=[True, False, False, False], watchers=1)


def test_what_a_dead_process_has_counted_is_removed(table):
    long_ago = f"{time.time() - 300}:500"
    presence._client().hset(presence.watchers_key(table.game.stream), "dead", long_ago)
    carla = table.connect(0)
    told(carla, watchers=0)
    assert eventually(lambda: "dead" not in counted(table.game), 10)


def test_keys_do_not_grow_with_those_who_come_and_go(table):
    valkey = presence._client()

    def keys() -> int:
        return len(valkey.keys("pozzetto:seen:*")) + len(valkey.keys("pozzetto:watchers:*"))

    carla = table.connect(0)
    told(carla)
    before = keys()
    for _ in range(30):
        with Browser(table.web.address(table.game.public_id)) as watcher:
            watcher.until("snapshot")
    assert keys() <= before + 1
    assert valkey.ttl(presence.seat_key(table.game.stream, 0)) > 0


def test_those_who_serve_give_signs_of_life(table):
    table.connect(0)
    assert eventually(lambda: Pulse.objects.filter(part="web").exists(), 5)
    first = Pulse.objects.get(part="web").at
    assert eventually(lambda: Pulse.objects.get(part="web").at > first, 5)
