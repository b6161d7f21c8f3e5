"""Grades and sheets, clause by clause; the worked scores are in `test_worked_scores`."""

import msgspec
import pytest

from scoring.sheets import Grade, Line, Sheet, deal_sheets, grade, special_run
from scoring.table import SemiClean, SemiCleanSets
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

FOUNDING = pytest.mark.parametrize("table", [P0, P2, P3, P4], ids=["P0", "P2", "P3", "P4"])
EIGHT_SEVENS = "7S 7H 7D 7C 7S 7H 7D 7C"
FIRST_SEVEN_SEVENS = "7S 7H 7D 7C 7S 7H 7D"


def by_ends():
    return msgspec.structs.replace(P0, semi_clean=SemiClean.END)


def with_semi_clean_sets(rule):
    return msgspec.structs.replace(P0, semi_clean_sets=rule)


# Grades


@FOUNDING
def test_a_meld_of_six_is_no_canasta_and_one_of_seven_is(table):
    """S0-46, S2-21, S3-28, S4-14."""
    assert grade(table, run("H", "3 4 5 6 7 8")) is None
    assert grade(table, run("H", "3 4 5 6 7 8 9")) is Grade.CLEAN
    assert grade(table, run("H", "3 4 5 6 *JK 8 9")) is Grade.DIRTY


def test_a_canasta_may_be_a_set():
    """S0-46, S2-21."""
    assert grade(P0, kind("7S 7H 7D 7C 7S 7H")) is None
    assert grade(P0, kind(FIRST_SEVEN_SEVENS)) is Grade.CLEAN
    assert grade(P2, kind("7S 7H 7D 7C 7S 7H *2S")) is Grade.DIRTY


@FOUNDING
def test_a_natural_two_leaves_a_canasta_clean(table):
    """S0-48, S2-15, S3-26, S4-15, S4-19."""
    assert grade(table, run("S", "A 2 3 4 5 6 7")) is Grade.CLEAN
    assert grade(table, run("S", "2 3 4 5 6 7 8")) is Grade.CLEAN


@FOUNDING
@pytest.mark.parametrize("wild", ["*JK", "*2H", "*2S"])
def test_any_wild_makes_a_canasta_dirty_even_beside_a_natural_two(table, wild):
    """S0-49, S2-14, S3-28, S4-16, S4-20."""
    assert grade(table, run("S", f"A 2 3 4 {wild} 6 7")) is Grade.DIRTY


@pytest.mark.parametrize(
    ("places", "run7", "end"),
    [
        ("*2 4 5 6 7 8 9", Grade.DIRTY, Grade.DIRTY),
        ("*2 4 5 6 7 8 9 T", Grade.SEMI, Grade.SEMI),
        ("4 5 6 7 8 9 T *JK", Grade.SEMI, Grade.SEMI),
        ("2 3 4 5 6 7 8 *JK", Grade.SEMI, Grade.SEMI),
        ("4 5 6 7 8 9 T *JK Q", Grade.SEMI, Grade.DIRTY),
        ("3 *2 5 6 7 8 9 T J", Grade.SEMI, Grade.DIRTY),
        ("2 *2 4 5 6 7 8 9 T", Grade.SEMI, Grade.DIRTY),
        ("4 5 6 7 8 9 *JK J Q K A", Grade.DIRTY, Grade.DIRTY),
    ],
)
def test_a_sequence_is_semi_clean_by_seven_naturals_in_a_row_or_by_its_end(places, run7, end):
    """S0-50, G0-20: seven in a row, natural twos among them; or seven others beside an end."""
    assert grade(P0, run("S", places)) is run7
    assert grade(by_ends(), run("S", places)) is end


def test_a_dirty_canasta_becomes_semi_clean_when_cards_are_added():
    """S0-53."""
    assert grade(P0, run("S", "3 *2 5 6 7 8 9")) is Grade.DIRTY
    assert grade(P0, run("S", "3 *2 5 6 7 8 9 T J")) is Grade.SEMI


def test_a_canasta_becomes_clean_when_its_two_comes_home():
    """S0-52, S4-22; S4-23: with a joker it stays dirty."""
    assert grade(P0, run("S", "3 *2 5 6 7 8 9 T J")) is Grade.SEMI
    assert grade(P0, run("S", "2 3 4 5 6 7 8 9 T J")) is Grade.CLEAN
    assert grade(P4, run("S", "3 4 5 6 7 8 9 *JK")) is Grade.DIRTY


@pytest.mark.parametrize(
    ("rule", "eight", "nine"),
    [
        (SemiCleanSets.NONE, Grade.DIRTY, Grade.DIRTY),
        (SemiCleanSets.EXACTLY_8, Grade.SEMI, Grade.DIRTY),
        (SemiCleanSets.SEVEN_NATURALS, Grade.SEMI, Grade.SEMI),
    ],
)
def test_sets_are_semi_clean_only_where_the_profile_says_so(rule, eight, nine):
    """G0-21: seven naturals and a wild, eight naturals and a wild; never six and a wild."""
    table = with_semi_clean_sets(rule)
    assert grade(table, kind("7S 7H 7D 7C 7S 7H *JK")) is Grade.DIRTY
    assert grade(table, kind(FIRST_SEVEN_SEVENS + " *JK")) is eight
    assert grade(table, kind(EIGHT_SEVENS + " *JK")) is nine
    assert grade(table, kind(EIGHT_SEVENS)) is Grade.CLEAN


def test_profiles_without_a_semi_clean_grade_know_only_clean_and_dirty():
    """G2-1, S3-54, S4-10."""
    for table in (P2, P3, P4):
        assert grade(table, run("S", "4 5 6 7 8 9 T *JK")) is Grade.DIRTY


def test_thirteen_and_fourteen_are_special_only_where_they_have_points():
    """S3-54; G2-1: a profile without such points pays a long clean sequence as a clean one."""
    for table in (P0, P2):
        assert grade(table, run("H", A_TO_K)) is Grade.CLEAN
        assert grade(table, run("H", A_TO_A)) is Grade.CLEAN
    only_thirteen = msgspec.structs.replace(P3, run14=0)
    assert grade(only_thirteen, run("H", A_TO_A)) is Grade.RUN13
    only_fourteen = msgspec.structs.replace(P3, run13=0)
    assert grade(only_fourteen, run("H", A_TO_K)) is Grade.CLEAN
    assert grade(only_fourteen, run("H", A_TO_A)) is Grade.RUN14


def test_a_clean_twelve_is_a_clean_canastra():
    """S3-54, S4-10."""
    twelve = "3 4 5 6 7 8 9 T J Q K A"
    assert grade(P3, run("H", twelve)) is grade(P4, run("H", twelve)) is Grade.CLEAN


def test_a_special_run_built_up_counts_in_p3():
    """G3-13: only the final state counts, so how it came about does not."""
    assert grade(P3, run("H", A_TO_K, at_once=0)) is Grade.RUN13
    assert grade(P3, run("H", A_TO_A, at_once=13)) is Grade.RUN14


def test_a_special_run_of_p4_counts_only_if_laid_at_once():
    """S4-17, S4-18, G4-9, G4-20."""
    assert grade(P4, run("H", A_TO_K)) is Grade.CLEAN
    assert grade(P4, run("H", A_TO_K, at_once=13)) is Grade.RUN13
    assert grade(P4, run("H", A_TO_A)) is Grade.CLEAN
    assert grade(P4, run("H", A_TO_A, at_once=14)) is Grade.RUN14


def test_a_500_of_p4_spans_ace_to_king():
    """S4-17, G3-12: two to ace is a clean canasta there, and a 500 in P3."""
    assert grade(P4, run("H", TWO_TO_A, at_once=13)) is Grade.CLEAN
    assert grade(P3, run("H", TWO_TO_A)) is Grade.RUN13


def test_a_500_of_p4_extended_to_fourteen_stays_a_500():
    """G4-10."""
    assert grade(P4, run("H", A_TO_A, at_once=13)) is Grade.RUN13


def test_a_wild_added_to_a_special_run_makes_it_dirty():
    """G4-11, S3-54."""
    assert grade(P4, run("H", A_TO_K + " *JK", at_once=13)) is Grade.DIRTY
    assert grade(P3, run("H", A_TO_K + " *JK")) is Grade.DIRTY


@pytest.mark.parametrize(
    ("table", "places", "size"),
    [
        (P4, A_TO_K, 13),
        (P4, TWO_TO_A, 0),
        (P4, A_TO_A, 14),
        (P4, "A 2 3 4 5 6 7 8 9 T J Q", 0),
        (P3, TWO_TO_A, 13),
        (P2, A_TO_K, 0),
    ],
)
def test_which_runs_are_special(table, places, size):
    """S4-17, S4-18, S3-54: what a run has to be when it is laid to be remembered as special."""
    assert special_run(table, run("H", places).cards) == size


# Sheets


@FOUNDING
def test_only_the_side_that_went_out_gets_the_closing_points(table):
    """S0-59, G2-2, S3-55, S4-8, S4-39."""
    sides = [side(), side()]
    assert deal_sheets(table, sides, closed_by=1) == (
        Sheet((), 0),
        Sheet((Line("closing", 1, 100),), 100),
    )


@FOUNDING
def test_nobody_gets_the_closing_points_when_the_stock_ran_out(table):
    """S2-19, S3-55, S4-38, S0-59."""
    assert [sheet.total for sheet in deal_sheets(table, [side(), side()], closed_by=None)] == [0, 0]


@FOUNDING
def test_the_hand_of_the_closers_partner_is_subtracted(table):
    """S0-64, G2-4, S3-53, S4-11, G4-27."""
    closers = side(hand(), hand("KS 4C"))
    assert points(deal_sheets(table, [closers, side()], closed_by=0)[0]) == {
        "closing": 100,
        "hand": -15,
    }


@FOUNDING
def test_both_hands_of_the_other_side_are_subtracted(table):
    """S0-64, G2-4, S3-53, S4-11, S4-39."""
    caught = side(hand("KS"), hand("4C AS"))
    sheet = deal_sheets(table, [side(), caught], closed_by=0)[1]
    assert sheet == Sheet((Line("hand", 3, -30),), -30)


@FOUNDING
def test_cards_of_melds_that_are_no_canasta_count_too(table):
    """S0-67, S2-21, S3-53, S4-7."""
    sheets = deal_sheets(table, [side(run("S", "Q K A"), run("H", "3 4 5")), side()], None)
    assert sheets[0] == Sheet((Line("melds", 6, 50),), 50)


@FOUNDING
def test_bonuses_of_canastas_go_to_both_sides(table):
    """S0-63, S2-21, S3-54, S4-10."""
    clean = run("H", "3 4 5 6 7 8 9")
    dirty = run("S", "8 9 T J *JK K A")
    sheets = deal_sheets(table, [side(clean), side(dirty)], closed_by=0)
    assert points(sheets[0])["clean"] == 200
    assert points(sheets[1])["dirty"] == 100


def test_a_wild_counts_its_own_value_in_a_meld():
    """S0-58, S0-67, S4-7, S3-52."""
    for table, value in [(P0, 45), (P2, 45), (P3, 35), (P4, 65)]:
        assert deal_sheets(table, [side(run("S", "3 *JK 8")), side()], None)[0].total == value


def test_a_red_three_is_a_low_card_and_nothing_more():
    """S3-59, S3-29."""
    threes = side(run("H", "3 4 5"), hand("3D"))
    assert deal_sheets(P3, [threes, side()], None)[0] == Sheet(
        (Line("melds", 3, 15), Line("hand", 1, -5)), 10
    )


def test_each_canastra_has_its_highest_category_and_no_other():
    """S3-54: the categories do not add up."""
    sheet = deal_sheets(P3, [side(run("H", A_TO_A)), side()], None)[0]
    assert points(sheet) == {"melds": 125, "run14": 1000}


@pytest.mark.parametrize("table", [P0, P2, P3], ids=["P0", "P2", "P3"])
def test_a_reserve_not_taken_is_charged_only_if_another_side_took_one(table):
    """S0-65, G0-4, G2-3, S3-56."""
    none_taken = [side(took=False), side(took=False)]
    assert deal_sheets(table, none_taken, None) == (Sheet((), 0), Sheet((), 0))
    one_taken = [side(took=False), side(took=True)]
    assert deal_sheets(table, one_taken, None) == (
        Sheet((Line("reserve", 1, -100),), -100),
        Sheet((), 0),
    )


def test_p4_charges_every_side_that_took_no_dead_pile():
    """S4-12, G4-8: even if nobody took one."""
    charged = Sheet((Line("reserve", 1, -100),), -100)
    assert deal_sheets(P4, [side(took=False), side(took=False)], None) == (charged, charged)
    assert deal_sheets(P4, [side(took=False), side()], closed_by=1)[0] == charged


@pytest.mark.parametrize(
    ("closed_by", "expected"),
    [(1, {"reserve": -100, "hand": -5}), (0, {"closing": 100, "hand": -25}), (None, {"hand": -25})],
    ids=["the rivals", "the partner", "nobody"],
)
def test_the_flat_charge_of_p3_is_only_for_the_rivals_going_out(closed_by, expected):
    """S3-57, G3-11: else the unplayed morto counts by its cards; other cards always do."""
    caught = side(hand("KS TS", waiting=True), hand("4C"))
    assert points(deal_sheets(P3, [caught, side()], closed_by)[0]) == expected


def test_the_flat_charge_of_p3_is_not_for_a_morto_that_was_played():
    """S3-57, S3-53."""
    caught = side(hand("KS TS"), hand("4C"))
    assert points(deal_sheets(P3, [caught, side()], closed_by=1)[0]) == {"hand": -25}


@pytest.mark.parametrize("table", [P0, P2, P4], ids=["P0", "P2", "P4"])
def test_elsewhere_an_unplayed_reserve_counts_by_its_cards(table):
    """S0-66, G0-31, G2-5, G4-6."""
    caught = side(hand("KS TS", waiting=True), hand("4C"))
    assert points(deal_sheets(table, [caught, side()], closed_by=1)[0]) == {"hand": -25}


def test_two_players_are_two_sides_with_a_hand_each():
    """G0-27, G0-28, G3-24, S4-1: everything else is equal."""
    alba = side(run("H", "3 4 5 6 7 8 9"), hand())
    bruno = side(hand("KS"), took=False)
    totals = [sheet.total for sheet in deal_sheets(P0, [alba, bruno], closed_by=0)]
    assert totals == [345, -110]


def test_a_sheet_lists_its_lines_in_one_order_with_one_line_a_code():
    """S0-57: positive and negative categories are summed."""
    table = msgspec.structs.replace(P3, semi=150, semi_clean=SemiClean.RUN7)
    everything = side(
        run("H", A_TO_A),
        run("S", A_TO_K),
        run("D", "5 6 7 *JK 9 T J"),
        run("C", "5 6 7 8 9 T J *JK"),
        run("H", "4 5 6 7 8 9 T"),
        run("S", "4 5 6 7 8 9 T"),
        hand("4C", waiting=True),
        hand("KC 4D"),
        took=True,
    )
    rivals_out = deal_sheets(table, [everything, side()], closed_by=1)[0]
    assert [(line.code, line.count, line.points) for line in rivals_out.lines] == [
        ("melds", 56, 125 + 110 + 65 + 75 + 50 + 50),
        ("clean", 2, 400),
        ("semi", 1, 150),
        ("dirty", 1, 100),
        ("run13", 1, 500),
        ("run14", 1, 1000),
        ("reserve", 1, -100),
        ("hand", 2, -15),
    ]
    assert rivals_out.total == sum(line.points for line in rivals_out.lines)
    own_close = deal_sheets(table, [everything, side()], closed_by=0)[0]
    assert [line.code for line in own_close.lines][-2:] == ["closing", "hand"]


def test_a_total_may_be_negative():
    """S0-69, S3-58."""
    assert deal_sheets(P0, [side(hand("JK"), took=False), side()], closed_by=1)[0].total == -130


def test_the_side_that_goes_out_need_not_have_the_higher_total():
    """S3-51, S4-6."""
    out = side(run("H", "3 4 5 6 7 8 9"), hand(), hand())
    rich = side(run("S", A_TO_A, at_once=14), hand("KS"), hand())
    for table in (P3, P4):
        first, second = deal_sheets(table, [out, rich], closed_by=0)
        assert first.total == 345 < second.total == 1115


def test_grades_decide_points_only():
    """S0-51: a sheet differs by grade in its bonus alone."""
    semi = deal_sheets(P0, [side(run("S", "4 5 6 7 8 9 T *JK")), side()], None)[0]
    dirty = deal_sheets(P0, [side(run("S", "4 5 6 7 *JK 9 T J")), side()], None)[0]
    assert points(semi) == {"melds": 80, "semi": 150}
    assert points(dirty) == {"melds": 80, "dirty": 100}
