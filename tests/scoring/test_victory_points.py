"""Scales of victory points: every difference has its share, and no scale can have a hole."""

import re

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.victory_points import (
    ITALIAN_3_DEALS,
    ITALIAN_4_DEALS,
    VPScale,
    VPScaleError,
)

# The published bands: VP of the winner, first and last difference of the band in steps of five.
BANDS_3_DEALS = [
    *[(10, 0, 50), (11, 55, 150), (12, 155, 250), (13, 255, 350), (14, 355, 500)],
    *[(15, 505, 650), (16, 655, 800), (17, 805, 1000), (18, 1005, 1250), (19, 1255, 1500)],
    (20, 1505, 99_995),
]
BANDS_4_DEALS = [
    *[(10, 0, 100), (11, 105, 300), (12, 305, 500), (13, 505, 700), (14, 705, 900)],
    *[(15, 905, 1100), (16, 1105, 1300), (17, 1305, 1500), (18, 1505, 1700), (19, 1705, 2000)],
    (20, 2005, 99_995),
]
KNOWN = pytest.mark.parametrize("scale", [ITALIAN_3_DEALS, ITALIAN_4_DEALS], ids=["3", "4"])
GOOD = (50, 150, 250, 350, 500, 650, 800, 1000, 1250, 1500)


@pytest.mark.parametrize(
    ("scale", "bands"),
    [(ITALIAN_3_DEALS, BANDS_3_DEALS), (ITALIAN_4_DEALS, BANDS_4_DEALS)],
    ids=["3 deals", "4 deals"],
)
def test_the_known_scales_are_the_published_bands(scale, bands):
    for winner, first, last in bands:
        assert [scale.vp(first), scale.vp(last)] == [winner, winner]
        assert [scale.vp(-first), scale.vp(-last)] == [20 - winner, 20 - winner]


@KNOWN
def test_every_difference_has_its_vp_with_no_hole(scale):
    """Also the differences that are no multiple of five, where chains of conditions have holes."""
    previous = 10
    for difference in range(5001):
        winner, loser = scale.vp(difference), scale.vp(-difference)
        assert winner + loser == 20
        assert previous <= winner <= previous + 1
        previous = winner
    assert previous == 20


def test_the_band_that_is_known_to_have_been_a_hole_elsewhere():
    assert {ITALIAN_3_DEALS.vp(difference) for difference in range(821, 826)} == {17}


def test_a_bye_and_its_equivalent_match_points_agree():
    assert (ITALIAN_3_DEALS.vp(355), ITALIAN_3_DEALS.vp(-355)) == (14, 6)
    assert (ITALIAN_4_DEALS.vp(305), ITALIAN_4_DEALS.vp(-305)) == (12, 8)


limits = st.lists(st.integers(0, 3000), min_size=10, max_size=10).map(sorted).map(tuple)


@given(limits, st.integers(), st.integers(0, 10_000))
def test_any_scale_that_can_be_built_is_total_symmetrical_and_monotone(limits, difference, more):
    scale = VPScale(limits)
    assert scale.vp(0) == 10
    assert scale.vp(difference) + scale.vp(-difference) == 20
    assert 0 <= scale.vp(difference) <= scale.vp(difference + more) <= 20


def test_two_equal_limits_skip_a_band():
    scale = VPScale((0, 0, 10, 10, 20, 20, 30, 30, 40, 40))
    assert [scale.vp(d) for d in (0, 1, 10, 11, 21, 31, 41)] == [10, 12, 12, 14, 16, 18, 20]


@pytest.mark.parametrize(
    ("limits", "fields"),
    [
        pytest.param((), ["limits"], id="none"),
        pytest.param(GOOD[:9], ["limits"], id="nine"),
        pytest.param((*GOOD, 2000), ["limits"], id="eleven"),
        pytest.param((-5, *GOOD[1:]), ["limits[0]"], id="no draw"),
        pytest.param((*GOOD[:3], 240, *GOOD[4:]), ["limits[3]"], id="falling"),
        pytest.param((*GOOD[:3], 240, 230, *GOOD[5:]), ["limits[3]", "limits[4]"], id="falling on"),
    ],
)
def test_a_scale_that_makes_no_sense_names_the_field(limits, fields):
    with pytest.raises(VPScaleError, match=re.escape(fields[0])) as refused:
        VPScale(limits)
    assert [field for field, message in refused.value.problems] == fields


def test_a_bad_scale_is_also_refused_when_it_is_read():
    assert msgspec.convert({"limits": list(GOOD)}, VPScale) == ITALIAN_3_DEALS
    with pytest.raises(msgspec.ValidationError, match=r"limits\[0\]"):
        msgspec.convert({"limits": [-5, *GOOD[1:]]}, VPScale)
