"""The events of a game: facts in the past tense (move language, section 6).

Each class is the `data` of one event type; its stable name stands in `TYPE_NAMES`. Cards are names,
hands are lists in canonical order. Imports nothing of ours.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

EndReason = Literal["closed", "exhausted", "time", "ruling"]


class Event(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What all events have in common: nothing but that they are facts."""


class GameOpened(Event, frozen=True):
    """`profile`: whole and frozen. `holders`: an opaque reference a seat. `commitment`: hex."""

    profile: dict[str, Any]
    seats: int
    format: MatchFormat
    holders: tuple[str, ...]
    commitment: str


class MatchFormat(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How a match ends: at `target` points, or after `deals` deals; both 0: a single deal.

    `move_seconds`: time for a turn; what it takes longer comes out of `bank_seconds`, which each
    seat has once for the match. Both 0: no clock; a bank needs a time for the turn.
    """

    target: int = 0
    deals: int = 0
    move_seconds: int = 0
    bank_seconds: int = 0


class DealStarted(Event, frozen=True):
    """`stock` and `reserves` are given only where the whole pack may be known."""

    deal: int
    dealer: int
    starter: int
    totals: tuple[int, ...]
    minimum: tuple[int, ...]
    hands: tuple[tuple[str, ...], ...]
    pile: tuple[str, ...]
    stock: tuple[str, ...] | None = None
    reserves: tuple[tuple[str, ...], ...] | None = None


class CardDrawn(Event, frozen=True):
    seat: int
    card: str


class CardRejected(Event, frozen=True):
    seat: int
    card: str


class PileTaken(Event, frozen=True):
    seat: int
    cards: tuple[str, ...]


class Laid(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One placement: the meld's number, the cards added, the whole layout that came of it."""

    meld: int
    cards: tuple[str, ...]
    layout: tuple[str, ...]
    at_once: int


class Melded(Event, frozen=True):
    seat: int
    placements: tuple[Laid, ...]


class Discarded(Event, frozen=True):
    """`shown`: the equal card that the player held before and has to show (S0-39)."""

    seat: int
    card: str
    shown: str | None = None


class ReserveTaken(Event, frozen=True):
    seat: int
    side: int
    cards: tuple[str, ...]
    direct: bool


class ReserveBecameStock(Event, frozen=True):
    count: int


class DealEnded(Event, frozen=True):
    """`seat`: who went out, else null."""

    reason: EndReason
    seat: int | None


class SheetLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    code: str
    count: int
    points: int


class SideSheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    lines: tuple[SheetLine, ...]
    total: int


class DealScored(Event, frozen=True):
    sheets: tuple[SideSheet, ...]
    totals: tuple[int, ...]


class GameEnded(Event, frozen=True):
    """`reason`: `target`, `deals` or `ruling`."""

    reason: str
    winner: int | None


class SeedRevealed(Event, frozen=True):
    """`seed`: hex of 64 bytes."""

    deal: int
    seed: str
    algorithm: str


class SeatChanged(Event, frozen=True):
    seat: int
    holder: str
    reason: str


Proposal = Literal["undo", "pause", "resume"]


class Asked(Event, frozen=True):
    """A player proposes something that an opponent must agree to."""

    seat: int
    what: Proposal


class Answered(Event, frozen=True):
    """An opponent agrees or not."""

    seat: int
    what: Proposal
    grant: bool


class UndoGranted(Event, frozen=True):
    """The last meld is taken back. `placements`: each meld as it was before, empty if it was new.

    `cards` of them have gone back into the hand of `seat`.
    """

    seat: int
    placements: tuple[Laid, ...]


class GamePaused(Event, frozen=True):
    """`reason`: `agreed` or `ruling`."""

    reason: str


class GameResumed(Event, frozen=True):
    """`reason`: `agreed`, `ruling` or `timeout`."""

    reason: str


class ClockExpired(Event, frozen=True):
    """The player of this seat has used up the turn's time and the bank."""

    seat: int


class ClockCredited(Event, frozen=True):
    """Time that the turn's player gets back, in milliseconds; `reason`: `outage` or `ruling`."""

    ms: int
    reason: str


TYPE_NAMES: dict[type[Event], str] = {
    GameOpened: "game_opened",
    DealStarted: "deal_started",
    CardDrawn: "card_drawn",
    CardRejected: "card_rejected",
    PileTaken: "pile_taken",
    Melded: "melded",
    Discarded: "discarded",
    ReserveTaken: "reserve_taken",
    ReserveBecameStock: "reserve_became_stock",
    DealEnded: "deal_ended",
    DealScored: "deal_scored",
    GameEnded: "game_ended",
    SeedRevealed: "seed_revealed",
    SeatChanged: "seat_changed",
    Asked: "asked",
    Answered: "answered",
    UndoGranted: "undo_granted",
    GamePaused: "game_paused",
    GameResumed: "game_resumed",
    ClockExpired: "clock_expired",
    ClockCredited: "clock_credited",
}
BY_NAME: dict[str, type[Event]] = {name: event for event, name in TYPE_NAMES.items()}
