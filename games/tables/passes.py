"""Seat passes: what a browser shows to play a seat. Signed; void once the seat changes hands."""

from __future__ import annotations

from django.core import signing

from games.tables.holders import person_of
from games.tables.models import Seat
from games.tables.outcomes import TableError

_SALT = "pozzetto.seat"


def seat_pass(*, public_id: str, seat: int, holder: str) -> str:
    """The pass of whoever holds a seat."""
    return signing.dumps([public_id, seat, holder], salt=_SALT)


def seat_by_pass(public_id: str, token: str) -> Seat:
    """The seat that a pass opens. Raises `TableError` (`pass-invalid`)."""
    try:
        named, number, holder = signing.loads(token, salt=_SALT)
    except (signing.BadSignature, ValueError):
        named = number = holder = None
    seat = (
        Seat.objects.filter(game__public_id=public_id, number=number).first()
        if named == public_id
        else None
    )
    if seat is not None and person_of(seat.holder) != holder:
        seat = None
    if seat is None:
        raise TableError("pass-invalid", "this seat pass is not valid (any more)")
    return seat
