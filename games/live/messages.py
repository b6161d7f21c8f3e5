"""What a browser may say to a table, and the small answers. Frames of events are in `frames`."""

from __future__ import annotations

from typing import Any

import msgspec

from games.rules.events import Proposal
from games.rules.moves import Placement

LARGEST_MESSAGE = 16 * 1024
"""Bytes of one message from a browser at most."""


class _In(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="t"):
    pass


class MakeMove(_In, frozen=True, tag="move"):
    """`id`: the command's own, kept when it is sent again. `seq`: the last event seen."""

    id: str
    seq: int
    move: dict[str, Any]


class NextDeal(_In, frozen=True, tag="next"):
    """Start the next deal of the match."""

    id: str


class Since(_In, frozen=True, tag="since"):
    """Ask for what came after event `seq`."""

    seq: int


class Ping(_In, frozen=True, tag="ping"):
    """Ask where the table stands; answered with its `seq`."""


class AskLegal(_In, frozen=True, tag="legal"):
    """Ask what the own seat may do now (`advice.legal_answer`)."""

    seq: int


class Try(_In, frozen=True, tag="try"):
    """Ask what these placements would be (`advice.trial_answer`); changes nothing."""

    id: str
    seq: int
    place: tuple[Placement, ...]


class Ask(_In, frozen=True, tag="ask"):
    """Propose something that an opponent must agree to."""

    id: str
    what: Proposal


class Answer(_In, frozen=True, tag="answer"):
    """Agree to the opponents' proposal, or not."""

    id: str
    what: Proposal
    grant: bool


class Back(_In, frozen=True, tag="back"):
    """Take the own seat back from the bot that plays it."""

    id: str


class Say(_In, frozen=True, tag="say"):
    """A preset phrase, or free words where those are allowed. Not an event of the game."""

    id: str
    phrase: str | None = None
    text: str | None = None


Message = MakeMove | NextDeal | Since | Ping | AskLegal | Try | Ask | Answer | Back | Say
Command = MakeMove | NextDeal | Try | Ask | Answer | Back | Say
"""Messages with an id of their own, which every answer to them carries."""

_decode = msgspec.json.Decoder(Message).decode
encode = msgspec.json.Encoder().encode


class MessageError(ValueError):
    """A message that cannot be taken. `code` is stable, the text is for people."""

    def __init__(self, code: str, text: str) -> None:
        self.code = code
        super().__init__(text)


def read(text: str | None) -> Message:
    """The message in a WebSocket frame; None for a binary one. Raises `MessageError`."""
    if text is None:
        raise MessageError("binary-message", "messages are text")
    if len(encoded := text.encode()) > LARGEST_MESSAGE:
        raise MessageError("frame-too-large", f"a message has at most {LARGEST_MESSAGE} bytes")
    try:
        message: Message = _decode(encoded)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise MessageError("malformed-message", f"this is not a message: {fault}") from None
    if isinstance(message, Command) and not 1 <= len(message.id) <= 64:
        raise MessageError("malformed-message", "`id` has 1 to 64 characters")
    return message


def write(kind: str, **fields: Any) -> bytes:
    """A small answer to one browser."""
    return encode({"t": kind, **fields})
