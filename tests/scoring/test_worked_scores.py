"""The worked scores of the four founding profiles, each to the point."""

import msgspec
import pytest

from scoring.match import match_winner, totals_after
from scoring.sheets import Grade, Line, Sheet, deal_sheets, grade
from scoring.table import SemiClean, card_points
from tests.scoring.facts import (
    A_TO_A,
    A_TO_K,
    P0,
    P2,
    P3,
    P4,
    TWO_TO_A,
    hand,
    kind,
    points,
    run,
    side,
)

ONE_OF_EACH_FACE = ["JK", "2S", "AS", *(f"{rank}S" for rank in "3456789TJQK")]


def only_melds(table, *melds):
    """The sheet of a side with these melds and nothing else, no one having gone out."""
    return deal_sheets(table, [side(*melds), side()], closed_by=None)[0]


def totals(sheets):
    return [sheet.total for sheet in sheets]


# Buraco clásico (P0)


def test_the_closing_pair_of_p0_scores_355_and_the_pair_without_pot_minus_140():
    """S0-57, S0-59, S0-60, S0-63, S0-64, S0-65, S0-67, S0-69: worked scores 1 and 2."""
    closers = side(run("H", "4 5 6 7 8 9 T"), kind("KS KH KD"), hand(), hand("2S 5C"))
    caught = side(kind("7S 7H 7D"), hand("AS JK"), hand("QC"), took=False)
    sheets = deal_sheets(P0, [closers, caught], closed_by=0)
    assert sheets == (
        Sheet(
            (
                Line("melds", 10, 80),
                Line("clean", 1, 200),
                Line("closing", 1, 100),
                Line("hand", 2, -25),
            ),
            355,
        ),
        Sheet((Line("melds", 3, 15), Line("reserve", 1, -100), Line("hand", 3, -55)), -140),
    )


@pytest.mark.parametrize(
    ("meld", "expected", "total"),
    [
        pytest.param(run("S", "*JK 5 6 7 8 9 T J"), Grade.SEMI, 235, id="3: wild at the end"),
        pytest.param(run("S", "6 7 8 *JK T J Q"), Grade.DIRTY, 180, id="4: wild inside"),
        pytest.param(run("C", "3 4 *2 6 7 8 9"), Grade.DIRTY, 160, id="5: before the conversion"),
        pytest.param(run("C", "2 3 4 5 6 7 8 9"), Grade.CLEAN, 265, id="5: after it"),
        pytest.param(run("S", "A 2 3 *JK 5 6 7"), Grade.DIRTY, 185, id="6: natural two and joker"),
        pytest.param(run("S", "3 *2 5 6 7 8 9 T J"), Grade.SEMI, 230, id="7: repaired example"),
        pytest.param(kind("7S 7H 7D 7C 7S 7H 7D 7C *JK"), Grade.DIRTY, 170, id="8: nine-card set"),
    ],
)
def test_a_single_canasta_of_p0(meld, expected, total):
    """S0-47, S0-48, S0-49, S0-50, S0-52, S0-60, S0-61, S0-62, S0-67, G0-20,
    G0-21: worked scores 3 to 8.
    """
    assert grade(P0, meld) is expected
    assert only_melds(P0, meld).total == total


def test_the_repaired_example_of_p0_is_dirty_where_the_wild_must_be_at_an_end():
    """G0-20: worked score 7 under END is 180."""
    by_ends = msgspec.structs.replace(P0, semi_clean=SemiClean.END)
    assert only_melds(by_ends, run("S", "3 *2 5 6 7 8 9 T J")).total == 180


def test_a_pot_taken_but_not_played_costs_the_values_of_its_cards_in_p0():
    """S0-66, G0-31: worked score 9, values and not a flat 100."""
    pot = hand("JK 2S AS KS KH QS 9S 6S 5S 4S 3S", waiting=True)
    caught = side(kind("KS KH KD"), run("S", "5 6 7"), pot, hand("TS TH"))
    rivals = side(run("H", "3 4 5 6 7 8 9"), hand(), hand())
    sheet = deal_sheets(P0, [caught, rivals], closed_by=1)[0]
    assert points(sheet) == {"melds": 45, "hand": -145}
    assert sheet.total == -100


def test_nobody_is_charged_for_a_pot_when_the_stock_runs_out_before_anyone_took_one_in_p0():
    """G0-4: worked score 10."""
    pair = side(kind("AS AH AD"), run("H", "3 4 5"), hand("JK 2S"), hand("AC TS"), took=False)
    assert totals(deal_sheets(P0, [pair, side(hand("4C"), took=False)], closed_by=None)) == [
        -15,
        -5,
    ]


def test_an_independent_example_of_p0():
    """S0-59, S0-62, S0-65: worked score 11."""
    closers = side(run("H", "3 4 5 6 7 8 9 T *2S"), hand(), hand())
    caught = side(kind("KS KH KD"), hand("TS"), hand(), took=False)
    assert totals(deal_sheets(P0, [closers, caught], closed_by=0)) == [325, -80]


def test_a_match_of_p0_ends_at_2005_and_goes_to_the_higher_total():
    """S0-68, G0-25: worked score 12."""
    after = totals_after([1940, 1800], [Sheet((), 355), Sheet((), -140)])
    assert after == (2295, 1660)
    assert match_winner(after, 2005) == 0
    assert match_winner([2295, 2310], 2005) == 1


# Burraco italiano (P2)


@pytest.mark.parametrize(
    ("table", "total"), [(P0, 150), (P2, 150), (P3, 130), (P4, 160)], ids=["P0", "P2", "P3", "P4"]
)
def test_one_card_of_each_face(table, total):
    """S0-58, G0-1, S2-20, S3-52, S4-9: the check of each value table."""
    assert sum(card_points(table, card) for card in ONE_OF_EACH_FACE) == total


def test_the_closing_team_of_p2_scores_290_and_the_team_without_pozzetto_minus_140():
    """S2-21, G2-1, G2-2, G2-3, G2-4: worked scores 1 and 2."""
    nines = kind("9S 9H 9D 9C 9S 9H *JK")
    closers = side(nines, run("S", "3 4 5"), hand(), hand("KC 4D"))
    caught = side(kind("AS AH AD"), hand("2S 2H JK"), hand("QC 7C"), took=False)
    sheets = deal_sheets(P2, [closers, caught], closed_by=0)
    assert points(sheets[0]) == {"melds": 105, "dirty": 100, "closing": 100, "hand": -15}
    assert points(sheets[1]) == {"melds": 45, "reserve": -100, "hand": -85}
    assert totals(sheets) == [290, -140]


def test_an_exhausted_deal_of_p2_charges_the_team_that_left_its_pozzetto():
    """S2-19, S2-15, G2-3: worked score 3."""
    x = side(run("D", "A 2 3 4 5 6 7"), hand("AS AH"), hand("QC"))
    y = side(kind("KS KH KD"), hand("JK 2S"), hand("AC"), took=False)
    assert totals(deal_sheets(P2, [x, y], closed_by=None)) == [220, -135]


@pytest.mark.parametrize(
    ("meld", "total"),
    [
        pytest.param(run("H", A_TO_K + " *JK"), 250, id="4: fourteen with a joker"),
        pytest.param(kind("KS KH KD KC KS KH KD KC *2S"), 200, id="5: nine-card set"),
        pytest.param(run("H", "2 3 4 5 6 7"), 45, id="6: six cards, no bonus"),
        pytest.param(run("H", "3 4 5 6 7 *2 9"), 155, id="6: the natural two turned wild"),
    ],
)
def test_a_single_meld_of_p2(meld, total):
    """S2-14, S2-21, G2-1, G2-10: worked scores 4 to 6."""
    assert only_melds(P2, meld).total == total


def test_the_fourteen_with_a_joker_is_semi_clean_where_there_is_such_a_grade():
    """S0-50: the note to worked score 4 of P2."""
    assert only_melds(P0, run("H", A_TO_K + " *JK")).total == 300


def test_both_partners_caught_in_p2_with_the_pozzetto_in_their_hands():
    """G2-4, G2-5: worked score 7."""
    caught = side(hand("AS JK", waiting=True), hand("2S KS"))
    rivals = side(run("H", "3 4 5 6 7 8 9"), hand(), hand())
    assert totals(deal_sheets(P2, [caught, rivals], closed_by=1))[0] == -75


# Buraco aberto (P3)


def test_the_two_examples_that_the_text_of_p3_works_out():
    """S3-60, S3-61: 45 + 200 without going out, for a hand is left; 180 + 200 + 100 - 15."""
    nine_added = run("H", "3 4 5 6 7 8 9")
    sheet = only_melds(P3, nine_added)
    assert (points(sheet), sheet.total) == ({"melds": 45, "clean": 200}, 245)

    melds = run("C", "7 8 9 T J Q K"), run("S", "Q K A"), run("H", "Q K A"), run("D", "T J Q")
    out = side(*melds, run("S", "3 4 5"), hand(), hand("AD"))
    sheet = deal_sheets(P3, [out, side(took=False)], closed_by=0)[0]
    assert points(sheet) == {"melds": 180, "clean": 200, "closing": 100, "hand": -15}
    assert sheet.total == 465


@pytest.mark.parametrize(
    ("meld", "expected", "total"),
    [
        pytest.param(run("H", A_TO_K), Grade.RUN13, 610, id="1: ace to king"),
        pytest.param(run("H", TWO_TO_A), Grade.RUN13, 610, id="1: two to ace"),
        pytest.param(run("H", A_TO_A), Grade.RUN14, 1125, id="2: ace to ace"),
        pytest.param(
            run("H", A_TO_K.replace("7", "*JK")), Grade.DIRTY, 225, id="3: thirteen with a joker"
        ),
        pytest.param(
            run("H", A_TO_A.replace("7", "*JK")), Grade.DIRTY, 240, id="4: fourteen with a joker"
        ),
        pytest.param(run("H", "*2S 4 5 6 7 8 9"), Grade.DIRTY, 150, id="5: a two as the three"),
        pytest.param(run("H", "2 3 4 5 6 7 8 9"), Grade.CLEAN, 255, id="5: converted"),
    ],
)
def test_a_single_canastra_of_p3(meld, expected, total):
    """S3-28, S3-33, S3-54, G3-12, G3-13: worked scores 1 to 5."""
    assert grade(P3, meld) is expected
    assert only_melds(P3, meld).total == total


@pytest.mark.parametrize(
    ("melds", "value"),
    [
        ("AS KS QS 8H 9H TH JH", 75),
        ("AS KS QS 8H 9H TH", 65),
        ("QS KS JK AH 2H 3H", 70),
        ("QS KS JK AH 2H 3H 4H", 75),
    ],
)
def test_openings_of_p3_are_measured_by_the_faces_of_their_cards(melds, value):
    """S3-36, S3-52: the sums of worked score 6, a wild at its own value."""
    assert sum(card_points(P3, card) for card in melds.split()) == value


def test_an_unused_morto_of_p3_costs_a_flat_100_when_the_rivals_go_out():
    """S3-57: worked score 7, -15 and not -25."""
    morto = hand("8C 8D 8S 9C 9S TC TH JC QC KH JH", waiting=True)
    caught = side(run("S", "T J Q K A"), run("D", "9 T J Q K A"), morto, hand("AC KC QH"))
    rivals = side(run("H", "4 5 6 7 8 9 T"), hand(), hand("4C"))
    sheets = deal_sheets(P3, [caught, rivals], closed_by=1)
    assert points(sheets[0]) == {"melds": 120, "reserve": -100, "hand": -35}
    assert totals(sheets) == [-15, 345]


def test_a_morto_that_became_stock_was_not_taken():
    """S3-49, S3-56, G3-10: worked score 8."""
    ours = side(run("H", "7 8 9 T J Q K"), hand("AS"), hand("KC"), took=False)
    assert totals(deal_sheets(P3, [ours, side()], closed_by=None))[0] == 140
    assert totals(deal_sheets(P3, [ours, side(took=False)], closed_by=None))[0] == 240


def test_a_match_of_p3_that_both_pairs_bring_past_3000():
    """S3-5, S3-50: worked score 9."""
    after = totals_after([2950, 2980], [Sheet((), 60), Sheet((), 35)])
    assert after == (3010, 3015)
    assert match_winner(after, 3000) == 1
    assert match_winner([3010, 3010], 3000) is None


# Buraco fechado STBL (P4)


@pytest.mark.parametrize(
    ("meld", "total"),
    [
        pytest.param(run("S", "J *2 K"), 30, id="seed: a two between jack and king"),
        pytest.param(run("S", "*2H J Q K"), 40, id="seed: with the queen"),
        pytest.param(run("S", "3 *2 5"), 20, id="seed: a two as the four"),
        pytest.param(run("S", "2 3 4 5"), 25, id="seed: the two gone home"),
        pytest.param(run("H", A_TO_A, at_once=14), 1125, id="1: real at once"),
        pytest.param(run("H", A_TO_K, at_once=13), 610, id="2: 500 at once"),
        pytest.param(run("H", A_TO_K), 310, id="3: the same in two steps"),
        pytest.param(run("S", "5 6 7 8 *JK T J"), 195, id="4: dirty"),
        pytest.param(run("H", A_TO_A.replace("7", "*JK")), 270, id="5: fourteen with a joker"),
    ],
)
def test_a_single_meld_of_p4(meld, total):
    """S4-7, S4-9, S4-10, S4-15, S4-16, S4-17, S4-18, S4-20, S4-21, S4-22, G4-9,
    G4-20: the examples of the text and worked scores 1 to 5.
    """
    assert only_melds(P4, meld).total == total


def test_the_finishers_of_p4_score_325_and_the_side_without_dead_pile_25():
    """S4-8, S4-11, S4-12, S4-39, G4-27: worked scores 6 and 7."""
    finishers = side(run("D", "3 4 5 6 7 8 9"), run("S", "Q K A"), hand(), hand("JK 4C"))
    caught = side(run("C", "6 7 8 *2 T J Q"), hand("JS JH"), hand("AC"), took=False)
    sheets = deal_sheets(P4, [finishers, caught], closed_by=0)
    assert points(sheets[0]) == {"melds": 80, "clean": 200, "closing": 100, "hand": -55}
    assert points(sheets[1]) == {"melds": 60, "dirty": 100, "reserve": -100, "hand": -35}
    assert totals(sheets) == [325, 25]


def test_an_unused_dead_pile_of_p4_counts_its_cards():
    """S4-11, S4-12, G4-6: worked score 8, 15 for a pile worth 110."""
    pile = hand("8C 8D 8S 9C 9S TC TH JC QC KH JH", waiting=True)
    caught = side(run("C", "6 7 8 *2 T J Q"), pile, hand("JS JH AC"))
    rivals = side(run("D", "3 4 5 6 7 8 9"), hand(), hand())
    sheet = deal_sheets(P4, [caught, rivals], closed_by=1)[0]
    assert points(sheet) == {"melds": 60, "dirty": 100, "hand": -145}
    assert sheet.total == 15


def test_two_players_of_p4_at_the_end_of_the_stock():
    """S4-11, S4-38: worked score 9."""
    clean = side(run("D", "3 4 5 6 7 8 9"), hand("TS JS"))
    dirty = side(run("S", "5 6 7 8 *JK T J"), hand("JK"))
    assert totals(deal_sheets(P4, [clean, dirty], closed_by=None)) == [225, 145]
