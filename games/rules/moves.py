"""The moves a player may make, and how they are read (move language, section 5).

Imports the cards only. A move read here is well formed; whether it is legal the engine says.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from games.rules.cards import UNIT


class Placement(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Cards for a new meld, or onto meld number `onto` of the player's own side.

    `layout` (the whole resulting meld) or `wild` (the end where a sequence's wild is to lie)
    chooses another legal layout than the default.
    """

    cards: tuple[str, ...]
    onto: int | None = None
    layout: tuple[str, ...] | None = None
    wild: Literal["low", "high"] | None = None


class Move(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="move"
):
    seat: int


class Draw(Move, frozen=True, tag="draw"):
    """Take the top card of the stock."""


class Reject(Move, frozen=True, tag="reject"):
    """Put the first card just drawn face up on the pile and draw another (S3-14)."""


class Take(Move, frozen=True, tag="take"):
    """Take the whole pile; in closed profiles `using` places its top card at once."""

    using: tuple[Placement, ...] = ()


class LayMelds(Move, frozen=True, tag="meld"):
    """Open and extend melds, all or nothing."""

    place: tuple[Placement, ...]


class Discard(Move, frozen=True, tag="discard"):
    """End the turn."""

    card: str


AnyMove = Draw | Reject | Take | LayMelds | Discard
_BY_TAG: dict[str, type[AnyMove]] = {
    str(kind.__struct_config__.tag): kind for kind in (Draw, Reject, Take, LayMelds, Discard)
}


class MalformedMoveError(ValueError):
    """A move that is not of the language; the text says what is wrong with it."""

    code = "malformed-move"


def parse_move(raw: Any, *, seats: int, open_pile: bool) -> AnyMove:
    """A well-formed move from a plain object. Raises `MalformedMoveError`."""
    # Found by its tag, a class is read several times as fast as the union of all.
    tag = raw.get("move") if isinstance(raw, dict) else None
    kind: Any = _BY_TAG.get(tag, AnyMove) if isinstance(tag, str) else AnyMove
    try:
        move: AnyMove = msgspec.convert(raw, kind)
    except msgspec.ValidationError as fault:
        raise MalformedMoveError(str(fault)) from None
    check_move(move, seats=seats, open_pile=open_pile)
    return move


def check_move(move: AnyMove, *, seats: int, open_pile: bool) -> None:
    """What the types alone do not say. Raises `MalformedMoveError`."""
    if not 0 <= move.seat < seats:
        raise MalformedMoveError(f"there is no seat {move.seat}; seats run from 0 to {seats - 1}")
    if isinstance(move, Discard):
        _check_cards((move.card,))
    elif isinstance(move, Take):
        if move.using and open_pile:
            raise MalformedMoveError("`using` has no meaning here: the pile is taken freely")
        if len(move.using) > 1:
            raise MalformedMoveError("`using` holds exactly one placement")
        for placement in move.using:
            _check_placement(placement)
    elif isinstance(move, LayMelds):
        if not move.place:
            raise MalformedMoveError("`place` is empty")
        for placement in move.place:
            _check_placement(placement)


def _check_placement(placement: Placement) -> None:
    if not placement.cards:
        raise MalformedMoveError("`cards` is empty")
    _check_cards(placement.cards)
    if placement.layout is not None:
        _check_cards(placement.layout)
    if placement.layout is not None and placement.wild is not None:
        raise MalformedMoveError("give `layout` or `wild`, not both")


def _check_cards(cards: tuple[str, ...]) -> None:
    for card in cards:
        if card not in UNIT:
            raise MalformedMoveError(f"there is no card {card!r}")
