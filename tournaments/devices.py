"""A guest's way to another phone: a code that works once, soon after it was made.

Kept in the cache under its digest, never in the database or a log. May import selectors and the
models.
"""

import hashlib
import secrets

from django.core.cache import cache
from django.http import HttpRequest

from tournaments.models import Person
from tournaments.selectors import SESSION_KEY

VALID_SECONDS = 600


def code_for(guest: Person) -> str:
    """A code that makes another browser this guest's, too. An account's person signs in instead."""
    if guest.account_id is not None:
        raise ValueError("who has an account signs in with it")
    code = secrets.token_urlsafe(16)
    cache.set(_key(code), guest.public_id, timeout=VALID_SECONDS)
    return code


def guest_behind(code: str) -> Person | None:
    """Whom a code would let in; None where it is used up, or the guest has an account by now."""
    public_id = cache.get(_key(code))
    if public_id is None:
        return None
    return Person.objects.filter(
        public_id=public_id, anonymised_at=None, account_id__isnull=True
    ).first()


def go_on_here(*, request: HttpRequest, code: str) -> Person | None:
    """Use a code up: the asking browser acts for its guest from now on. None as `guest_behind`."""
    guest = guest_behind(code)
    # Of two who use it at once only one finds it there to remove.
    if guest is None or not cache.delete(_key(code)):
        return None
    request.session.cycle_key()
    request.session[SESSION_KEY] = guest.public_id
    return guest


def _key(code: str) -> str:
    return f"device:{hashlib.sha256(code.encode()).hexdigest()}"
