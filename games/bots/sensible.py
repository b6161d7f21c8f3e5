"""A player with good sense: builds canastas, keeps wild cards, takes what pays, helps no rival.

It looks one move ahead and weighs in points: what a meld is worth now, what it promises while the
deal is young, and what a card in the hand is good for. Imports the rules and scoring.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from functools import lru_cache

from games.bots.seat import SeatView
from games.bots.worth import TO_GO_OUT, Worth, nearly_wanted_by, wanted_by, worth_for
from games.rules.cards import (
    RANK_OF,
    SUIT_BITS,
    SUIT_MASK,
    SUIT_OF,
    UNIT,
    WILDS,
    size,
    unpack,
)
from games.rules.legal import LegalMoves
from games.rules.melds import shape
from games.rules.moves import AnyMove, Discard, Draw, LayMelds, Placement, Reject, Take
from games.rules.selections import wilds_in
from games.rules.state import Step, owns_canasta, side_of
from scoring.sheets import CANASTA

# All in points.
WILD_KEPT = 30.0
"""What a wild card is worth in the hand of a young deal."""
SPLIT = 20.0
"""What a second sequence of a suit costs that keeps the first from growing."""
RESERVE_AT_ONCE = 120.0
RESERVE_NEXT = 70.0
TOWARDS_RESERVE = 3.0
"""Each card fewer in the hand of a side that has its reserve still to come."""
DRAWN_CARD = 5.0
"""What an unknown card is worth: what is taken instead must be worth more."""
HELD_CARD = 10.0
"""What a card in a hand that nobody sees will cost, on average."""
YOUNG_TURNS = 6.0
"""With so many draws of one's own to come the deal is still young."""


class SensiblePlayer:
    """Weighs each legal move in points and takes the best; the same view gives the same move."""

    def choose(self, view: SeatView, legal: LegalMoves, luck: random.Random) -> AnyMove:
        thought = _Thought(view)
        if view.step is Step.DRAW:
            return thought.way_to_begin(legal)
        laying = thought.best_laying(legal)
        if laying is not None:
            return LayMelds(view.seat, laying)
        if legal.reject and thought.would_reject():
            return Reject(view.seat)
        return Discard(view.seat, thought.card_to_discard(legal.discards))


class _Thought:
    """What the player makes of one view."""

    def __init__(self, view: SeatView) -> None:
        self.view = view
        self.worth: Worth = worth_for(view.rules)
        self.own = view.own_melds
        self.young = _youth(view, self.worth)
        self.fetches = not view.taken[view.side] and view.reserves > 0
        self.needs_canasta = not owns_canasta(self.own, clean=self.worth.needs_clean)

    # --- the start of the turn ----------------------------------------------------------------

    def way_to_begin(self, legal: LegalMoves) -> AnyMove:
        """Draw, or take the pile where it pays."""
        seat = self.view.seat
        if legal.using:
            placement, gain = self._best_using(legal.using)
            if not legal.draw or gain > DRAWN_CARD:
                return Take(seat, (placement,))
        if legal.take and (not legal.draw or self._pile_gain() > DRAWN_CARD):
            return Take(seat)
        return Draw(seat)

    def _best_using(self, using: tuple[Placement, ...]) -> tuple[Placement, float]:
        view = self.view
        top, rest = view.pile[-1], view.pile_count - 1
        held = view.counts[view.seat] + 1 + rest
        gain, number = max(
            (self._gain((placement,), held), -number) for number, placement in enumerate(using)
        )
        gain += rest * HELD_CARD * (self.young - 0.3)
        if top in WILDS:
            gain += WILD_KEPT * self.young
        return using[-number], gain

    def _pile_gain(self) -> float:
        """What taking an open pile is worth: the cards that can be laid, less those that cannot."""
        view = self.view
        if view.pile_count == 1:
            return self._single_gain(view.pile[0])
        hand = view.hand
        for card in view.pile:
            hand += UNIT[card]
        wanted: dict[str, float] = {}
        for meld in self.own:
            next_card = self.worth.next_card(meld.cards)
            for card in wanted_by(meld.cards):
                wanted[card] = max(next_card, wanted.get(card, 0.0))
        points, sets = view.rules.points, view.rules.profile.melds.sets
        gain, laid = 0.0, 0
        # Who has few cards and cannot go out yet needs something to build with.
        loose = (
            10.0 if self.needs_canasta and not self.fetches and view.counts[view.seat] < 6 else 4.0
        )
        for card in view.pile:
            if card in WILDS:
                gain += WILD_KEPT * self.young + points[card]
                laid += 1
            elif card in wanted:
                gain += points[card] + 10.0 + wanted[card]
                laid += 1
            elif _makes_sequence(hand, card) or (sets and _same(hand, card) > 2):
                gain += points[card] + 15.0
                laid += 1
            else:
                gain += loose * self.young - points[card] * (1.0 - self.young)
        # A pile of which nothing can be laid would only go round the table.
        return gain if laid else 0.0

    def _single_gain(self, card: str) -> float:
        """What the only card of a pile is worth: the best that can be laid with it now.

        Taken for anything less, a card could go round the table for ever.
        """
        view = self.view
        hand, held = view.hand + UNIT[card], view.counts[view.seat] + 1
        wilds, selections = wilds_in(hand), view.rules.selections
        found = list(selections.new(hand, wilds)) if self._may_open(card) else []
        for number, meld in enumerate(self.own):
            found += selections.extensions(hand, wilds, number, meld.cards)
        return max(
            (
                self._gain((placement,), held)
                for placement in found
                if card in placement.cards and self._leaves_a_discard(hand, placement)
            ),
            default=0.0,
        )

    def _may_open(self, card: str) -> bool:
        """Whether a new meld with this card is allowed for certain."""
        if self.view.minimum:
            return False
        return self.view.rules.profile.melds.equal_sets or not any(
            shape(meld.cards).is_set and card in wanted_by(meld.cards) for meld in self.own
        )

    def _leaves_a_discard(self, hand: int, placement: Placement) -> bool:
        """Whether this leaves cards, or the one natural card to go out with, or fetches more."""
        left = hand - sum(UNIT[card] for card in placement.cards)
        count = size(left)
        if count > 1 or self.fetches:
            return True
        may_go_out = self.view.taken[self.view.side] and not self.needs_canasta
        return count == 1 and may_go_out and unpack(left)[0] not in WILDS

    def would_reject(self) -> bool:
        """Whether the first card is better left on the pile (S3-14)."""
        card = self.view.first_card
        return card is not None and self._kept(card) < DRAWN_CARD

    # --- laying -------------------------------------------------------------------------------

    def best_laying(self, legal: LegalMoves) -> tuple[Placement, ...] | None:
        """The placements that gain most, or None where keeping the cards is better."""
        held = size(self.view.hand)
        best: tuple[Placement, ...] | None = None
        most = 0.0 if legal.discards else float("-inf")
        for placement in legal.melds:
            gain = self._gain((placement,), held)
            if gain > most:
                best, most = (placement,), gain
        for placements in legal.combined:
            gain = self._gain(placements, held)
            if gain > most:
                best, most = placements, gain
        return best

    def _gain(self, placements: tuple[Placement, ...], held: int) -> float:
        """What laying these is worth to a hand of `held` cards."""
        gain, laid = 0.0, 0
        for placement in placements:
            gain += self._placement_gain(placement)
            laid += len(placement.cards)
        left = held - laid
        if self.fetches:
            if left <= 1:
                return gain + (RESERVE_NEXT if left else RESERVE_AT_ONCE)
            return gain + TOWARDS_RESERVE * laid
        if left <= 1:
            # The engine lets only those come down to this who may go out.
            return gain + (1000.0 if self._would_go_out() else -1000.0)
        return gain

    def _placement_gain(self, placement: Placement) -> float:
        worth, young = self.worth, self.young
        onto = self.own[placement.onto] if placement.onto is not None else None
        cards = placement.layout
        if cards is None:
            layouts = self.view.rules.book.layouts(onto.cards if onto else (), placement.cards)
            if isinstance(layouts, str):
                return float("-inf")
            cards = layouts[0].cards
        if onto is None:
            gain = worth.laid(cards, worth.at_once(cards)) - SPLIT * young * self._splits(cards)
            gain += young * worth.promised(cards, self.needs_canasta)
        else:
            gain = worth.laid(cards, onto.at_once) - worth.laid(onto.cards, onto.at_once)
            gain += young * (
                worth.promised(cards, self.needs_canasta)
                - worth.promised(onto.cards, self.needs_canasta)
            )
        for card in placement.cards:
            if card in WILDS:
                gain -= WILD_KEPT * young + worth.rules.points[card]
        if self.needs_canasta and len(cards) >= CANASTA and worth.opens_going_out(cards):
            gain += TO_GO_OUT
        return gain

    def _splits(self, cards: tuple[str, ...]) -> bool:
        """Whether this new meld stands in the way of one that its own side builds."""
        new = shape(cards)
        if new.is_set:
            return False
        return any(
            shape(meld.cards).suit == new.suit and len(meld.cards) < CANASTA for meld in self.own
        )

    def _would_go_out(self) -> bool:
        """Whether the deal is better ended now: the own side is ahead, or there is no more time."""
        return self.young < 0.1 or self.lead() > 0

    def lead(self) -> float:
        """By how much the own side is ahead if it goes out now, as far as one can see."""
        view, worth = self.view, self.worth
        sides = [
            float(sum(worth.laid(meld.cards, meld.at_once) for meld in melds))
            for melds in view.melds
        ]
        for seat, count in enumerate(view.counts):
            if seat != view.seat:
                sides[side_of(seat)] -= HELD_CARD * count
        for side, taken in enumerate(view.taken):
            if not taken:
                sides[side] -= worth.scores.reserve
        return sides[view.side] + worth.scores.closing - sides[1 - view.side]

    # --- discarding ---------------------------------------------------------------------------

    def card_to_discard(self, discards: Iterable[str]) -> str:
        """The card that is missed least and helps the rivals least."""
        return min(discards, key=lambda card: (self._kept(card) + self._danger(card), card))

    def _kept(self, card: str) -> float:
        """What a card is good for in the own hand."""
        view, points = self.view, self.view.rules.points
        if card in WILDS:
            return 3 * WILD_KEPT
        kept = _company(view.hand, card)
        if view.rules.profile.melds.sets:
            kept += 7.0 * (_same(view.hand, card) - 1)
        for meld in self.own:
            if card in wanted_by(meld.cards):
                kept += 20.0 + self.worth.next_card(meld.cards)
            elif card in nearly_wanted_by(meld.cards):
                kept += 8.0
        return kept - points[card] * (1.0 - self.young)

    def _danger(self, card: str) -> float:
        """What a card on the pile is worth to the rivals."""
        danger = 0.0
        for meld in self.view.rival_melds:
            if card in wanted_by(meld.cards):
                danger += 10.0 + self.view.rules.points[card] + self.worth.next_card(meld.cards)
            elif card in nearly_wanted_by(meld.cards):
                danger += 4.0
        return danger


def _youth(view: SeatView, worth: Worth) -> float:
    """1 while much may still come, 0 when the deal is about to end."""
    stock = view.rules.profile.stock
    to_come = view.stock - stock.floor
    if stock.reserves_become_stock:
        to_come += view.reserves * view.rules.profile.deal.reserve
    young = min(1.0, max(0.0, to_come / view.seats / YOUNG_TURNS))
    rival = 1 - view.side
    if view.taken[rival] and owns_canasta(view.melds[rival], clean=worth.needs_clean):
        fewest = min(view.counts[rival::2])
        young = min(young, fewest / 12.0)
    return young


def _mask(hand: int, suit: int) -> int:
    return _places(hand >> SUIT_BITS * suit & SUIT_MASK)


@lru_cache(maxsize=1 << 16)
def _places(chunk: int) -> int:
    """The natural places (twos apart, aces at both ends) of one suit's cards."""
    places = 0
    for rank in range(13):
        if chunk >> 4 * rank & 15:
            places |= 1 << rank + 1
    return places | (1 << 14 if places & 2 else 0)


def _makes_sequence(hand: int, card: str) -> bool:
    """Whether the hand, the card in it, has three in a row with this card."""
    places = _mask(hand, SUIT_OF[card])
    return any(
        places >> first & 7 == 7
        for place in _places_of(card)
        for first in range(max(place - 2, 1), place + 1)
    )


def _places_of(card: str) -> tuple[int, ...]:
    rank = RANK_OF[card]
    return (1, 14) if rank == 0 else (rank + 1,)


def _company(hand: int, card: str) -> float:
    """How near the other cards of its suit lie to a card."""
    places = _mask(hand, SUIT_OF[card])
    best = 0.0
    for place in _places_of(card):
        near = (places >> place + 1 & 1) + (places >> place - 1 & 1)
        far = (places >> place + 2 & 1) + (places >> max(place - 2, 0) & 1)
        best = max(best, 9.0 * near + 5.0 * far)
    return best


def _same(hand: int, card: str) -> int:
    """How many cards of its rank a hand holds."""
    rank = RANK_OF[card]
    return sum(hand >> 4 * rank + SUIT_BITS * suit & 15 for suit in range(4))
