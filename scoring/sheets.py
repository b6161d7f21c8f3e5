"""The score sheets of one deal: a line for each kind of points, and a total, for each side.

Imports the score table only. Never checks that a meld is legal: it counts what lies on the table.
"""

from collections import Counter
from collections.abc import Sequence
from enum import Enum

import msgspec

from scoring.table import (
    Run13,
    ScoreTable,
    SemiClean,
    SemiCleanSets,
    UnusedReserve,
    card_points,
)

CANASTA = 7
"""The cards that make a meld a canasta (S0-46)."""


class Grade(Enum):
    """What a canasta is worth beyond its cards; in the order in which a sheet lists them."""

    CLEAN = "clean"
    SEMI = "semi"
    DIRTY = "dirty"
    RUN13 = "run13"
    RUN14 = "run14"


class MeldFacts(msgspec.Struct, frozen=True):
    """A meld as scoring sees it: `cards` in layout order, `wild` the index of its wild or None.

    `at_once`: 13 or 14 if it was laid in one piece as such a special run, else 0 (S4-17, S4-18);
    it keeps that number when it is extended.
    """

    cards: tuple[str, ...]
    is_set: bool
    wild: int | None
    at_once: int = 0


class HandFacts(msgspec.Struct, frozen=True):
    """The cards left with one seat; `waiting`: they are a reserve taken by a discard, unplayed."""

    cards: tuple[str, ...]
    waiting: bool = False


class SideFacts(msgspec.Struct, frozen=True):
    """All that one side has at the end of a deal. A reserve turned into stock was not taken."""

    melds: tuple[MeldFacts, ...]
    hands: tuple[HandFacts, ...]
    reserve_taken: bool


class Line(msgspec.Struct, frozen=True):
    """Points of one kind; `count` is the number of cards, canastas or charges behind them."""

    code: str
    count: int
    points: int


class Sheet(msgspec.Struct, frozen=True):
    """A side's points for one deal; lines worth nothing are left out."""

    lines: tuple[Line, ...]
    total: int


def special_run(table: ScoreTable, cards: Sequence[str]) -> int:
    """13 or 14 if natural cards, low to high, make such a special run in this table; else 0.

    A run of fourteen counts as thirteen where only thirteen has points.
    """
    size = len(cards)
    if size == 14 and table.run14:
        return 14
    if size < 13 or not table.run13:
        return 0
    return 0 if table.run13_spans is Run13.ACE_TO_KING and cards[0][0] != "A" else 13


def grade(table: ScoreTable, meld: MeldFacts) -> Grade | None:
    """The one grade of a canasta, the highest it has (S3-54); None below seven cards."""
    size = len(meld.cards)
    if size < CANASTA:
        return None
    if meld.wild is None:
        return Grade.CLEAN if meld.is_set else _grade_of_clean_sequence(table, meld)
    if meld.is_set:
        is_semi_clean = _is_semi_clean_set(table, size)
    else:
        is_semi_clean = _is_semi_clean_sequence(table, size, meld.wild)
    return Grade.SEMI if is_semi_clean else Grade.DIRTY


def deal_sheets(
    table: ScoreTable, sides: Sequence[SideFacts], closed_by: int | None
) -> tuple[Sheet, ...]:
    """The sheet of each side; `closed_by` is the side that went out, None if no one did."""
    charged = table.charge_reserve_if_none_taken or any(side.reserve_taken for side in sides)
    return tuple(
        _sheet(
            table,
            side,
            closed=closed_by == number,
            rivals_closed=closed_by is not None and closed_by != number,
            missing_reserve=charged and not side.reserve_taken,
        )
        for number, side in enumerate(sides)
    )


def _grade_of_clean_sequence(table: ScoreTable, meld: MeldFacts) -> Grade:
    run = special_run(table, meld.cards)
    if table.special_runs_at_once:
        # A thirteen that grew to fourteen stays a thirteen (G4-10).
        run = min(run, meld.at_once)
    if run == 14:
        return Grade.RUN14
    return Grade.RUN13 if run == 13 and table.run13 else Grade.CLEAN


def _is_semi_clean_sequence(table: ScoreTable, size: int, wild: int) -> bool:
    below, above = wild, size - 1 - wild
    if table.semi_clean is SemiClean.RUN7:
        return max(below, above) >= CANASTA
    if table.semi_clean is SemiClean.END:
        return min(below, above) == 0 and size > CANASTA
    return False


def _is_semi_clean_set(table: ScoreTable, size: int) -> bool:
    if table.semi_clean_sets is SemiCleanSets.EXACTLY_8:
        return size == CANASTA + 1
    return table.semi_clean_sets is SemiCleanSets.SEVEN_NATURALS and size > CANASTA


def _sheet(
    table: ScoreTable,
    side: SideFacts,
    *,
    closed: bool,
    rivals_closed: bool,
    missing_reserve: bool,
) -> Sheet:
    melded = [card for meld in side.melds for card in meld.cards]
    grades = Counter(grade(table, meld) for meld in side.melds)
    flat = rivals_closed and table.unused_reserve is UnusedReserve.FLAT_ON_RIVAL_CLOSE
    unused = sum(flat and hand.waiting for hand in side.hands)
    held = [card for hand in side.hands if not (flat and hand.waiting) for card in hand.cards]
    charges = unused + missing_reserve
    lines = (
        Line("melds", len(melded), sum(card_points(table, card) for card in melded)),
        *(Line(each.value, grades[each], grades[each] * _bonus(table, each)) for each in Grade),
        Line("closing", 1, table.closing if closed else 0),
        Line("reserve", charges, -charges * table.reserve),
        Line("hand", len(held), -sum(card_points(table, card) for card in held)),
    )
    return Sheet(
        lines=tuple(line for line in lines if line.points),
        total=sum(line.points for line in lines),
    )


def _bonus(table: ScoreTable, grade: Grade) -> int:
    match grade:
        case Grade.CLEAN:
            return table.clean
        case Grade.SEMI:
            return table.semi
        case Grade.DIRTY:
            return table.dirty
        case Grade.RUN13:
            return table.run13
        case Grade.RUN14:
            return table.run14
