"""What comes of a command at a table: answers, never exceptions."""

from __future__ import annotations

from typing import NamedTuple

from games.rules.refusals import Refusal
from games.tables.folding import Folded, Step


class Accepted(NamedTuple):
    """The move counts: its events are committed. `repeated`: they were before this command."""

    folded: Folded | None
    steps: list[Step]
    seq: int
    repeated: bool = False


class Refused(NamedTuple):
    """The rules say no; nothing has changed."""

    refusal: Refusal
    seq: int


class Stale(NamedTuple):
    """The table has moved on to `seq`; nothing has changed."""

    seq: int


MoveOutcome = Accepted | Refused | Stale


class TableError(ValueError):
    """A command that cannot be carried out. `code` is stable, the text is for people."""

    def __init__(self, code: str, text: str) -> None:
        self.code = code
        super().__init__(text)
