"""What a player may ask before moving: the legal moves, and what a meld would be.

Rules stay on the server: a browser lights up what is listed here and shows what a trial answers.
Pure, on a folded game; changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from games.rules.cards import holds_all
from games.rules.engine import decide, lay_all, opening_minimum, worth_of
from games.rules.events import Event, Laid
from games.rules.legal import LegalMoves, legal_moves
from games.rules.melds import Meld
from games.rules.moves import LayMelds, Placement, Take
from games.rules.profile import Pile, RefusalCode
from games.rules.refusals import Refusal, refuse
from games.rules.state import Deal, Step, side_of
from games.rules.views import shown_meld
from games.tables.folding import Folded


def legal_answer(folded: Folded, seat: int) -> dict[str, Any]:
    """All moves of a seat; a placement comes with the meld that it would make."""
    deal, paused = folded.state.deal, folded.state.paused
    legal = LegalMoves(seat) if deal is None or paused else legal_moves(deal, seat)
    answer: dict[str, Any] = {
        "seq": folded.head.seq,
        "draw": legal.draw,
        "take": legal.take,
        "reject": legal.reject,
        "discards": legal.discards,
        "using": [],
        "melds": [],
        "combined": [],
    }
    if deal is not None:
        answer["using"] = [*_all_laid(deal, seat, legal.using)]
        answer["melds"] = [*_all_laid(deal, seat, legal.melds)]
        answer["combined"] = [_laid_together(deal, seat, several) for several in legal.combined]
    return answer


def trial_answer(folded: Folded, seat: int, placements: tuple[Placement, ...]) -> dict[str, Any]:
    """What these placements would be now: melds laid, or a closed pile taken with the first.

    Who has not drawn is told of the others only what the own hand and the table tell: what else
    lies in the pile is not to be found out by trying.
    """
    deal = folded.state.deal
    if deal is None or not placements:
        return {"ok": False, "laid": [], "worth": 0, "minimum": 0}
    side = side_of(seat)
    answer: dict[str, Any] = {
        "ok": True,
        "laid": [],
        "worth": worth_of(deal, placements),
        "minimum": opening_minimum(deal, side),
    }
    laid = lay_all(deal, side, placements)
    if not isinstance(laid, str):
        answer["laid"] = _laid_together(deal, seat, placements)
    decided = _decided(deal, seat, placements, laid)
    if isinstance(decided, Refusal):
        answer |= {
            "ok": False,
            "code": decided.code,
            "clause": decided.clause,
            "reason": decided.reason,
        }
    return answer


def _decided(
    deal: Deal, seat: int, placements: tuple[Placement, ...], laid: list[Laid] | RefusalCode
) -> list[Event] | Refusal:
    closed = deal.rules.profile.turn.pile is Pile.CLOSED
    if not closed or deal.step is not Step.DRAW or seat != deal.turn:
        return decide(deal, LayMelds(seat, placements))
    decided = decide(deal, Take(seat, placements[:1]))
    if isinstance(decided, Refusal) or len(placements) == 1:
        return decided
    cards = [card for placement in placements for card in placement.cards]
    cards.remove(deal.pile[-1])
    if not holds_all(deal.hands[seat], cards):
        return refuse(deal, "not-in-hand")
    return refuse(deal, laid) if isinstance(laid, str) else decided


def _all_laid(deal: Deal, seat: int, placements: tuple[Placement, ...]) -> Iterator[dict[str, Any]]:
    for placement in placements:
        yield from _laid_together(deal, seat, (placement,))


def _laid_together(
    deal: Deal, seat: int, placements: tuple[Placement, ...]
) -> list[dict[str, Any]]:
    laid = lay_all(deal, side_of(seat), placements)
    if isinstance(laid, str):
        raise ValueError(f"a legal placement is refused: {laid}")
    return [_laid(deal, one, placement) for one, placement in zip(laid, placements, strict=True)]


def _laid(deal: Deal, laid: Laid, placement: Placement) -> dict[str, Any]:
    result = shown_meld(deal.rules, Meld(laid.layout, laid.at_once))
    shown: dict[str, Any] = {
        "cards": placement.cards,
        "result": result["cards"],
        "set": result["set"],
        "wild": result["wild"],
        "grade": result["grade"],
        "worth": worth_of(deal, (placement,)),
    }
    if placement.onto is not None:
        shown["onto"] = placement.onto
    if placement.layout is not None:
        shown["layout"] = placement.layout
    if placement.wild is not None:
        shown["end"] = placement.wild
    return shown
