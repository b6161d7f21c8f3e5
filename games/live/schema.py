"""What a table's socket sends, as types: every frame, with the events and the view in it.

Nothing is sent through these structs (frames are rendered from plain objects, once an audience);
they say what a frame may hold. A test decodes the frames of whole matches strictly through them,
and the types of the page's scripts are made from them. Fields that some audiences do not get have
the default `UNSET`.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from games.live.schema_events import Event
from games.live.schema_view import Grade, Part, View


class Clock(Part, frozen=True):
    """`left_ms`: until the seat's time is up at `now`, bank included; null while none runs."""

    seat: int | None
    move_ms: int
    bank_ms: list[int]
    left_ms: int | None
    running_since: str | None
    now: str
    paused: bool


class Placement(Part, frozen=True):
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


class Takeover(Part, frozen=True):
    """`left_ms`: until then, as the frame was made; a browser's own clock may be wrong."""

    seat: int
    at: str
    left_ms: int


class _Frame(Part, frozen=True, tag_field="t"):
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
