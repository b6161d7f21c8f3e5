"""The events of a table as they are sent, as types: a part of `games.live.schema`.

Imports the view's types. The data are what an audience may see of an event; fields that some
audiences do not get have the default `UNSET`.
"""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, UnsetType

from games.live.schema_view import EndReason, MatchFormat, Meld, Part, Proposal, Question, Sheet


class OpenedData(Part, frozen=True):
    profile: dict[str, Any]
    seats: int
    format: MatchFormat
    holders: list[str]
    commitment: str


class StartedData(Part, frozen=True):
    """`hands`: how many cards each; `hand`: the reader's own."""

    deal: int
    dealer: int
    starter: int
    totals: list[int]
    minimum: list[int]
    hands: list[int]
    pile: list[str]
    stock: int
    reserves: int
    hand: list[str] | UnsetType = UNSET


class DrawnData(Part, frozen=True):
    seat: int
    card: str | UnsetType = UNSET


class CardData(Part, frozen=True):
    seat: int
    card: str


class TakenData(Part, frozen=True):
    seat: int
    count: int
    cards: list[str] | UnsetType = UNSET


class LaidData(Part, frozen=True):
    """`result`: the meld after it."""

    meld: int
    cards: list[str]
    result: Meld


class MeldedData(Part, frozen=True):
    seat: int
    placements: list[LaidData]


class UnlaidData(Part, frozen=True):
    """`result`: the meld as it was before; null: it was new and goes."""

    meld: int
    cards: list[str]
    result: Meld | None


class UndoneData(Part, frozen=True):
    seat: int
    placements: list[UnlaidData]


class DiscardedData(Part, frozen=True):
    seat: int
    card: str
    shown: str | UnsetType = UNSET
    hand: list[str] | UnsetType = UNSET


class ReserveData(Part, frozen=True):
    seat: int
    side: int
    count: int
    direct: bool
    cards: list[str] | UnsetType = UNSET


class CountData(Part, frozen=True):
    count: int


class EndedData(Part, frozen=True):
    reason: EndReason
    seat: int | None
    hand: list[str] | UnsetType = UNSET


class ScoredData(Part, frozen=True):
    sheets: list[Sheet]
    totals: list[int]


class GameEndedData(Part, frozen=True):
    reason: str
    winner: int | None


class SeedData(Part, frozen=True):
    deal: int
    seed: str
    algorithm: str


class SeatData(Part, frozen=True):
    seat: int
    holder: str
    reason: str


class AnsweredData(Part, frozen=True):
    seat: int
    what: Proposal
    grant: bool


class ReasonData(Part, frozen=True):
    reason: str


class ExpiredData(Part, frozen=True):
    seat: int


class CreditedData(Part, frozen=True):
    ms: int
    reason: str


class _Event(Part, frozen=True, tag_field="type"):
    seq: int
    at: str
    by: str


class GameOpened(_Event, frozen=True, tag="game_opened"):
    data: OpenedData


class DealStarted(_Event, frozen=True, tag="deal_started"):
    data: StartedData


class CardDrawn(_Event, frozen=True, tag="card_drawn"):
    data: DrawnData


class CardRejected(_Event, frozen=True, tag="card_rejected"):
    data: CardData


class PileTaken(_Event, frozen=True, tag="pile_taken"):
    data: TakenData


class Melded(_Event, frozen=True, tag="melded"):
    data: MeldedData


class Discarded(_Event, frozen=True, tag="discarded"):
    data: DiscardedData


class ReserveTaken(_Event, frozen=True, tag="reserve_taken"):
    data: ReserveData


class ReserveBecameStock(_Event, frozen=True, tag="reserve_became_stock"):
    data: CountData


class DealEnded(_Event, frozen=True, tag="deal_ended"):
    data: EndedData


class DealScored(_Event, frozen=True, tag="deal_scored"):
    data: ScoredData


class GameEnded(_Event, frozen=True, tag="game_ended"):
    data: GameEndedData


class SeedRevealed(_Event, frozen=True, tag="seed_revealed"):
    data: SeedData


class SeatChanged(_Event, frozen=True, tag="seat_changed"):
    data: SeatData


class Asked(_Event, frozen=True, tag="asked"):
    data: Question


class Answered(_Event, frozen=True, tag="answered"):
    data: AnsweredData


class UndoGranted(_Event, frozen=True, tag="undo_granted"):
    data: UndoneData


class GamePaused(_Event, frozen=True, tag="game_paused"):
    data: ReasonData


class GameResumed(_Event, frozen=True, tag="game_resumed"):
    data: ReasonData


class ClockExpired(_Event, frozen=True, tag="clock_expired"):
    data: ExpiredData


class ClockCredited(_Event, frozen=True, tag="clock_credited"):
    data: CreditedData


Event = (
    GameOpened
    | DealStarted
    | CardDrawn
    | CardRejected
    | PileTaken
    | Melded
    | Discarded
    | ReserveTaken
    | ReserveBecameStock
    | DealEnded
    | DealScored
    | GameEnded
    | SeedRevealed
    | SeatChanged
    | Asked
    | Answered
    | UndoGranted
    | GamePaused
    | GameResumed
    | ClockExpired
    | ClockCredited
)
