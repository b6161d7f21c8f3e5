"""The moves a seat may make now (`legal_moves`).

Complete for every move of one placement, each selection and each legal layout once up to equal
cards. Moves of several placements follow from single ones made one after another, but for two
cases, which are listed as `combined`, bounded by `MOST_COMBINED`: an opening that needs a minimum
(two or three of the dearest melds, else the first that a bounded search finds, so that one is shown
where there is any), and a pair of placements of which the first alone would strand the player.
Never lists a move that the engine would refuse. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import msgspec

from games.rules.cards import UNIT, WILDS, holds, pack, size, unpack
from games.rules.engine import (
    can_draw,
    decide,
    discard_fault,
    opening_minimum,
)
from games.rules.melds import shape
from games.rules.moves import AnyMove, Discard, Draw, LayMelds, Placement, Reject, Take
from games.rules.profile import Pile
from games.rules.refusals import Refusal
from games.rules.selections import wilds_in
from games.rules.state import Deal, Step, side_of

MOST_COMBINED = 64
"""How many moves of several placements are listed at most."""
_LONGEST_PLACEMENT = 14
_MOST_COMBINED_FROM = 24
"""Among how many single placements combinations are looked for, dearest first."""
_MOST_LOOKED_AT = 20_000
"""How many steps the search for any opening at all takes at most."""


class LegalMoves(msgspec.Struct, frozen=True):
    """What a seat may do now. Empty for a seat whose turn it is not and once the deal has ended.

    `using`: placements that take a closed pile; `melds`: placements each legal as a move of its
    own; `combined`: moves of several placements; `discards`: each kind of card once.
    """

    seat: int
    draw: bool = False
    take: bool = False
    reject: bool = False
    using: tuple[Placement, ...] = ()
    melds: tuple[Placement, ...] = ()
    combined: tuple[tuple[Placement, ...], ...] = ()
    discards: tuple[str, ...] = ()

    def __len__(self) -> int:
        return (
            self.draw
            + self.take
            + self.reject
            + len(self.using)
            + len(self.melds)
            + len(self.combined)
            + len(self.discards)
        )

    def __iter__(self) -> Iterator[AnyMove]:
        return (self[index] for index in range(len(self)))

    def __getitem__(self, index: int) -> AnyMove:
        """Move number `index`: draw, take, reject, discards, melds, using, combined."""
        seat = self.seat
        for offered, move in ((self.draw, Draw), (self.take, Take), (self.reject, Reject)):
            if offered:
                if index == 0:
                    return move(seat)
                index -= 1
        if index < len(self.discards):
            return Discard(seat, self.discards[index])
        index -= len(self.discards)
        if index < len(self.melds):
            return LayMelds(seat, (self.melds[index],))
        index -= len(self.melds)
        if index < len(self.using):
            return Take(seat, (self.using[index],))
        return LayMelds(seat, self.combined[index - len(self.using)])


def legal_moves(deal: Deal, seat: int) -> LegalMoves:
    """All moves that this seat may make now; see the module for what is bounded."""
    if deal.ended is not None or seat != deal.turn:
        return LegalMoves(seat)
    if deal.step is Step.DRAW:
        closed = deal.rules.profile.turn.pile is Pile.CLOSED
        return LegalMoves(
            seat,
            draw=can_draw(deal),
            take=bool(deal.pile) and not closed and _is_legal(deal, Take(seat)),
            using=_takings(deal, seat) if closed and deal.pile else (),
        )
    melds, refused = _melds(deal, seat)
    combined: tuple[tuple[Placement, ...], ...] = ()
    minimum = opening_minimum(deal, side_of(seat))
    if minimum or refused:
        combined = _combined(deal, seat, melds + refused)
    return LegalMoves(
        seat,
        reject=deal.first_card is not None and can_draw(deal),
        melds=tuple(melds),
        combined=combined,
        discards=_discards(deal, seat),
    )


def _is_legal(deal: Deal, move: AnyMove) -> bool:
    return not isinstance(decide(deal, move), Refusal)


def _discards(deal: Deal, seat: int) -> tuple[str, ...]:
    cards = unpack(deal.hands[seat])
    if deal.single is None and len(cards) > 1:
        return tuple(dict.fromkeys(cards))
    return tuple(card for card in dict.fromkeys(cards) if discard_fault(deal, seat, card) is None)


def _placements(deal: Deal, seat: int, hand: int) -> list[Placement]:
    """Every placement that the melds allow, whatever becomes of the hand."""
    wilds = wilds_in(hand)
    found = _new_allowed(deal, seat, deal.rules.selections.new(hand, wilds))
    for number, meld in enumerate(deal.melds[side_of(seat)]):
        found += deal.rules.selections.extensions(hand, wilds, number, meld.cards)
    return found


def _placements_with(deal: Deal, seat: int, hand: int, card: str) -> list[Placement]:
    """Of the same, in the same order, those that have this card; a wild one in new melds only."""
    selections = deal.rules.selections
    wilds = wilds_in(hand)
    if card in WILDS:
        found = _new_allowed(deal, seat, selections.new(hand, wilds))
    else:
        found = _new_allowed(deal, seat, selections.new_with(card, hand, wilds))
        for number, meld in enumerate(deal.melds[side_of(seat)]):
            if shape(meld.cards).takes(card):
                found += selections.extensions(hand, wilds, number, meld.cards)
    return [placement for placement in found if card in placement.cards]


def _new_allowed(deal: Deal, seat: int, found: list[Placement]) -> list[Placement]:
    """Without sets of a rank that the side has a set of, where that is not allowed."""
    if deal.rules.profile.melds.equal_sets:
        return found
    ranks = {shape(meld.cards).rank for meld in deal.melds[side_of(seat)]} - {-1}
    return [p for p in found if _new_rank(deal, p) not in ranks] if ranks else found


def _new_rank(deal: Deal, placement: Placement) -> int:
    layouts = deal.rules.book.layouts((), placement.cards)
    return -2 if isinstance(layouts, str) else shape(layouts[0].cards).rank


def _melds(deal: Deal, seat: int) -> tuple[list[Placement], list[Placement]]:
    """The legal placements, and those refused only for what they leave or are worth."""
    hand = deal.hands[seat]
    found = _placements(deal, seat, hand)
    minimum = opening_minimum(deal, side_of(seat))
    held = size(hand)
    if not minimum and held > _LONGEST_PLACEMENT + 1:
        return found, []
    points = deal.rules.points
    legal: list[Placement] = []
    refused: list[Placement] = []
    for placement in found:
        cards = placement.cards
        if minimum and sum(points[card] for card in cards) < minimum:
            refused.append(placement)
        elif held - len(cards) > 1 or _is_legal(deal, LayMelds(seat, (placement,))):
            legal.append(placement)
        else:
            refused.append(placement)
    return legal, refused


def _combined(deal: Deal, seat: int, singles: list[Placement]) -> tuple[tuple[Placement, ...], ...]:
    """Moves of two or three placements that open or end the hand; bounded, dearest first."""
    hand, points = deal.hands[seat], deal.rules.points
    minimum = opening_minimum(deal, side_of(seat))
    plain = [placement for placement in singles if placement.layout is None]
    plain.sort(key=lambda placement: -sum(points[card] for card in placement.cards))
    dearest = plain[:_MOST_COMBINED_FROM]
    found: list[tuple[Placement, ...]] = []
    for number in (2, 3) if minimum else (2,):
        for chosen in combinations(dearest, number):
            if len({p.onto for p in chosen if p.onto is not None}) < sum(
                p.onto is not None for p in chosen
            ):
                continue
            cards = [card for placement in chosen for card in placement.cards]
            worth = sum(points[card] for card in cards)
            if worth < minimum or not holds(hand, pack(cards)):
                continue
            if _is_legal(deal, LayMelds(seat, chosen)):
                found.append(chosen)
                if len(found) == MOST_COMBINED:
                    return tuple(found)
    if minimum and not found:
        found = [opening for opening in [_some_opening(deal, seat, plain, minimum)] if opening]
    return tuple(found)


def _some_opening(
    deal: Deal, seat: int, plain: list[Placement], minimum: int
) -> tuple[Placement, ...]:
    """New melds that reach the minimum together, out of these (dearest first); () for none."""
    points = deal.rules.points
    priced = [(sum(points[card] for card in p.cards), pack(p.cards), p) for p in plain]
    priced = [each for each in priced if each[0] < minimum]  # what is enough alone is listed alone
    looked_at = 0

    def search(
        start: int, left: int, worth: int, chosen: tuple[Placement, ...]
    ) -> tuple[Placement, ...]:
        nonlocal looked_at
        if worth >= minimum:
            return chosen if _is_legal(deal, LayMelds(seat, chosen)) else ()
        room = size(left) // 3
        for index in range(start, len(priced)):
            price, cards, placement = priced[index]
            looked_at += 1
            if looked_at > _MOST_LOOKED_AT or worth + room * price < minimum:
                return ()
            if holds(left, cards):
                more = (*chosen, placement)
                opening = search(index + 1, left - cards, worth + price, more)
                if opening:
                    return opening
        return ()

    return search(0, deal.hands[seat], 0, ())


def _takings(deal: Deal, seat: int) -> tuple[Placement, ...]:
    """The placements by which a closed pile may be taken (S4-33 to S4-35)."""
    top = deal.pile[-1]
    hand = deal.hands[seat] + UNIT[top]
    after = size(hand) + len(deal.pile) - 1
    minimum = opening_minimum(deal, side_of(seat))
    found: list[Placement] = []
    for placement in _placements_with(deal, seat, hand, top):
        certain = not minimum and after - len(placement.cards) > 1
        if certain or _is_legal(deal, Take(seat, (placement,))):
            found.append(placement)
    return tuple(found)
