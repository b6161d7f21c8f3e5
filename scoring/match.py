"""From the sheets of the deals to the winner of a match: totals, the target, ties.

Imports the sheets only. Never decides whether another deal is played: the game does.
"""

from collections.abc import Sequence

from scoring.sheets import Sheet


def totals_after(totals: Sequence[int], sheets: Sequence[Sheet]) -> tuple[int, ...]:
    """Each side's match total once a deal is added; totals may be negative (S0-69, S3-58)."""
    return tuple(total + sheet.total for total, sheet in zip(totals, sheets, strict=True))


def match_winner(totals: Sequence[int], target: int) -> int | None:
    """The side that has won with these totals, or None while no side has.

    The highest total wins once it has reached the target (G0-25, S3-50); a tie at the top has no
    winner. A target of 0 means that this was the last deal: the highest total wins, even below
    zero (S4-6).
    """
    highest = max(totals)
    if target and highest < target:
        return None
    leaders = [side for side, total in enumerate(totals) if total == highest]
    return leaders[0] if len(leaders) == 1 else None
