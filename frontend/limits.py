"""How often one browser, or one address, may do what costs us something: counters in the cache.

A counter holds for a fixed stretch of time and is forgotten after it. Asks nobody who they are:
callers name what is counted.
"""

from django.core.cache import cache
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

HOUR = 3600
QUARTER = 900

TABLES_OF_A_PERSON = 10
"""Tables that one person opens in an hour."""
TABLES_OF_AN_ADDRESS = 120
"""Tables and guests from one address in an hour: a whole club may be behind it."""
TRIES_TO_SIGN_IN = 10
"""Wrong passwords for one account from one address in a quarter of an hour."""


class TooOftenError(Exception):
    """Nothing was done: it was done too often lately."""


def count(what: str, who: str, *, most: int, seconds: int) -> None:
    """Count one more; raises `TooOftenError` above `most` within `seconds`."""
    key = _key(what, who)
    cache.add(key, 0, timeout=seconds)
    try:
        counted = cache.incr(key)
    except ValueError:
        return  # it ran out just now
    if counted > most:
        raise TooOftenError(what)


def is_used_up(what: str, who: str, *, most: int) -> bool:
    """Whether one more would be too many; counts nothing."""
    return int(cache.get(_key(what, who), 0)) >= most


def _key(what: str, who: str) -> str:
    """The name of a counter. Whatever somebody typed as `who` makes a sound one, and a secret."""
    return f"limit:{what}:{salted_hmac(what, who, algorithm='sha256').hexdigest()}"


def address_of(request: HttpRequest) -> str:
    """Where a request comes from, as the server in front of us says."""
    return str(request.META.get("REMOTE_ADDR", ""))
