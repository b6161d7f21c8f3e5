"""Who may hold a seat: opaque references, `p…` for a person, `bot:…` for a bot. Pure.

`bot:KIND:p…` is a bot that plays for a person, who may take the seat back.
"""

from __future__ import annotations

BOT = "bot:"


def is_bot(holder: str) -> bool:
    """Whether a bot plays, for a person or for nobody."""
    return holder.startswith(BOT)


def person_of(holder: str) -> str:
    """The person who holds a seat, or for whom a bot plays it; a bot's kind where it is nobody."""
    return holder.rpartition(":")[2]
