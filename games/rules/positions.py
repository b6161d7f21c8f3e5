"""Positions and the rules desk (move language, sections 4 and 8): JSON in, rulings out.

Reads nothing but the line it is given; needs no database.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Literal

import msgspec

from games.rules.cards import UNIT, pack, unpack
from games.rules.engine import decide
from games.rules.evolving import evolve_all
from games.rules.melds import Meld
from games.rules.moves import AnyMove, MalformedMoveError, check_move
from games.rules.profile import Pile, ProfileError, load_profile, parse_profile
from games.rules.refusals import Refusal
from games.rules.state import (
    SIDES,
    Deal,
    Rules,
    SinglePile,
    Step,
    rules_for,
    sheets_of,
)
from scoring.match import match_winner, totals_after
from scoring.sheets import Sheet


class PositionError(ValueError):
    """A line that the desk cannot read; the text says what is wrong with it."""

    code = "malformed-line"


class _MeldObject(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    cards: tuple[str, ...]
    at_once: Literal[0, 13, 14] = 0


class _SinglePile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    card: str
    held_before: bool


class Position(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position as written (move language, section 4)."""

    turn: int
    step: Step
    hands: tuple[tuple[str, ...], ...]
    melds: tuple[tuple[tuple[str, ...] | _MeldObject, ...], ...] = ()
    pile: tuple[str, ...] = ()
    stock: tuple[str, ...] = ()
    reserves: tuple[tuple[str, ...], ...] = ()
    taken: tuple[bool, ...] = ()
    waiting: tuple[bool, ...] = ()
    totals: tuple[int, ...] = ()
    first_turn: bool = False
    dealer: int | None = None
    pile_single: _SinglePile | None = None


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line put to the desk. `clause`, `expect` and `note` are a decided case's (section 9)."""

    profile: str | dict[str, Any]
    seats: int
    position: Position
    id: Any = None
    moves: tuple[AnyMove, ...] = ()
    score: Literal["now"] | None = None
    clause: msgspec.Raw = msgspec.Raw()
    expect: msgspec.Raw = msgspec.Raw()
    note: msgspec.Raw = msgspec.Raw()


_QUESTION = msgspec.json.Decoder(Question)
_ANYTHING = msgspec.json.Decoder()
_encode = msgspec.json.Encoder().encode


def answer_line(line: bytes) -> bytes:
    """The ruling on one line, as JSON; a malformed line is answered too, never raised."""
    try:
        return _encode(answer(_QUESTION.decode(line)))
    except (PositionError, MalformedMoveError, ProfileError) as fault:
        return _encode(_error(line, str(fault)))
    except (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError) as fault:
        return _encode(_error(line, f"malformed line: {fault}"))
    except RecursionError:
        return _encode(_error(b"", "malformed line: nested too deep"))


def answer(question: Question) -> dict[str, Any]:
    """The ruling on a question. Raises `PositionError`, `MalformedMoveError`, `ProfileError`."""
    rules = _rules(question.profile)
    deal = read_position(rules, question.seats, question.position)
    open_pile = rules.profile.turn.pile is Pile.OPEN
    for number, move in enumerate(question.moves):
        try:
            check_move(move, seats=deal.seats, open_pile=open_pile)
        except MalformedMoveError as fault:
            raise MalformedMoveError(f"move {number}: {fault}") from None
    for number, move in enumerate(question.moves):
        decided = decide(deal, move)
        if isinstance(decided, Refusal):
            return {
                "id": question.id,
                "outcome": "refused",
                "move": number,
                "code": decided.code,
                "clause": decided.clause,
                "reason": decided.reason,
                "position": write_position(deal),
            }
        deal = evolve_all(deal, decided)
    ruling: dict[str, Any] = {
        "id": question.id,
        "outcome": "ok",
        "position": write_position(deal),
        "ended": None,
        "sheets": None,
        "match": None,
    }
    if deal.ended is not None:
        ruling["ended"] = {"reason": deal.ended.reason, "seat": deal.ended.seat}
    if deal.ended is not None or question.score == "now":
        sheets = sheets_of(deal, None if deal.ended is None else deal.ended.seat)
        totals = totals_after(deal.totals, sheets)
        ruling["sheets"] = [write_sheet(sheet) for sheet in sheets]
        ruling["match"] = {
            "totals": list(totals),
            "winner": match_winner(totals, rules.profile.target),
        }
    return ruling


def write_sheet(sheet: Sheet) -> dict[str, Any]:
    """A score sheet as the language writes it."""
    return {
        "lines": [
            {"code": line.code, "count": line.count, "points": line.points} for line in sheet.lines
        ],
        "total": sheet.total,
    }


def _rules(named: str | dict[str, Any]) -> Rules:
    if isinstance(named, str):
        try:
            return rules_for(load_profile(named))
        except KeyError:
            raise PositionError(f"there is no profile {named!r}") from None
    return rules_for(parse_profile(named))


def read_position(rules: Rules, seats: int, position: Position) -> Deal:
    """The deal that a position describes. Raises `PositionError`."""
    if seats not in rules.profile.seats:
        raise PositionError(f"this profile is not played with {seats} seats")
    _check_sizes(seats, position)
    _check_cards(rules, position)
    melds = tuple(
        tuple(
            Meld(meld.cards, meld.at_once) if isinstance(meld, _MeldObject) else Meld(meld)
            for meld in side
        )
        for side in position.melds
    )
    for side, laid in enumerate(melds):
        for number, meld in enumerate(laid):
            if not rules.book.is_sound(meld.cards):
                raise PositionError(f"meld {number} of side {side} is not laid out legally")
            if meld.at_once > len(meld.cards):
                raise PositionError(f"meld {number} of side {side}: at_once is more than it holds")
    hands = tuple(map(pack, position.hands))
    first_card = None
    may_reject = rules.profile.turn.first_card_may_be_rejected and position.first_turn
    if may_reject and position.step is Step.PLAY and position.hands[position.turn]:
        first_card = position.hands[position.turn][-1]
    single = None
    if position.pile_single is not None:
        if position.step is not Step.PLAY:
            raise PositionError("pile_single goes with the step `play` only")
        single = SinglePile(position.pile_single.card, position.pile_single.held_before)
    return Deal(
        rules=rules,
        seats=seats,
        turn=position.turn,
        step=position.step,
        hands=hands,
        melds=melds or ((),) * SIDES,
        pile=position.pile,
        stock=position.stock,
        reserves=position.reserves,
        taken=position.taken or (False,) * SIDES,
        waiting=position.waiting or (False,) * seats,
        totals=position.totals or (0,) * SIDES,
        first_turn=position.first_turn,
        first_card=first_card,
        single=single,
        dealer=position.dealer,
    )


def _check_sizes(seats: int, position: Position) -> None:
    for name, number in (("turn", position.turn), ("dealer", position.dealer)):
        if number is not None and not 0 <= number < seats:
            raise PositionError(f"{name}: there is no seat {number}")
    if len(position.hands) != seats:
        raise PositionError(f"hands: {seats} seats have {seats} hands")
    for name, given, expected in (
        ("melds", position.melds, SIDES),
        ("taken", position.taken, SIDES),
        ("totals", position.totals, SIDES),
        ("waiting", position.waiting, seats),
    ):
        if given and len(given) != expected:
            raise PositionError(f"{name}: {expected} entries are needed")
    if len(position.reserves) > SIDES:
        raise PositionError(f"reserves: there are {SIDES} at most")


def _check_cards(rules: Rules, position: Position) -> None:
    seen: Counter[str] = Counter()
    for cards in (*position.hands, position.pile, position.stock, *position.reserves):
        seen.update(cards)
    for side in position.melds:
        for meld in side:
            seen.update(meld.cards if isinstance(meld, _MeldObject) else meld)
    known = dict.fromkeys(seen, 0)
    if position.pile_single is not None:
        known[position.pile_single.card] = 0
    for card in known:
        if card not in UNIT:
            raise PositionError(f"there is no card {card!r}")
    jokers = rules.profile.deal.jokers
    for card, number in seen.items():
        most = jokers if card == "JK" else 2
        if number > most:
            raise PositionError(f"{number} of {card}: the pack has {most}")


def write_position(deal: Deal) -> dict[str, Any]:
    """A deal as a position; a hand is in canonical order, a first card drawn last in its hand."""
    hands = [unpack(hand) for hand in deal.hands]
    if deal.first_card is not None and deal.first_turn:
        hands[deal.turn].remove(deal.first_card)
        hands[deal.turn].append(deal.first_card)
    position: dict[str, Any] = {
        "turn": deal.turn,
        "step": deal.step.value,
        "hands": hands,
        "melds": [[_write_meld(meld) for meld in side] for side in deal.melds],
        "pile": list(deal.pile),
        "stock": list(deal.stock),
        "reserves": [list(reserve) for reserve in deal.reserves],
        "taken": list(deal.taken),
        "waiting": list(deal.waiting),
        "totals": list(deal.totals),
        "first_turn": deal.first_turn,
        "dealer": deal.dealer,
    }
    if deal.single is not None:
        position["pile_single"] = {
            "card": deal.single.card,
            "held_before": deal.single.held_before,
        }
    return position


def _write_meld(meld: Meld) -> list[str] | dict[str, Any]:
    if meld.at_once:
        return {"cards": list(meld.cards), "at_once": meld.at_once}
    return list(meld.cards)


def _error(line: bytes, reason: str) -> dict[str, Any]:
    try:
        raw = _ANYTHING.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raw = None
    return {
        "id": raw.get("id") if isinstance(raw, dict) else None,
        "outcome": "error",
        "reason": reason,
    }
