"""One deal: `evolve` applies an event. It consults no rules: an event is a fact.

Pure: no clock, no randomness, no I/O. What may happen in a deal, `engine.py` decides.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from msgspec.structs import replace

from games.rules import events as ev
from games.rules.cards import UNIT, count, pack
from games.rules.melds import Meld
from games.rules.profile import OneCardPile
from games.rules.state import Deal, Ended, SinglePile, Step, side_of


def evolve(deal: Deal, event: ev.Event) -> Deal:
    """The deal after an event. `TypeError` for an event that is not one of a deal's moves."""
    try:
        apply = _EVOLVE[type(event)]
    except KeyError:
        raise TypeError(f"{type(event).__name__} does not happen within a deal") from None
    return apply(deal, event)


def evolve_all(deal: Deal, events: list[ev.Event]) -> Deal:
    """The deal after several events."""
    for event in events:
        deal = evolve(deal, event)
    return deal


def _drawn(deal: Deal, event: ev.CardDrawn) -> Deal:
    seat = event.seat
    privileged = deal.first_turn and deal.rules.profile.turn.first_card_may_be_rejected
    return replace(
        deal,
        step=Step.PLAY,
        hands=_with(deal.hands, seat, deal.hands[seat] + UNIT[event.card]),
        stock=deal.stock[:-1],
        waiting=_with(deal.waiting, seat, False) if deal.waiting[seat] else deal.waiting,
        first_turn=privileged,
        first_card=event.card if privileged else None,
    )


def _rejected(deal: Deal, event: ev.CardRejected) -> Deal:
    seat = event.seat
    return replace(
        deal,
        hands=_with(deal.hands, seat, deal.hands[seat] - UNIT[event.card]),
        pile=(*deal.pile, event.card),
        first_turn=False,
        first_card=None,
    )


def _taken(deal: Deal, event: ev.PileTaken) -> Deal:
    seat, single = event.seat, None
    if len(event.cards) == 1 and deal.rules.profile.turn.one_card_pile is not OneCardPile.FREE:
        card = event.cards[0]
        single = SinglePile(card, count(deal.hands[seat], card) > 0)
    return replace(
        deal,
        step=Step.PLAY,
        hands=_with(deal.hands, seat, deal.hands[seat] + pack(event.cards)),
        pile=(),
        waiting=_with(deal.waiting, seat, False) if deal.waiting[seat] else deal.waiting,
        single=single,
        first_turn=False,
        first_card=None,
    )


def _melded(deal: Deal, event: ev.Melded) -> Deal:
    seat, side = event.seat, side_of(event.seat)
    hand, melds = deal.hands[seat], list(deal.melds[side])
    for laid in event.placements:
        hand -= pack(laid.cards)
        meld = Meld(laid.layout, laid.at_once)
        if laid.meld == len(melds):
            melds.append(meld)
        else:
            melds[laid.meld] = meld
    single = deal.single
    if single is not None and not count(hand, single.card):
        single = None
    return replace(
        deal,
        hands=_with(deal.hands, seat, hand),
        melds=_with(deal.melds, side, tuple(melds)),
        single=single,
        first_turn=False,
        first_card=None,
    )


def _discarded(deal: Deal, event: ev.Discarded) -> Deal:
    seat = event.seat
    return replace(
        deal,
        turn=(seat + 1) % deal.seats,
        step=Step.DRAW,
        hands=_with(deal.hands, seat, deal.hands[seat] - UNIT[event.card]),
        pile=(*deal.pile, event.card),
        single=None,
        first_turn=False,
        first_card=None,
    )


def _reserve_taken(deal: Deal, event: ev.ReserveTaken) -> Deal:
    seat = event.seat
    return replace(
        deal,
        hands=_with(deal.hands, seat, deal.hands[seat] + pack(event.cards)),
        reserves=deal.reserves[1:],
        taken=_with(deal.taken, event.side, True),
        waiting=deal.waiting if event.direct else _with(deal.waiting, seat, True),
    )


def _reserve_became_stock(deal: Deal, event: ev.ReserveBecameStock) -> Deal:
    # Cards that the floor keeps from being drawn stay at the bottom.
    stock = (*deal.stock, *deal.reserves[0])
    return replace(deal, stock=stock, reserves=deal.reserves[1:])


def _ended(deal: Deal, event: ev.DealEnded) -> Deal:
    return replace(deal, ended=Ended(event.reason, event.seat))


_EVOLVE: dict[type[ev.Event], Callable[..., Deal]] = {
    ev.CardDrawn: _drawn,
    ev.CardRejected: _rejected,
    ev.PileTaken: _taken,
    ev.Melded: _melded,
    ev.Discarded: _discarded,
    ev.ReserveTaken: _reserve_taken,
    ev.ReserveBecameStock: _reserve_became_stock,
    ev.DealEnded: _ended,
}


T = TypeVar("T")


def _with(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    """The same tuple with another item at one index."""
    return (*items[:index], item, *items[index + 1 :])
