"""Telling the other processes: frames to Valkey after the commit of a service's command."""

from __future__ import annotations

import logging
from functools import cache
from typing import Any

import redis
from django.conf import settings

from games.live.frames import event_frames
from games.tables.folding import Folded, Step

log = logging.getLogger(__name__)


def channel(stream: int, audience: str) -> str:
    """The Valkey channel of one audience of a table."""
    return f"pozzetto:table:{stream}:{audience}"


def publish_committed(sender: Any, folded: Folded, steps: list[Step], **_: Any) -> None:
    """Send a command's frames. A hint only: where Valkey is away, browsers catch up later."""
    try:
        pipeline = _client().pipeline(transaction=False)
        for audience, frame in event_frames(steps).items():
            pipeline.publish(channel(folded.stream, audience), frame)
        pipeline.execute()
    except redis.RedisError as fault:
        log.warning("frames of stream %s were not sent: %s", folded.stream, fault)


@cache
def _client() -> redis.Redis:
    return redis.Redis.from_url(settings.VALKEY_URL, socket_timeout=5, socket_connect_timeout=5)
