"""What each audience may see of a game: views, and events with the rest left out.

Allow-lists: an audience gets what is named for it; an event type that is not named here raises.
Pure; imports the rules' data. Spectators see what lies face up on the table, a seat sees its own
hand besides, an official sees all hands. The order of the stock is for no one while the game goes
on; once all of it is revealed (`ALL`) it is for everyone.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import msgspec

from games.rules import events as ev
from games.rules.cards import in_order, size, unpack
from games.rules.match import Game
from games.rules.melds import Meld, shape
from games.rules.profile import Pile, Profile
from games.rules.proposals import may_undo
from games.rules.state import Deal, Rules, reserve_is_seen, sheets_of
from scoring.sheets import MeldFacts, grade

PUBLIC = "public"
OFFICIAL = "official"
ALL = "all"
"""Everyone, once the cards of a game are revealed: whoever asks for this asks the policy first."""


def seat_audience(seat: int) -> str:
    """The audience of one seat."""
    return f"seat-{seat}"


@lru_cache(maxsize=8)
def audiences(seats: int) -> tuple[str, ...]:
    """The audiences of a game that is going on: each seat, the public, the officials."""
    return (*map(seat_audience, range(seats)), PUBLIC, OFFICIAL)


@lru_cache(maxsize=64)
def seat_of(audience: str) -> int | None:
    """The seat of a seat's audience, else None. `ValueError` for an unknown audience."""
    if audience in (PUBLIC, OFFICIAL, ALL):
        return None
    prefix, _, number = audience.partition("-")
    if prefix != "seat" or number not in {"0", "1", "2", "3"}:
        raise ValueError(f"there is no audience {audience!r}")
    return int(number)


def view(game: Game, audience: str) -> dict[str, Any]:
    """The game as an audience may see it, as a plain object."""
    seat = seat_of(audience)
    if seat is not None and seat >= game.seats:
        raise ValueError(f"there is no audience {audience!r} at this table")
    shown: dict[str, Any] = {
        "profile": _shown_profile(game.profile),
        "seats": game.seats,
        "audience": audience,
        "format": msgspec.structs.asdict(game.format),
        "deal": game.deal_number,
        "totals": list(game.totals),
        "over": game.over,
        "winner": game.winner,
        "sheets": None if game.sheets is None else msgspec.to_builtins(game.sheets),
        "holders": list(game.holders),
        "paused": game.paused,
        "asked": None if game.asked is None else msgspec.to_builtins(game.asked),
    }
    deal = game.deal
    if deal is None:
        return shown
    shown |= {
        "dealer": deal.dealer,
        "turn": deal.turn,
        "step": deal.step.value,
        "first_turn": deal.first_turn,
        "minimum": [game.profile.minimum(total) for total in deal.totals],
        "hands": [size(hand) for hand in deal.hands],
        "hand": None,
        "melds": [[shown_meld(deal.rules, meld) for meld in side] for side in deal.melds],
        "pile": {"count": len(deal.pile), "cards": list(visible_pile(deal))},
        "stock": len(deal.stock),
        "reserves": len(deal.reserves),
        "taken": list(deal.taken),
        "waiting": list(deal.waiting),
        "ended": None
        if deal.ended is None
        else {"reason": deal.ended.reason, "seat": deal.ended.seat},
    }
    if seat is not None:
        # Players are told the clause that a hint or a refusal rests on.
        shown["clauses"] = dict(game.profile.clauses)
    if seat is not None and not reserve_is_seen(deal, seat):
        shown["hidden_own"] = True
    elif seat is not None:
        shown["may_undo"] = may_undo(game, seat)
        shown["hand"] = unpack(deal.hands[seat])
        if seat == deal.turn:
            shown["first_card"] = deal.first_card
            shown["single"] = None if deal.single is None else msgspec.to_builtins(deal.single)
    if audience in (OFFICIAL, ALL):
        shown["all_hands"] = [unpack(hand) for hand in deal.hands]
    if audience == ALL:
        shown |= _face_down(deal)
    return shown


def _face_down(deal: Deal) -> dict[str, Any]:
    """What lies face down; of the stock the last card is the next to be drawn."""
    return {
        "stock_cards": list(deal.stock),
        "reserve_cards": [list(reserve) for reserve in deal.reserves],
    }


def sheets_so_far(game: Game, audience: str) -> list[dict[str, Any]] | None:
    """A sheet a side as if the deal ended now, with no one going out; None without a deal.

    The cards in the hands count for `ALL` only; for the rest the hands are taken away before
    anything is counted.
    """
    deal = game.deal
    if deal is None:
        return None
    if audience != ALL:
        deal = msgspec.structs.replace(deal, hands=(0,) * deal.seats)
    sheets: list[dict[str, Any]] = msgspec.to_builtins(sheets_of(deal, None))
    return sheets


def _shown_profile(profile: Profile) -> dict[str, Any]:
    """Its names, and the parts that a page needs to carry a view on from event to event."""
    return {
        "id": profile.id,
        "name": profile.name,
        "deal": msgspec.to_builtins(profile.deal),
        "turn": msgspec.to_builtins(profile.turn),
    }


def visible_pile(deal: Deal) -> tuple[str, ...]:
    """The cards of the pile that all may see: all, or in closed profiles the last (S4-32)."""
    return deal.pile[-1:] if deal.rules.profile.turn.pile is Pile.CLOSED else deal.pile


def shown_meld(rules: Rules, meld: Meld) -> dict[str, Any]:
    """A meld as all see it, with the grade of canasta that it has reached."""
    found = shape(meld.cards)
    facts = MeldFacts(meld.cards, found.is_set, found.wild, meld.at_once)
    reached = grade(rules.profile.scores, facts)
    return {
        "cards": list(meld.cards),
        "set": found.is_set,
        "wild": found.wild,
        "at_once": meld.at_once,
        "grade": None if reached is None else reached.value,
    }


def public_event(after: Game, event: ev.Event, audience: str) -> dict[str, Any]:
    """The `data` of an event as an audience may see it; `after`: the game once it has happened.

    `TypeError` for an event type for which nothing has been named.
    """
    try:
        show = _SHOW[type(event)]
    except KeyError:
        raise TypeError(f"no audience is named for {type(event).__name__}") from None
    return show(after, event, audience)


def same_for_all(after: Game, event: ev.Event) -> bool:
    """Whether every audience sees the same of an event, so that it need be shown but once."""
    if isinstance(event, ev.Discarded):
        return after.deal is not None and not any(after.deal.waiting)
    if isinstance(event, ev.PileTaken):
        return after.profile.turn.pile is Pile.OPEN
    return _SHOW[type(event)] in (_whole, _melded, _opened, _undo_granted)


def _knows_hand(after: Game, audience: str, seat: int) -> bool:
    if audience in (OFFICIAL, ALL):
        return True
    if seat_of(audience) != seat:
        return False
    return after.deal is not None and reserve_is_seen(after.deal, seat)


def _opened(after: Game, event: ev.GameOpened, audience: str) -> dict[str, Any]:
    return {
        "profile": event.profile,
        "seats": event.seats,
        "format": msgspec.structs.asdict(event.format),
        "holders": list(event.holders),
        "commitment": event.commitment,
    }


def _started(after: Game, event: ev.DealStarted, audience: str) -> dict[str, Any]:
    if after.deal is None:
        raise TypeError("a start without a deal")
    shown: dict[str, Any] = {
        "deal": event.deal,
        "dealer": event.dealer,
        "starter": event.starter,
        "totals": list(event.totals),
        "minimum": list(event.minimum),
        "hands": [len(hand) for hand in event.hands],
        "pile": list(event.pile),
        "stock": len(after.deal.stock),
        "reserves": len(after.deal.reserves),
    }
    seat = seat_of(audience)
    if seat is not None:
        shown["hand"] = list(event.hands[seat])
    if audience in (OFFICIAL, ALL):
        shown["all_hands"] = [list(hand) for hand in event.hands]
    if audience == ALL:
        shown |= _face_down(after.deal)
    return shown


def _drawn(after: Game, event: ev.CardDrawn, audience: str) -> dict[str, Any]:
    if _knows_hand(after, audience, event.seat):
        return {"seat": event.seat, "card": event.card}
    return {"seat": event.seat}


def _pile_taken(after: Game, event: ev.PileTaken, audience: str) -> dict[str, Any]:
    closed = after.profile.turn.pile is Pile.CLOSED
    if closed and not _knows_hand(after, audience, event.seat):
        return {"seat": event.seat, "count": len(event.cards)}
    return {"seat": event.seat, "count": len(event.cards), "cards": list(event.cards)}


def _melded(after: Game, event: ev.Melded, audience: str) -> dict[str, Any]:
    if after.deal is None:
        raise TypeError("a meld outside a deal")
    rules = after.deal.rules
    return {
        "seat": event.seat,
        "placements": [
            {
                "meld": laid.meld,
                "cards": list(laid.cards),
                "result": shown_meld(rules, Meld(laid.layout, laid.at_once)),
            }
            for laid in event.placements
        ],
    }


def _undo_granted(after: Game, event: ev.UndoGranted, audience: str) -> dict[str, Any]:
    if after.deal is None:
        raise TypeError("a meld taken back outside a deal")
    rules = after.deal.rules
    return {
        "seat": event.seat,
        "placements": [
            {
                "meld": laid.meld,
                "cards": list(laid.cards),
                "result": shown_meld(rules, Meld(laid.layout, laid.at_once))
                if laid.layout
                else None,
            }
            for laid in event.placements
        ],
    }


def _discarded(after: Game, event: ev.Discarded, audience: str) -> dict[str, Any]:
    shown: dict[str, Any] = {"seat": event.seat, "card": event.card}
    if event.shown is not None:
        shown["shown"] = event.shown
    seat = seat_of(audience)
    deal = after.deal
    # The partner's discard opens the eyes of a seat that fetched its reserve by a discard (S0-41).
    if (
        seat is not None
        and deal is not None
        and deal.waiting[seat]
        and seat != event.seat
        and reserve_is_seen(deal, seat)
    ):
        shown["hand"] = unpack(deal.hands[seat])
    return shown


def _deal_ended(after: Game, event: ev.DealEnded, audience: str) -> dict[str, Any]:
    shown: dict[str, Any] = {"reason": event.reason, "seat": event.seat}
    seat = seat_of(audience)
    # With the end of the deal a seat sees the reserve that it never got to play.
    if seat is not None and after.deal is not None and after.deal.waiting[seat]:
        shown["hand"] = unpack(after.deal.hands[seat])
    return shown


def _reserve_taken(after: Game, event: ev.ReserveTaken, audience: str) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "seat": event.seat,
        "side": event.side,
        "count": len(event.cards),
        "direct": event.direct,
    }
    if _knows_hand(after, audience, event.seat):
        shown["cards"] = list(in_order(event.cards))
    return shown


def _whole(after: Game, event: ev.Event, audience: str) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(event)
    return plain


_SHOW: dict[type[ev.Event], Callable[..., dict[str, Any]]] = {
    ev.GameOpened: _opened,
    ev.DealStarted: _started,
    ev.CardDrawn: _drawn,
    ev.CardRejected: _whole,
    ev.PileTaken: _pile_taken,
    ev.Melded: _melded,
    ev.Discarded: _discarded,
    ev.ReserveTaken: _reserve_taken,
    ev.ReserveBecameStock: _whole,
    ev.DealEnded: _deal_ended,
    ev.DealScored: _whole,
    ev.GameEnded: _whole,
    ev.SeedRevealed: _whole,
    ev.SeatChanged: _whole,
    ev.Asked: _whole,
    ev.Answered: _whole,
    ev.UndoGranted: _undo_granted,
    ev.GamePaused: _whole,
    ev.GameResumed: _whole,
    ev.ClockExpired: _whole,
    ev.ClockCredited: _whole,
}
