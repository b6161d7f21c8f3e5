"""One deal: `decide` answers a move with events or a refusal. It holds the rules.

Pure: no clock, no randomness, no I/O. What an event makes of a deal, `evolving.py` tells.
"""

from __future__ import annotations

from collections.abc import Callable

from games.rules import events as ev
from games.rules.cards import UNIT, WILDS, count, holds_all, in_order, size, unpack
from games.rules.evolving import evolve
from games.rules.melds import Layout, Meld, same_layout, shape
from games.rules.moves import AnyMove, Discard, Draw, LayMelds, Placement, Reject, Take
from games.rules.profile import (
    Canasta,
    LastCard,
    OneCardPile,
    Pile,
    RefusalCode,
)
from games.rules.refusals import Refusal, refuse
from games.rules.state import (
    Deal,
    Step,
    owns_canasta,
    side_of,
)
from scoring.sheets import special_run

Decision = list[ev.Event] | Refusal


def decide(deal: Deal, move: AnyMove) -> Decision:
    """The events that follow from a well-formed move, or why it is refused.

    The order of the checks is that of move language, section 5. A refused move changes nothing.
    """
    if deal.ended is not None:
        return refuse(deal, "deal-over")
    if move.seat != deal.turn:
        return refuse(deal, "not-your-turn")
    return _DECIDE[type(move)](deal, move)


def _decide_draw(deal: Deal, move: Draw) -> Decision:
    if deal.step is not Step.DRAW:
        return refuse(deal, "wrong-step")
    if not can_draw(deal):
        return refuse(deal, "stock-empty")
    return [ev.CardDrawn(move.seat, deal.stock[-1])]


def _decide_reject(deal: Deal, move: Reject) -> Decision:
    if deal.step is not Step.PLAY:
        return refuse(deal, "wrong-step")
    if not can_draw(deal):
        return refuse(deal, "stock-empty")
    if deal.first_card is None:
        return refuse(deal, "cannot-reject")
    return [
        ev.CardRejected(move.seat, deal.first_card),
        ev.CardDrawn(move.seat, deal.stock[-1]),
    ]


def _decide_take(deal: Deal, move: Take) -> Decision:
    if deal.step is not Step.DRAW:
        return refuse(deal, "wrong-step")
    seat, closed = move.seat, deal.rules.profile.turn.pile is Pile.CLOSED
    top = deal.pile[-1] if deal.pile else None
    placement = move.using[0] if move.using and closed else None
    if placement is not None:
        others = list(placement.cards)
        if top in placement.cards:
            others.remove(top)
        if not holds_all(deal.hands[seat], others):
            return refuse(deal, "not-in-hand")
    if top is None:
        return refuse(deal, "pile-empty")
    if closed and (placement is None or top not in placement.cards):
        return refuse(deal, "pile-needs-use")
    if placement is not None and top in WILDS and placement.onto is not None:
        return refuse(deal, "pile-wild-needs-new")
    taken = ev.PileTaken(seat, deal.pile)
    if placement is not None:
        after = evolve(deal, taken)
        melding = _decide_placements(after, seat, (placement,))
        return melding if isinstance(melding, Refusal) else [taken, *melding]
    after = evolve(deal, taken)
    if size(after.hands[seat]) == 1 and _stranded(after, seat):
        return refuse(deal, "would-strand")
    return [taken]


def _decide_meld(deal: Deal, move: LayMelds) -> Decision:
    if deal.step is not Step.PLAY:
        return refuse(deal, "wrong-step")
    needed = [card for placement in move.place for card in placement.cards]
    if not holds_all(deal.hands[move.seat], needed):
        return refuse(deal, "not-in-hand")
    return _decide_placements(deal, move.seat, move.place)


def lay_all(
    deal: Deal, side: int, placements: tuple[Placement, ...]
) -> list[ev.Laid] | RefusalCode:
    """What placements one after another make of a side's melds, whatever becomes of the hand.

    The cards are not looked for in any hand. The code is that of the first wrong placement.
    """
    melds = list(deal.melds[side])
    laid: list[ev.Laid] = []
    for placement in placements:
        one = _lay(deal, melds, placement)
        if isinstance(one, str):
            return one
        meld = Meld(one.layout, one.at_once)
        if one.meld == len(melds):
            melds.append(meld)
        else:
            melds[one.meld] = meld
        laid.append(one)
    return laid


def worth_of(deal: Deal, placements: tuple[Placement, ...]) -> int:
    """What the cards of these placements are worth together (S3-36)."""
    points = deal.rules.points
    return sum(points[card] for placement in placements for card in placement.cards)


def _decide_placements(deal: Deal, seat: int, placements: tuple[Placement, ...]) -> Decision:
    """Lay cards that the hand holds, and see what becomes of a hand of none or one."""
    side = side_of(seat)
    laid = lay_all(deal, side, placements)
    if isinstance(laid, str):
        return refuse(deal, laid)
    minimum = opening_minimum(deal, side)
    if minimum and worth_of(deal, placements) < minimum:
        return refuse(deal, "opening-too-low")
    melded = ev.Melded(seat, tuple(laid))
    left = size(deal.hands[seat]) - sum(len(one.cards) for one in laid)
    if left > 1:
        return [melded]
    after = evolve(deal, melded)
    if left == 0 and may_fetch_reserve(after, seat):
        fetched = ev.ReserveTaken(seat, side, in_order(after.reserves[0]), direct=True)
        after = evolve(after, fetched)
        if size(after.hands[seat]) < 2 and _stranded(after, seat):
            return refuse(deal, "would-strand")
        return [melded, fetched]
    if left == 0:
        last_card = deal.rules.profile.going_out.last_card
        if last_card is LastCard.DISCARDED_OR_MELDED and closing_fault(after, seat, None) is None:
            return [melded, ev.DealEnded("closed", seat)]
        return refuse(deal, "would-strand")
    return refuse(deal, "would-strand") if _stranded(after, seat) else [melded]


def _lay(deal: Deal, melds: list[Meld], placement: Placement) -> ev.Laid | RefusalCode:
    """One placement onto these melds of the side: what it makes, or the code of its refusal."""
    number, at_once = len(melds), 0
    onto: tuple[str, ...] = ()
    if placement.onto is not None:
        if not 0 <= placement.onto < len(melds):
            return "no-such-meld"
        number = placement.onto
        onto, at_once = melds[number].cards, melds[number].at_once
    cards = in_order(placement.cards)
    layouts = deal.rules.book.layouts(onto, cards)
    if isinstance(layouts, str):
        return layouts
    is_set = shape(layouts[0].cards).is_set
    if is_set and not onto and not deal.rules.profile.melds.equal_sets:
        rank = shape(layouts[0].cards).rank
        if any(shape(meld.cards).rank == rank for meld in melds):
            return "set-exists"
    chosen = choose_layout(layouts, placement, is_set=is_set)
    if chosen is None:
        return "layout-illegal"
    scores = deal.rules.profile.scores
    if not onto and scores.special_runs_at_once and not is_set and chosen.wild is None:
        at_once = special_run(scores, chosen.cards)
    return ev.Laid(number, cards, chosen.cards, at_once)


def choose_layout(
    layouts: tuple[Layout, ...], placement: Placement, *, is_set: bool
) -> Layout | None:
    """The layout that the placement asks for, the default where it asks for none, or None."""
    if placement.layout is not None:
        for layout in layouts:
            if same_layout(placement.layout, layout.cards, is_set=is_set):
                return layout
        return None
    if placement.wild is None:
        return layouts[0]
    if is_set:
        return None
    for layout in layouts:
        end = 0 if placement.wild == "low" else len(layout.cards) - 1
        if layout.wild == end:
            return layout
    return None


def _decide_discard(deal: Deal, move: Discard) -> Decision:
    if deal.step is not Step.PLAY:
        return refuse(deal, "wrong-step")
    seat, card = move.seat, move.card
    if not count(deal.hands[seat], card):
        return refuse(deal, "not-in-hand")
    fault = discard_fault(deal, seat, card)
    if fault is not None:
        return refuse(deal, fault)
    shown = None
    if (
        deal.single is not None
        and deal.single.card == card
        and deal.rules.profile.turn.one_card_pile is OneCardPile.EQUAL_HELD_SHOWN
    ):
        shown = card
    events: list[ev.Event] = [ev.Discarded(seat, card, shown)]
    reserves = len(deal.reserves)
    if deal.hands[seat] == UNIT[card]:
        if not may_fetch_reserve(deal, seat):
            return [*events, ev.DealEnded("closed", seat)]
        cards = in_order(deal.reserves[0])
        events.append(ev.ReserveTaken(seat, side_of(seat), cards, direct=False))
        reserves -= 1
    stock = deal.rules.profile.stock
    if len(deal.stock) <= stock.floor:
        if stock.reserves_become_stock and reserves:
            events.append(ev.ReserveBecameStock(len(deal.reserves[-reserves])))
        else:
            events.append(ev.DealEnded("exhausted", None))
    return events


def can_draw(deal: Deal) -> bool:
    """Whether the stock has a card that may be drawn (the last `floor` cards may not, G0-3)."""
    return len(deal.stock) > deal.rules.profile.stock.floor


def opening_minimum(deal: Deal, side: int) -> int:
    """What the next melds of a side must be worth together; 0 once it has opened (S3-39)."""
    if deal.melds[side] or not deal.rules.profile.opening.tiers:
        return 0
    return deal.rules.profile.minimum(deal.totals[side])


def may_fetch_reserve(deal: Deal, seat: int) -> bool:
    """Whether emptying the hand fetches a reserve: the side has had none and one is left."""
    return not deal.taken[side_of(seat)] and bool(deal.reserves)


def discard_fault(deal: Deal, seat: int, card: str) -> RefusalCode | None:
    """Why a card of the hand may not be discarded now, or None."""
    single = deal.single
    if single is not None and single.card == card and not single.held_before:
        return "discard-same-single"
    if deal.hands[seat] == UNIT[card] and not may_fetch_reserve(deal, seat):
        return closing_fault(deal, seat, card)
    return None


def closing_fault(deal: Deal, seat: int, last_discard: str | None) -> RefusalCode | None:
    """Why this player may not go out now, or None; `last_discard` None: by melding."""
    side, going_out = side_of(seat), deal.rules.profile.going_out
    if not deal.taken[side]:
        return "close-without-reserve"
    if not owns_canasta(deal.melds[side], clean=going_out.canasta is Canasta.CLEAN):
        return "close-without-canasta"
    if last_discard in WILDS and not going_out.wild_discard:
        return "close-wild-discard"
    return None


def _stranded(deal: Deal, seat: int) -> bool:
    """Whether a hand of one card or none holds nothing that could be discarded (G0-5)."""
    cards = unpack(deal.hands[seat])
    return not cards or discard_fault(deal, seat, cards[0]) is not None


_DECIDE: dict[type[AnyMove], Callable[..., Decision]] = {
    Draw: _decide_draw,
    Reject: _decide_reject,
    Take: _decide_take,
    LayMelds: _decide_meld,
    Discard: _decide_discard,
}
