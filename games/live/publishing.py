"""Telling all processes: which bytes go to Valkey after a commit, and on which channel.

A table has one channel and a command one message. Its first line says which events it tells of (0
and 0: of none); then comes a letter for each audience: three lines, the room, the holder of the
seat that it is for (empty where it is for all in the room), the frame. So a socket that was a
seat's before it changed hands gets nothing of what came after, whatever has reached it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

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
"""Rooms of what is said at a table, beside those of the audiences, by what browsers call them."""


class Letter(NamedTuple):
    """A frame (one line, as all our JSON is) for a room of a table, or one holder in it."""

    room: str
    frame: bytes
    holder: str = ""


class Message(NamedTuple):
    """What goes to Valkey. `first`, `last`: the `seq` of the events that it tells of, or 0."""

    channel: str
    body: bytes
    first: int = 0
    last: int = 0


def channel(stream: int) -> str:
    """The Valkey channel of a table."""
    return f"pozzetto:table:{stream}"


def message(stream: int, letters: Iterable[Letter], first: int = 0, last: int = 0) -> Message:
    """Letters on their way to all processes."""
    lines = [b"%d %d" % (first, last)]
    for room, frame, holder in letters:
        lines += room.encode(), holder.encode(), frame
    return Message(channel(stream), b"\n".join(lines), first, last)


def span_of(body: bytes) -> tuple[int, int]:
    """The `seq` of the first and of the last event that a message tells of, or 0."""
    first, _, last = body[: body.index(b"\n")].partition(b" ")
    return int(first), int(last)


def letters_in(body: bytes) -> Iterator[tuple[bytes, bytes, bytes]]:
    """Room, holder and frame of each letter."""
    lines = body.split(b"\n")
    return zip(lines[1::3], lines[2::3], lines[3::3], strict=True)


RESYNC_ALL = message(0, (Letter(room, RESYNC) for room in audiences(MOST_SEATS))).body
"""The message that has everyone at a table ask for what they may have missed."""


def message_of(stream: int, steps: list[Step], folded: Folded | None) -> Message:
    """What a command is told with; without steps, that there may be something new.

    Not for those who do not sit at a table with a delay: they are fed from the store when it is
    time (`delayed`).
    """
    if not steps or folded is None:
        return Message(channel(stream), RESYNC_ALL)
    holders = steps[-1].after.holders
    letters = []
    for audience, frame in event_frames(steps, clock_fields(folded)).items():
        seat = seat_of(audience)
        holder = "" if seat is None else person_of(holders[seat])
        letters.append(Letter(audience, frame, holder))
    return message(stream, letters, steps[0].stored.seq, steps[-1].stored.seq)


def publish_committed(sender: Any, folded: Folded, steps: list[Step], **_: Any) -> None:
    """Send a command's frames. A hint only: where Valkey is away, browsers catch up later."""
    try:
        told = message_of(folded.stream, steps, folded)
        _client().publish(told.channel, told.body)
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
