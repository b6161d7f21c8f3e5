"""The view of a table as it is sent to an audience, as types: a part of `games.live.schema`.

Imports msgspec alone. Fields that some audiences do not get, or that there are only in a deal, have
the default `UNSET`.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

Grade = Literal["clean", "semi", "dirty", "run13", "run14"]
Proposal = Literal["undo", "pause", "resume"]
EndReason = Literal["closed", "exhausted", "time", "ruling"]


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What all parts of a frame have in common: they hold nothing that is not named."""


class Meld(Part, frozen=True):
    """`wild`: the place of its wild in `cards`, else null."""

    cards: list[str]
    set: bool
    wild: int | None
    at_once: int
    grade: Grade | None


class Pile(Part, frozen=True):
    """`cards`: those that all may see, the top last."""

    count: int
    cards: list[str]


class Ended(Part, frozen=True):
    reason: EndReason
    seat: int | None


class SheetLine(Part, frozen=True):
    code: str
    count: int
    points: int


class Sheet(Part, frozen=True):
    lines: list[SheetLine]
    total: int


class Question(Part, frozen=True):
    """A proposal that waits for an answer."""

    seat: int
    what: Proposal


class DealSizes(Part, frozen=True):
    hand: int
    reserve: int
    jokers: int
    upcard: bool


class TurnRules(Part, frozen=True):
    pile: Literal["open", "closed"]
    one_card_pile: Literal["free", "equal_held", "equal_held_shown"]
    first_card_may_be_rejected: bool


class ShownProfile(Part, frozen=True):
    id: str
    name: str
    deal: DealSizes
    turn: TurnRules


class MatchFormat(Part, frozen=True):
    target: int
    deals: int
    move_seconds: int
    bank_seconds: int


class View(Part, frozen=True):
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
