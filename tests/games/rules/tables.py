"""A short way to lay out a position, play moves on it and name what came of them.

Cards are written in a row: `table(P0, hand="7S 7H 7D KC").plays(meld("7S 7H 7D"))`. Seat 0 is to
move unless told otherwise, and side 0 owns `melds`. What is not given is filled from the rest of
the pack, so that a table holds its 108 cards unless `stock` or `reserves` are given.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import msgspec

from games.rules.cards import PACK, unpack
from games.rules.engine import decide
from games.rules.events import Event
from games.rules.evolving import evolve_all
from games.rules.moves import AnyMove, Discard, Draw, LayMelds, Placement, Reject, Take
from games.rules.positions import Position, read_position
from games.rules.profile import Profile, load_profile, parse_profile, profile_to_builtins
from games.rules.refusals import Refusal
from games.rules.state import Deal, rules_for, sheets_of

P0 = load_profile("buraco-clasico")
P2 = load_profile("burraco-italiano")
P3 = load_profile("buraco-aberto")
P4 = load_profile("buraco-fechado-stbl")
ALL = (P0, P2, P3, P4)
CLEAN_SEVEN = "4H 5H 6H 7H 8H 9H TH"
DIRTY_SEVEN = "4H 5H 6H JK 8H 9H TH"


def row(cards: str | tuple[str, ...]) -> tuple[str, ...]:
    return tuple(cards.split()) if isinstance(cards, str) else cards


def onto(
    number: int | None, cards: str, *, wild: Any = None, layout: str | None = None
) -> Placement:
    return Placement(row(cards), number, None if layout is None else row(layout), wild)


def meld(*placements: str | Placement, seat: int = 0) -> LayMelds:
    """Lay new melds (cards in a row) or what `onto` made."""
    placed = (Placement(row(p)) if isinstance(p, str) else p for p in placements)
    return LayMelds(seat, tuple(placed))


def draw(seat: int = 0) -> Draw:
    return Draw(seat)


def take(using: str | Placement | None = None, *, seat: int = 0) -> Take:
    if using is None:
        return Take(seat)
    return Take(seat, (Placement(row(using)) if isinstance(using, str) else using,))


def reject(seat: int = 0) -> Reject:
    return Reject(seat)


def discard(card: str, seat: int = 0) -> Discard:
    return Discard(seat, card)


def changed(profile: Profile, **parts: Any) -> Profile:
    """The profile with some knobs set otherwise: `changed(P0, stock={"floor": 0})`."""
    plain = profile_to_builtins(profile)
    for name, value in parts.items():
        plain[name] = {**plain[name], **value} if isinstance(value, dict) else value
    return parse_profile(plain)


@dataclass
class Table:
    """A deal on a table, and what has happened on it so far."""

    deal: Deal
    events: list[Event] = field(default_factory=list)

    def plays(self, *moves: AnyMove) -> Table:
        """The table after these moves, each of which has to be legal."""
        deal, events = self.deal, []
        for move in moves:
            decided = decide(deal, move)
            assert not isinstance(decided, Refusal), f"{move} was refused: {decided.code}"
            deal = evolve_all(deal, decided)
            events += decided
        return Table(deal, events)

    def refuses(self, move: AnyMove) -> str:
        """The code with which this move is refused; it has to be refused, by some clause."""
        decided = decide(self.deal, move)
        assert isinstance(decided, Refusal), f"{move} was accepted: {decided}"
        assert decided.clause, f"{decided.code} rests on no clause"
        assert decided.reason
        return decided.code

    def melds(self, side: int = 0) -> list[str]:
        return [" ".join(laid.cards) for laid in self.deal.melds[side]]

    def hand(self, seat: int = 0) -> str:
        return " ".join(unpack(self.deal.hands[seat]))

    @property
    def happened(self) -> list[str]:
        return [type(event).__name__ for event in self.events]

    def totals(self) -> list[int]:
        """What each side would have (or has) for the deal."""
        seat = self.deal.ended.seat if self.deal.ended else None
        return [sheet.total for sheet in sheets_of(self.deal, seat)]

    def lines(self, side: int = 0) -> dict[str, int]:
        seat = self.deal.ended.seat if self.deal.ended else None
        return {line.code: line.points for line in sheets_of(self.deal, seat)[side].lines}


def table(
    profile: Profile,
    *,
    hand: str = "3D 4D 9D",
    hands: dict[int, str] | None = None,
    melds: tuple[Any, ...] | list[Any] = (),
    rival_melds: tuple[Any, ...] | list[Any] = (),
    pile: str = "",
    stock: str | None = None,
    reserves: list[str] | int | None = None,
    taken: tuple[bool, bool] = (False, False),
    seats: int = 4,
    turn: int = 0,
    step: str = "play",
    **rest: Any,
) -> Table:
    """A position as a table. `hand`: that of the seat to move; `stock`: its last card is next."""
    given = {turn: hand} | (hands or {})
    melds_laid = tuple(m if isinstance(m, dict) else row(m) for m in melds)
    rivals_laid = tuple(m if isinstance(m, dict) else row(m) for m in rival_melds)
    sides = (melds_laid, rivals_laid) if turn % 2 == 0 else (rivals_laid, melds_laid)
    left = Counter(PACK)
    for cards in (*given.values(), pile, stock or ""):
        left.subtract(row(cards))
    for side in sides:
        for laid in side:
            left.subtract(row(laid["cards"]) if isinstance(laid, dict) else laid)
    if isinstance(reserves, list):
        for reserve in reserves:
            left.subtract(row(reserve))
    assert min(left.values()) >= 0, f"too many of {[card for card in left if left[card] < 0]}"
    # Every seventh card: the filler has neither sets nor sequences side by side.
    rest_of_pack = sorted(left.elements())
    filler = [card for start in range(7) for card in rest_of_pack[start::7]]
    filled_hands = []
    for seat in range(seats):
        if seat in given:
            filled_hands.append(row(given[seat]))
        else:
            filled_hands.append(tuple(filler.pop() for _ in range(3)))
    if isinstance(reserves, list):
        piles = tuple(map(row, reserves))
    else:
        number = 2 - sum(taken) if reserves is None else reserves
        piles = tuple(tuple(filler.pop() for _ in range(11)) for _ in range(number))
    position = {
        "turn": turn,
        "step": step,
        "hands": filled_hands,
        "melds": sides,
        "pile": row(pile),
        "stock": filler if stock is None else row(stock),
        "reserves": piles,
        "taken": taken,
        **rest,
    }
    return Table(read_position(rules_for(profile), seats, msgspec.convert(position, Position)))
