"""Who is at the table: leases in Valkey, renewed while a seat's browser is connected.

Presence is a hint that runs out by itself; nothing is decided by it that an event does not record.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import redis
from django.conf import settings

LEASE_SECONDS = 12
"""A seat counts as here for so long after its browser was last heard of."""
RENEW_SECONDS = 4
KEPT_SECONDS = 24 * 3600


def seat_key(stream: int, seat: int) -> str:
    """The key that holds when a seat's browser was last heard of, in seconds since 1970."""
    return f"pozzetto:seen:{stream}:{seat}"


SINCE_KEY = "pozzetto:seen:since"
"""Since when leases have been kept without a break, in seconds since 1970: Valkey may forget."""


def watchers_key(stream: int) -> str:
    """The hash of a table's watchers: a process, when it last counted, and how many it has."""
    return f"pozzetto:watchers:{stream}"


def last_seen(seats: Iterable[tuple[int, int]]) -> dict[tuple[int, int], float]:
    """When the browsers of these (stream, seat) were last heard of; unknown ones are left out."""
    asked = list(seats)
    if not asked:
        return {}
    found = _client().mget([seat_key(stream, seat) for stream, seat in asked])
    return {key: float(value) for key, value in zip(asked, found, strict=True) if value is not None}


def known_since() -> float | None:
    """Since when leases have been kept without a break; None where none are kept."""
    found = _client().get(SINCE_KEY)
    return None if found is None else float(found)


@cache
def _client() -> redis.Redis:
    return redis.Redis.from_url(
        settings.VALKEY_URL, socket_timeout=5, socket_connect_timeout=5, decode_responses=True
    )
