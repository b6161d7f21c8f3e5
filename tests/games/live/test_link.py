"""The link of a process to Valkey, with a real one."""

import asyncio
import logging

import pytest
import redis
from django.conf import settings

from games.live.link import MOST_UNSENT, link_to


@pytest.fixture
def admin():
    with redis.Redis.from_url(settings.VALKEY_URL) as client:
        yield client


async def _heard(pushes: asyncio.Queue[list], kind: bytes) -> list:
    while True:
        push = await asyncio.wait_for(pushes.get(), 10)
        if push[0] == kind:
            return push


async def test_it_hears_what_it_and_others_publish(admin):
    pushes: asyncio.Queue[list] = asyncio.Queue()
    link = await link_to(settings.VALKEY_URL, pushes.put_nowait)
    link.send("SUBSCRIBE", "test:link")
    assert await _heard(pushes, b"subscribe") == [b"subscribe", b"test:link", 1]
    link.send("PUBLISH", "test:link", b"own\n\x00")
    assert await _heard(pushes, b"message") == [b"message", b"test:link", b"own\n\x00"]
    assert admin.publish("test:link", "another's") == 1
    assert await _heard(pushes, b"message") == [b"message", b"test:link", b"another's"]
    assert not link.ended.done()
    link.close()
    await asyncio.wait_for(link.ended, 10)


async def test_a_command_that_is_refused_is_logged_and_ends_nothing(caplog):
    pushes: asyncio.Queue[list] = asyncio.Queue()
    link = await link_to(settings.VALKEY_URL, pushes.put_nowait)
    with caplog.at_level(logging.WARNING):
        link.send("NO-SUCH-COMMAND")
        link.send("SUBSCRIBE", "test:link")
        await _heard(pushes, b"subscribe")
    assert "NO-SUCH-COMMAND" in caplog.text
    assert not link.ended.done()
    link.close()


async def test_it_is_given_up_when_too_much_waits():
    link = await link_to(settings.VALKEY_URL, lambda push: None)
    for _ in range(8):  # without a pause in which anything could be taken
        link.send("PUBLISH", "test:link", b"x" * (MOST_UNSENT // 4))
    await asyncio.wait_for(link.ended, 10)


async def test_where_there_is_none_it_says_so(tmp_path):
    with pytest.raises(redis.RedisError):
        await link_to(f"unix://{tmp_path}/nobody", lambda push: None)
