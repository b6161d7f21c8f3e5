"""Whose seat is whose: where the people of one browser sit. Reads only."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from django.db.models import QuerySet

from games.bots.players import PLAYERS
from games.tables.models import Game, Seat
from games.tables.passes import person_of
from games.tables.services import BOT


class OwnSeat(NamedTuple):
    """`person`: who holds the seat, or for whom a bot plays it at present."""

    table: str
    number: int
    person: str


def own_seat(public_id: str, people: Iterable[str]) -> OwnSeat | None:
    """The seat at one table that one of these people has; None where they have none."""
    found = list(_seats_of(people).filter(game__public_id=public_id)[:1])
    return _own(found[0]) if found else None


def seats_in_play(people: Iterable[str]) -> list[OwnSeat]:
    """The seats that these people have at matches going on, the newest first."""
    playing = _seats_of(people).exclude(game__status=Game.Status.OVER)
    return [_own(seat) for seat in playing.order_by("-game__opened_at")]


def _seats_of(people: Iterable[str]) -> QuerySet[Seat]:
    holders = [
        holder
        for person in people
        for holder in (person, *(f"{BOT}{kind}:{person}" for kind in PLAYERS))
    ]
    return Seat.objects.select_related("game").filter(holder__in=holders).order_by("number")


def _own(seat: Seat) -> OwnSeat:
    return OwnSeat(seat.game.public_id, seat.number, person_of(seat.holder))
