"""One deal as a frozen state, and the rules it is played by.

Hands are packed (`cards.py`). Imports scoring and the other data of the rules; decides nothing.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache

import msgspec

from games.rules.cards import UNIT, size, unpack
from games.rules.events import EndReason
from games.rules.melds import Meld, MeldBook, shape
from games.rules.profile import Profile
from games.rules.selections import Selections
from scoring.sheets import CANASTA, HandFacts, MeldFacts, Sheet, SideFacts, deal_sheets
from scoring.table import card_points


class Rules:
    """A profile made ready for play: its meld book, its selections, what each card is worth."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self.book = MeldBook(profile.melds)
        self.selections = Selections(self.book)
        self.points = {card: card_points(profile.scores, card) for card in UNIT}

    def __repr__(self) -> str:
        return f"Rules({self.profile.id!r})"


@lru_cache(maxsize=64)
def _rules_of(encoded: bytes) -> Rules:
    return Rules(msgspec.json.decode(encoded, type=Profile))


def rules_for(profile: Profile) -> Rules:
    """The rules of a profile; the same rules for equal profiles."""
    return _rules_of(msgspec.json.encode(profile, order="sorted"))


class Step(Enum):
    """Where the turn stands: before the draw, or after it."""

    DRAW = "draw"
    PLAY = "play"


class SinglePile(msgspec.Struct, frozen=True):
    """The card of a one-card pile taken this turn, and whether an equal one was held before."""

    card: str
    held_before: bool


class Ended(msgspec.Struct, frozen=True):
    reason: EndReason
    seat: int | None


class Deal(msgspec.Struct, frozen=True):
    """A deal at one moment. Field by field that of move language, section 4.

    `hands` are packed; `first_card` is the card that the starter may still reject.
    """

    rules: Rules
    seats: int
    turn: int
    step: Step
    hands: tuple[int, ...]
    melds: tuple[tuple[Meld, ...], ...]
    pile: tuple[str, ...]
    stock: tuple[str, ...]
    reserves: tuple[tuple[str, ...], ...]
    taken: tuple[bool, ...]
    waiting: tuple[bool, ...]
    totals: tuple[int, ...]
    first_turn: bool = False
    first_card: str | None = None
    single: SinglePile | None = None
    ended: Ended | None = None
    dealer: int | None = None


SIDES = 2


def side_of(seat: int) -> int:
    """The side of a seat: partners sit opposite; of two players each is a side."""
    return seat % SIDES


def owns_canasta(melds: tuple[Meld, ...], *, clean: bool) -> bool:
    """Whether a side has a meld of seven or more, without a wild where it must be clean."""
    return any(
        len(meld.cards) >= CANASTA and not (clean and shape(meld.cards).wild is not None)
        for meld in melds
    )


def reserve_is_seen(deal: Deal, seat: int) -> bool:
    """Whether a seat may look at its own hand.

    A reserve fetched by a discard is seen once the partner has discarded; of two players, once the
    owner's next turn begins (S0-41, G0-8).
    """
    if not deal.waiting[seat] or deal.ended is not None:
        return True
    return deal.turn == seat or (deal.seats == 4 and deal.turn == (seat + 3) % 4)


def sheets_of(deal: Deal, closed_by: int | None) -> tuple[Sheet, ...]:
    """The score sheets as the deal stands, one a side; `closed_by`: the seat that went out."""
    sides = []
    for side in range(SIDES):
        melds = []
        for meld in deal.melds[side]:
            found = shape(meld.cards)
            melds.append(MeldFacts(meld.cards, found.is_set, found.wild, meld.at_once))
        hands = tuple(
            HandFacts(tuple(unpack(deal.hands[seat])), deal.waiting[seat])
            for seat in range(side, deal.seats, SIDES)
        )
        sides.append(SideFacts(tuple(melds), hands, deal.taken[side]))
    out = None if closed_by is None else side_of(closed_by)
    return deal_sheets(deal.rules.profile.scores, sides, out)


def card_count(deal: Deal) -> int:
    """How many cards the deal holds in all; the same at every step of a deal."""
    return (
        sum(map(size, deal.hands))
        + sum(len(meld.cards) for side in deal.melds for meld in side)
        + len(deal.pile)
        + len(deal.stock)
        + sum(map(len, deal.reserves))
    )
