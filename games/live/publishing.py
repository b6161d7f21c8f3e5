"""Telling all processes: which bytes go to Valkey after a commit, and on which channels.

A message is a line with the holder of the seat that it is for, empty where it is for all who listen
to the channel, and the frame. So a socket that was a seat's before it changed hands gets nothing of
what came after, whatever has reached it.
"""

from __future__ import annotations

import logging
from functools import cache
from typing import Any

import redis
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

from games.live.frames import clock_fields, event_frames
from games.rules.views import audiences, seat_of
from games.tables.folding import Folded, Step
from games.tables.passes import person_of

log = logging.getLogger(__name__)

RESYNC = b'{"t":"resync"}'
"""Tells a browser to ask for what it may have missed."""

MOST_SEATS = 4

TABLE_TALK, WATCHERS_TALK = "talk-table", "talk-watchers"
TALK_ROOMS = {TABLE_TALK: "table", WATCHERS_TALK: "watchers"}
"""Channels of what is said at a table, with the room that each is for."""

Message = tuple[str, bytes]


def channel(stream: int, audience: str) -> str:
    """The Valkey channel of one audience of a table."""
    return f"pozzetto:table:{stream}:{audience}"


def messages_of(stream: int, steps: list[Step], folded: Folded | None) -> list[Message]:
    """What a command is told with; without steps, that there may be something new.

    Not for those who do not sit at a table with a delay: they are fed from the store when it is
    time (`delayed`).
    """
    if not steps or folded is None:
        everyone = audiences(MOST_SEATS)
        return [(channel(stream, audience), b"\n" + RESYNC) for audience in everyone]
    holders = steps[-1].after.holders
    messages = []
    for audience, frame in event_frames(steps, clock_fields(folded)).items():
        seat = seat_of(audience)
        holder = "" if seat is None else person_of(holders[seat])
        messages.append((channel(stream, audience), holder.encode() + b"\n" + frame))
    return messages


# One command, so that one answer comes back: a client spends more on reading an answer than Valkey
# does on passing a message on.
PUBLISH_ALL = "for i = 1, #ARGV, 2 do redis.call('PUBLISH', ARGV[i], ARGV[i + 1]) end"


def flattened(messages: list[Message]) -> list[str | bytes]:
    """Messages as the arguments of `PUBLISH_ALL`."""
    return [part for message in messages for part in message]


def publish_committed(sender: Any, folded: Folded, steps: list[Step], **_: Any) -> None:
    """Send a command's frames. A hint only: where Valkey is away, browsers catch up later."""
    try:
        _client().eval(PUBLISH_ALL, 0, *flattened(messages_of(folded.stream, steps, folded)))
    except redis.RedisError as fault:
        log.warning("frames of stream %s were not sent: %s", folded.stream, fault)


@cache
def _client() -> redis.Redis:
    # One more try at once: a connection that has lain idle may be dead. Longer pauses would hold
    # up whoever waits for the answer.
    return redis.Redis.from_url(
        settings.VALKEY_URL,
        socket_timeout=5,
        socket_connect_timeout=5,
        retry=Retry(NoBackoff(), 1),
    )
