"""What a table's socket sends, as types: every frame, every event's public data, the view.

Nothing is sent through these structs (frames are rendered from plain objects, once an audience);
they say what a frame may hold. A test decodes the frames of whole matches strictly through them,
and the types of the page's scripts are made from them. Fields that some audiences do not get have
the default `UNSET`.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

Grade = Literal["clean", "semi", "dirty", "run13", "run14"]
Proposal = Literal["undo", "pause", "resume"]
EndReason = Literal["closed", "exhausted", "time", "ruling"]


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


# The view ------------------------------------------------------------------------------------


class Meld(_Part, frozen=True):
    """`wild`: the place of its wild in `cards`, else null."""

    cards: list[str]
    set: bool
    wild: int | None
    at_once: int
    grade: Grade | None


class Pile(_Part, frozen=True):
    """`cards`: those that all may see, the top last."""

    count: int
    cards: list[str]


class Ended(_Part, frozen=True):
    reason: EndReason
    seat: int | None


class SheetLine(_Part, frozen=True):
    code: str
    count: int
    points: int


class Sheet(_Part, frozen=True):
    lines: list[SheetLine]
    total: int


class Question(_Part, frozen=True):
    """A proposal that waits for an answer."""

    seat: int
    what: Proposal


class DealSizes(_Part, frozen=True):
    hand: int
    reserve: int
    jokers: int
    upcard: bool


class TurnRules(_Part, frozen=True):
    pile: Literal["open", "closed"]
    one_card_pile: Literal["free", "equal_held", "equal_held_shown"]
    first_card_may_be_rejected: bool


class ShownProfile(_Part, frozen=True):
    id: str
    name: str
    deal: DealSizes
    turn: TurnRules


class MatchFormat(_Part, frozen=True):
    target: int
    deals: int
    move_seconds: int
    bank_seconds: int


class View(_Part, frozen=True):
    """A table as an audience sees it. Before the first deal it has the first fields alone."""

    game: str
    seq: int
    profile: ShownProfile
    seats: int
    audience: str
    format: MatchFormat
    deal: int
    totals: list[int]
    over: bool
    winner: int | None
    sheets: list[Sheet] | None
    holders: list[str]
    paused: bool
    asked: Question | None
    dealer: int | UnsetType = UNSET
    turn: int | UnsetType = UNSET
    step: Literal["draw", "play"] | UnsetType = UNSET
    first_turn: bool | UnsetType = UNSET
    minimum: list[int] | UnsetType = UNSET
    hands: list[int] | UnsetType = UNSET
    hand: list[str] | UnsetType | None = UNSET
    melds: list[list[Meld]] | UnsetType = UNSET
    pile: Pile | UnsetType = UNSET
    stock: int | UnsetType = UNSET
    reserves: int | UnsetType = UNSET
    taken: list[bool] | UnsetType = UNSET
    waiting: list[bool] | UnsetType = UNSET
    ended: Ended | UnsetType | None = UNSET
    clauses: dict[str, str] | UnsetType = UNSET
    hidden_own: bool | UnsetType = UNSET
    may_undo: bool | UnsetType = UNSET
    first_card: str | UnsetType | None = UNSET
    single: Any | UnsetType = UNSET


# The events ----------------------------------------------------------------------------------


class OpenedData(_Part, frozen=True):
    profile: dict[str, Any]
    seats: int
    format: MatchFormat
    holders: list[str]
    commitment: str


class StartedData(_Part, frozen=True):
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


class DrawnData(_Part, frozen=True):
    seat: int
    card: str | UnsetType = UNSET


class CardData(_Part, frozen=True):
    seat: int
    card: str


class TakenData(_Part, frozen=True):
    seat: int
    count: int
    cards: list[str] | UnsetType = UNSET


class LaidData(_Part, frozen=True):
    """`result`: the meld after it."""

    meld: int
    cards: list[str]
    result: Meld


class MeldedData(_Part, frozen=True):
    seat: int
    placements: list[LaidData]


class UnlaidData(_Part, frozen=True):
    """`result`: the meld as it was before; null: it was new and goes."""

    meld: int
    cards: list[str]
    result: Meld | None


class UndoneData(_Part, frozen=True):
    seat: int
    placements: list[UnlaidData]


class DiscardedData(_Part, frozen=True):
    seat: int
    card: str
    shown: str | UnsetType = UNSET
    hand: list[str] | UnsetType = UNSET


class ReserveData(_Part, frozen=True):
    seat: int
    side: int
    count: int
    direct: bool
    cards: list[str] | UnsetType = UNSET


class CountData(_Part, frozen=True):
    count: int


class EndedData(_Part, frozen=True):
    reason: EndReason
    seat: int | None
    hand: list[str] | UnsetType = UNSET


class ScoredData(_Part, frozen=True):
    sheets: list[Sheet]
    totals: list[int]


class GameEndedData(_Part, frozen=True):
    reason: str
    winner: int | None


class SeedData(_Part, frozen=True):
    deal: int
    seed: str
    algorithm: str


class SeatData(_Part, frozen=True):
    seat: int
    holder: str
    reason: str


class AnsweredData(_Part, frozen=True):
    seat: int
    what: Proposal
    grant: bool


class ReasonData(_Part, frozen=True):
    reason: str


class ExpiredData(_Part, frozen=True):
    seat: int


class CreditedData(_Part, frozen=True):
    ms: int
    reason: str


class _Event(_Part, frozen=True, tag_field="type"):
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


# The frames ----------------------------------------------------------------------------------


class Clock(_Part, frozen=True):
    """`left_ms`: until the seat's time is up at `now`, bank included; null while none runs."""

    seat: int | None
    move_ms: int
    bank_ms: list[int]
    left_ms: int | None
    running_since: str | None
    now: str
    paused: bool


class Placement(_Part, frozen=True):
    """Cards that may be laid and the meld that they would make.

    `layout` or `end` goes into the move to choose just this result; `end` as its `wild`.
    """

    cards: list[str]
    result: list[str]
    set: bool
    wild: int | None
    grade: Grade | None
    worth: int
    onto: int | UnsetType = UNSET
    layout: list[str] | UnsetType = UNSET
    end: Literal["low", "high"] | UnsetType = UNSET


class Takeover(_Part, frozen=True):
    """`left_ms`: until then, as the frame was made; a browser's own clock may be wrong."""

    seat: int
    at: str
    left_ms: int


class _Frame(_Part, frozen=True, tag_field="t"):
    pass


class SnapshotFrame(_Frame, frozen=True, tag="snapshot"):
    seq: int
    view: View
    names: list[str]
    clock: Clock | UnsetType = UNSET


class EventsFrame(_Frame, frozen=True, tag="events", rename={"start": "from"}):
    start: int
    to: int
    events: list[Event]
    clock: Clock | UnsetType = UNSET


class ResyncFrame(_Frame, frozen=True, tag="resync"):
    """Frames were lost on the way here: ask what came since."""


class PongFrame(_Frame, frozen=True, tag="pong"):
    seq: int


class AckFrame(_Frame, frozen=True, tag="ack"):
    id: str
    seq: int | UnsetType = UNSET


class RefusedFrame(_Frame, frozen=True, tag="refused"):
    id: str
    code: str
    clause: str
    reason: str
    seq: int


class StaleFrame(_Frame, frozen=True, tag="stale"):
    id: str
    seq: int


class ErrorFrame(_Frame, frozen=True, tag="error"):
    code: str
    reason: str
    id: str | UnsetType = UNSET


class LegalFrame(_Frame, frozen=True, tag="legal"):
    seq: int
    draw: bool
    take: bool
    reject: bool
    discards: list[str]
    using: list[Placement]
    melds: list[Placement]
    combined: list[list[Placement]]


class TriedFrame(_Frame, frozen=True, tag="tried"):
    id: str
    seq: int
    ok: bool
    laid: list[Placement]
    worth: int
    minimum: int
    code: str | UnsetType = UNSET
    clause: str | UnsetType = UNSET
    reason: str | UnsetType = UNSET


class PresenceFrame(_Frame, frozen=True, tag="presence"):
    here: list[bool]
    bot: list[bool]
    watchers: int
    takeover: Takeover | None


class TalkFrame(_Frame, frozen=True, tag="talk", rename={"author": "from"}):
    room: Literal["table", "watchers"]
    author: str | None
    name: str | None
    seat: int | None
    phrase: str | None
    text: str | None
    at: str


Frame = (
    SnapshotFrame
    | EventsFrame
    | ResyncFrame
    | PongFrame
    | AckFrame
    | RefusedFrame
    | StaleFrame
    | ErrorFrame
    | LegalFrame
    | TriedFrame
    | PresenceFrame
    | TalkFrame
)

_decode = msgspec.json.Decoder(Frame).decode


def read(frame: bytes | str) -> Frame:
    """A frame as these types say it. Raises `msgspec.ValidationError` for anything else."""
    decoded: Frame = _decode(frame)
    return decoded
