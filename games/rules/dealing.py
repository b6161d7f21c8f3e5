"""Dealing a shuffled pack: who gets which cards, in which order.

The first card of the pack is the top. Hands are dealt one card at a time from the starter on; the
reserves are cut from the bottom, one card at a time each (S0-11); the rest is the stock, whose top
card is turned up where the profile says so (S0-14). Pure; imports the data of the rules.
"""

from __future__ import annotations

from games.rules.cards import in_order, pack
from games.rules.events import DealStarted
from games.rules.profile import Profile
from games.rules.state import SIDES, Deal, Step, rules_for


def deal_pack(
    profile: Profile,
    seats: int,
    shuffled: tuple[str, ...],
    *,
    deal: int,
    dealer: int,
    totals: tuple[int, ...],
) -> DealStarted:
    """The start of a deal, complete: stock and reserves included."""
    starter = (dealer + 1) % seats
    dealt = seats * profile.deal.hand
    hands = tuple(
        in_order(shuffled[(seat - starter) % seats : dealt : seats]) for seat in range(seats)
    )
    bottom = len(shuffled) - SIDES * profile.deal.reserve
    cut = shuffled[bottom:][::-1]
    # As they were cut: a reserve that becomes the stock is drawn in this order.
    reserves = tuple(cut[side::SIDES] for side in range(SIDES))
    stock = shuffled[dealt:bottom][::-1]
    pile: tuple[str, ...] = ()
    if profile.deal.upcard:
        stock, pile = stock[:-1], stock[-1:]
    return DealStarted(
        deal=deal,
        dealer=dealer,
        starter=starter,
        totals=totals,
        minimum=tuple(profile.minimum(total) for total in totals),
        hands=hands,
        pile=pile,
        stock=stock,
        reserves=reserves,
    )


def sealed(started: DealStarted) -> DealStarted:
    """The same without what no one may know yet: the order of stock and reserves."""
    return DealStarted(
        deal=started.deal,
        dealer=started.dealer,
        starter=started.starter,
        totals=started.totals,
        minimum=started.minimum,
        hands=started.hands,
        pile=started.pile,
    )


def begin(profile: Profile, seats: int, started: DealStarted) -> Deal:
    """The deal at its first moment. `ValueError` where stock and reserves are not given."""
    if started.stock is None or started.reserves is None:
        raise ValueError("this start of a deal is sealed: complete it from its seed first")
    return Deal(
        rules=rules_for(profile),
        seats=seats,
        turn=started.starter,
        step=Step.DRAW,
        hands=tuple(map(pack, started.hands)),
        melds=((),) * SIDES,
        pile=started.pile,
        stock=started.stock,
        reserves=started.reserves,
        taken=(False,) * SIDES,
        waiting=(False,) * seats,
        totals=started.totals,
        first_turn=True,
        dealer=started.dealer,
    )
