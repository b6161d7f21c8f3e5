"""Victory points (VP): the difference of two match-point totals as a share of twenty.

Imports nothing of ours. A scale is written by the upper limits of its bands only, so that no
difference can fall between two bands.
"""

from bisect import bisect_left
from itertools import pairwise

import msgspec

TABLE_VP = 20
"""What the two sides of a table share out."""
DRAW_VP = TABLE_VP // 2


class VPScaleError(ValueError):
    """A scale that makes no sense; `problems` lists each field at fault with a message."""

    def __init__(self, problems: list[tuple[str, str]]) -> None:
        self.problems = problems
        super().__init__("; ".join(f"{field}: {message}" for field, message in problems))


class VPScale(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ten limits: `limits[n]` is the largest difference that still gives 10 + n to 10 - n.

    What exceeds the last limit gives 20 to 0. Two equal limits skip a band. Raises `VPScaleError`
    when built from limits that are too many, too few, negative or falling.
    """

    limits: tuple[int, ...]

    def __post_init__(self) -> None:
        if problems := _problems(self.limits):
            raise VPScaleError(problems)

    def vp(self, difference: int) -> int:
        """The VP of the side whose total is higher by `difference`; the other side has the rest.

        Any integer will do, below zero for the side that is behind:
        `vp(d) + vp(-d) == TABLE_VP`.
        """
        margin = bisect_left(self.limits, abs(difference))
        return DRAW_VP + margin if difference >= 0 else DRAW_VP - margin


def _problems(limits: tuple[int, ...]) -> list[tuple[str, str]]:
    problems = []
    if len(limits) != DRAW_VP:
        problems.append(
            ("limits", f"must be {DRAW_VP}, from the draw up to 19 to 1; there are {len(limits)}")
        )
    if limits and limits[0] < 0:
        problems.append(("limits[0]", f"must not be negative, so that 0 is a draw: {limits[0]}"))
    problems += [
        (f"limits[{index}]", f"must not be less than the one before it: {limit} after {previous}")
        for index, (previous, limit) in enumerate(pairwise(limits), start=1)
        if limit < previous
    ]
    return problems


ITALIAN_3_DEALS = VPScale((50, 150, 250, 350, 500, 650, 800, 1000, 1250, 1500))
ITALIAN_4_DEALS = VPScale((100, 300, 500, 700, 900, 1100, 1300, 1500, 1700, 2000))
