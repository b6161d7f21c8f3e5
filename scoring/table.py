"""What cards, canastas and reserves are worth in one rule profile, as data.

Imports nothing of ours. Never looks at melds or hands: `scoring.sheets` does the counting.
"""

from enum import Enum
from itertools import pairwise

import msgspec

JOKER = "JK"
_HIGH_RANKS = frozenset("89TJQK")


class SemiClean(Enum):
    """When a sequence with a wild is semi-clean (G0-20)."""

    NONE = "none"
    RUN7 = "run7"
    """Its longest uninterrupted stretch of natural cards is seven or more (S0-50)."""
    END = "end"
    """Its wild is the first or the last card, with seven or more others."""


class SemiCleanSets(Enum):
    """When a set with a wild is semi-clean (G0-21)."""

    NONE = "none"
    EXACTLY_8 = "exactly_8"
    SEVEN_NATURALS = "seven_naturals"


class Run13(Enum):
    """Which clean sequences of thirteen earn the points of `run13` (G3-12)."""

    ANY = "any"
    ACE_TO_KING = "ace_to_king"


class UnusedReserve(Enum):
    """How a reserve taken by a discard and never played is counted (G3-11, G4-6)."""

    VALUES = "values"
    """Its cards count as cards left in the hand."""
    FLAT_ON_RIVAL_CLOSE = "flat_on_rival_close"
    """The flat charge of a reserve in place of its cards, if the rivals went out (S3-57)."""


class ScoreTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The points of one rule profile. Charges (`reserve`) are written as positive numbers.

    A zero in `semi`, `run13` or `run14` says that the profile has no such grade.
    """

    joker: int
    two: int
    ace: int
    high: int
    """Each card from the eight to the king."""
    low: int
    """Each card from the three to the seven."""
    clean: int
    dirty: int
    closing: int
    reserve: int
    semi: int = 0
    run13: int = 0
    run14: int = 0
    semi_clean: SemiClean = SemiClean.NONE
    semi_clean_sets: SemiCleanSets = SemiCleanSets.NONE
    run13_spans: Run13 = Run13.ANY
    special_runs_at_once: bool = False
    """The points of `run13` and `run14` are only for runs laid in one piece (S4-17, S4-18)."""
    charge_reserve_if_none_taken: bool = False
    """A side without its reserve is charged even if no side took one (G0-4, G4-8)."""
    unused_reserve: UnusedReserve = UnusedReserve.VALUES


_POINT_FIELDS = (
    *("joker", "two", "ace", "high", "low"),
    *("clean", "dirty", "closing", "reserve", "semi", "run13", "run14"),
)
_GRADES_RISING = ("dirty", "semi", "clean", "run13", "run14")


def card_points(table: ScoreTable, card: str) -> int:
    """The value of one card, wild or not: always that of its own face. The name is not checked."""
    if card == JOKER:
        return table.joker
    rank = card[0]
    if rank == "2":
        return table.two
    if rank == "A":
        return table.ace
    return table.high if rank in _HIGH_RANKS else table.low


def table_problems(table: ScoreTable) -> list[tuple[str, str]]:
    """What makes no sense in a table, as (field, message); empty for a sound one."""
    problems = [
        (field, "must not be negative; charges are written as positive numbers")
        for field in _POINT_FIELDS
        if getattr(table, field) < 0
    ]
    has_semi_rule = (
        table.semi_clean is not SemiClean.NONE or table.semi_clean_sets is not SemiCleanSets.NONE
    )
    if has_semi_rule and not table.semi:
        problems.append(("semi", "must be above zero where melds can be semi-clean"))
    if table.semi and not has_semi_rule:
        problems.append(("semi_clean", "must say when a meld is semi-clean, as semi has points"))
    if table.run13_spans is Run13.ACE_TO_KING and not table.run13:
        problems.append(("run13_spans", "has no meaning where run13 has no points"))
    if table.special_runs_at_once and not (table.run13 or table.run14):
        problems.append(("special_runs_at_once", "has no meaning without run13 or run14 points"))
    present = [grade for grade in _GRADES_RISING if getattr(table, grade) > 0]
    problems += [
        (better, f"must not be less than {worse}")
        for worse, better in pairwise(present)
        if getattr(table, better) < getattr(table, worse)
    ]
    return problems
