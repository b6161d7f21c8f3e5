"""Targets, ties and totals of a match."""

import pytest

from scoring.match import match_winner, totals_after
from scoring.sheets import Sheet


@pytest.mark.parametrize(
    ("totals", "target", "winner"),
    [
        pytest.param([2004, 0], 2005, None, id="below the target"),
        pytest.param([2005, 0], 2005, 0, id="exactly the target"),
        pytest.param([-300, 2100], 2005, 1, id="the other side"),
        pytest.param([2010, 2300], 2005, 1, id="both past it"),
        pytest.param([2300, 2300], 2005, None, id="a tie past it"),
        pytest.param([1900, 1900], 2005, None, id="a tie below it"),
        pytest.param([3000, 2995], 3000, 0, id="exactly 3000"),
    ],
)
def test_the_higher_total_wins_once_it_has_reached_the_target(totals, target, winner):
    """S0-68, G0-25, S2-22, G2-13, G2-14, S3-5, S3-50."""
    assert match_winner(totals, target) == winner


@pytest.mark.parametrize(
    ("totals", "winner"), [([225, 145], 0), ([-140, -75], 1), ([60, 60], None)]
)
def test_without_a_target_the_higher_total_wins_even_below_zero(totals, winner):
    """S4-6, G4-1: a single deal, or the last of a fixed number."""
    assert match_winner(totals, 0) == winner


def test_three_sides_have_one_winner_and_a_tie_at_the_top_has_none():
    assert match_winner([2100, 2005, 2200], 2005) == 2
    assert match_winner([2200, 2005, 2200], 2005) is None
    assert match_winner([2005, 2005, 2200], 2005) == 2


def test_totals_add_up_and_may_go_below_zero():
    """S0-69, S3-58."""
    assert totals_after((100, 20), [Sheet((), 355), Sheet((), -140)]) == (455, -120)


def test_sheets_of_another_number_of_sides_are_refused():
    with pytest.raises(ValueError, match="shorter"):
        totals_after((0, 0), [Sheet((), 355)])
