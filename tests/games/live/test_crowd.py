"""One table that many watch: nobody loses a frame, and frames of any length arrive as they are."""

import asyncio
import json
import threading

import pytest
import redis
from django.conf import settings
from websockets.asyncio.client import connect

from games.live.publishing import Letter, message
from games.live.sockets import MOST_RESUMED
from games.rules.views import PUBLIC
from games.tables.loading import load
from tests.games.live.browser import Browser
from tests.games.live.test_resuming import play_on, play_on_elsewhere
from tests.games.processes import ORIGIN, eventually

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("length", [20, 125, 126, 65_535, 65_536, 200_000])
def test_a_frame_of_any_length_is_read_as_it_was_made(table, length):
    browser = table.connect()
    frame = b'{"t":"padding"}'.ljust(length)
    padding = message(table.game.stream, [Letter(PUBLIC, frame)])
    with redis.Redis.from_url(settings.VALKEY_URL) as link:
        link.publish(padding.channel, padding.body)
    browser.until("padding")
    assert browser.frames[-1].encode() == frame


def test_who_was_dropped_for_being_slow_comes_back_and_has_lost_nothing(table):
    slow = table.connect()
    padding = message(table.game.stream, [Letter(PUBLIC, b'{"t":"padding"}'.ljust(60_000))])
    with redis.Redis.from_url(settings.VALKEY_URL) as link:
        for _ in range(400):
            link.publish(padding.channel, padding.body)
    head = play_on(table, 4)
    assert slow.closed_with() == 4408
    assert slow.seq < head, "what came after the drop did not reach it"
    assert head - slow.seq <= MOST_RESUMED
    address = table.web.address(table.game.public_id)
    assert eventually(lambda: greeted(address)), "once the server has passed all that on"
    with Browser(address) as again:
        assert again.next()["t"] == "snapshot"
        again.say(t="since", seq=slow.seq)
        frame = again.until("events")
        told = slow.events + frame["events"]
        assert [event["seq"] for event in told] == [*range(3, head + 1)]


def greeted(address: str) -> bool:
    """Whether a browser that comes now is told how the table stands."""
    with Browser(address) as browser:
        return bool(browser.next()["t"] == "snapshot")


async def follow(address: str, head: "asyncio.Future[int]", ready: asyncio.Barrier) -> list[int]:
    """The numbers of all events that one spectator is told of, to the last of the table."""
    async with connect(address, origin=ORIGIN, max_size=None, open_timeout=60) as socket:
        seen = json.loads(await socket.recv())["seq"]
        told: list[int] = []
        await ready.wait()
        while not head.done() or seen < head.result():
            frame = json.loads(await asyncio.wait_for(socket.recv(), 60))
            if frame["t"] == "events":
                told += [event["seq"] for event in frame["events"]]
                seen = frame["to"]
        return told


async def crowd(table, watchers: int, commands: int) -> tuple[int, list[list[int]]]:
    """How far the table got, and what each spectator was told of."""
    head: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    ready = asyncio.Barrier(watchers + 1)
    address = table.web.address(table.game.public_id)
    following = []
    for number in range(watchers):
        following.append(asyncio.create_task(follow(address, head, ready)))
        if number % 20 == 19:
            await asyncio.sleep(0.1)
    await ready.wait()
    playing = threading.Thread(target=play_on_elsewhere, args=(table, commands))
    playing.start()
    await asyncio.to_thread(playing.join)
    head.set_result(await asyncio.to_thread(head_of, table.game.stream))
    await asyncio.to_thread(play_on_elsewhere, table, 1)  # so that who waits hears once more
    return head.result(), await asyncio.gather(*following)


def head_of(stream: int) -> int:
    from django.db import connection

    try:
        return load(stream).head.seq
    finally:
        connection.close()


@pytest.mark.parametrize(
    "watchers", [100, pytest.param(1000, marks=[pytest.mark.long, pytest.mark.timeout(300)])]
)
def test_no_spectator_of_many_misses_or_doubles_an_event(table, watchers):
    head, told = asyncio.run(crowd(table, watchers, 30))
    assert len(told) == watchers
    for events in told:
        assert events == [*range(3, 3 + len(events))]
        assert events[-1] >= head
