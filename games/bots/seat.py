"""What a player at a seat knows, and what a player is.

`seat_view` is an allow-list: a player gets what is named here and nothing else of the deal. Imports
the rules only.
"""

from __future__ import annotations

import random
from typing import Protocol

import msgspec

from games.rules.cards import size
from games.rules.engine import opening_minimum
from games.rules.legal import LegalMoves
from games.rules.melds import Meld
from games.rules.moves import AnyMove
from games.rules.state import Deal, Rules, SinglePile, Step, reserve_is_seen, side_of
from games.rules.views import visible_pile


class SeatView(msgspec.Struct, frozen=True):
    """A deal as the player of one seat sees it.

    `hand` is packed; 0 while the seat may not look at it. `counts`: cards a seat; `pile`: the cards
    of it that all may see; `stock`: cards left in it; `reserves`: reserves left; `minimum`: what
    the own side's opening must be worth, 0 where nothing is asked (any more). `first_card` and
    `single` are for the seat whose turn it is.
    """

    rules: Rules
    seats: int
    seat: int
    turn: int
    step: Step
    hand: int
    counts: tuple[int, ...]
    melds: tuple[tuple[Meld, ...], ...]
    pile: tuple[str, ...]
    pile_count: int
    stock: int
    reserves: int
    taken: tuple[bool, ...]
    waiting: tuple[bool, ...]
    totals: tuple[int, ...]
    minimum: int
    first_card: str | None
    single: SinglePile | None

    @property
    def side(self) -> int:
        return side_of(self.seat)

    @property
    def own_melds(self) -> tuple[Meld, ...]:
        return self.melds[self.side]

    @property
    def rival_melds(self) -> tuple[Meld, ...]:
        return self.melds[1 - self.side]


def seat_view(deal: Deal, seat: int) -> SeatView:
    """What the player of this seat knows now."""
    own_turn = seat == deal.turn
    return SeatView(
        rules=deal.rules,
        seats=deal.seats,
        seat=seat,
        turn=deal.turn,
        step=deal.step,
        hand=deal.hands[seat] if reserve_is_seen(deal, seat) else 0,
        counts=tuple(map(size, deal.hands)),
        melds=deal.melds,
        pile=visible_pile(deal),
        pile_count=len(deal.pile),
        stock=len(deal.stock),
        reserves=len(deal.reserves),
        taken=deal.taken,
        waiting=deal.waiting,
        totals=deal.totals,
        minimum=opening_minimum(deal, side_of(seat)),
        first_card=deal.first_card if own_turn else None,
        single=deal.single if own_turn else None,
    )


class Player(Protocol):
    """Somebody who chooses one of the legal moves."""

    def choose(self, view: SeatView, legal: LegalMoves, luck: random.Random) -> AnyMove:
        """One of `legal`, which holds at least one move; all chance comes from `luck`."""
        ...


class RandomPlayer:
    """Plays any legal move, each as likely as the others."""

    def choose(self, view: SeatView, legal: LegalMoves, luck: random.Random) -> AnyMove:
        return legal[luck.randrange(len(legal))]
