"""Where two refusals fit a move, the one listed first in the move language is given."""

import pytest

from games.rules import engine
from games.rules.moves import Reject
from games.rules.profile import REFUSAL_CODES
from games.rules.refusals import SENTENCES
from tests.games.rules.tables import (
    ALL,
    CLEAN_SEVEN,
    DIRTY_SEVEN,
    P0,
    P2,
    P3,
    P4,
    changed,
    discard,
    draw,
    meld,
    onto,
    reject,
    table,
    take,
)
from tests.games.rules.test_turns import profiles

A_TO_K = " ".join(f"{rank}S" for rank in "A23456789TJQK")
TOOK = (True, False)


@profiles(*ALL)
def test_every_code_has_a_sentence_and_in_every_variant_a_clause(profile):
    assert set(SENTENCES) == REFUSAL_CODES
    closed_only = set() if profile is P4 else {"pile-needs-use", "pile-wild-needs-new"}
    assert set(profile.clauses) == REFUSAL_CODES - closed_only


# Each case: what fits besides, and what has to be given.
CASES = {
    "deal-over before not-your-turn": (
        table(P0, hand="7C", melds=[CLEAN_SEVEN], taken=TOOK).plays(discard("7C")),
        draw(3),
        "deal-over",
    ),
    "not-your-turn before wrong-step": (table(P0, step="draw"), discard("KC", 1), "not-your-turn"),
    "wrong-step before not-in-hand": (table(P0, step="draw"), discard("JK"), "wrong-step"),
    "wrong-step before pile-empty": (table(P0), take(), "wrong-step"),
    "wrong-step before stock-empty": (table(P0, stock=""), draw(), "wrong-step"),
    "wrong-step before cannot-reject": (table(P0, step="draw"), reject(), "wrong-step"),
    "not-in-hand before pile-empty": (
        table(P4, step="draw", hand="5S KC"),
        take("5S 6S 7S"),
        "not-in-hand",
    ),
    "not-in-hand before pile-wild-needs-new": (
        table(P4, step="draw", hand="KC QC", melds=["5S 6S 7S"], pile="JK"),
        take(onto(0, "JK 8S")),
        "not-in-hand",
    ),
    "not-in-hand before pile-needs-use": (
        table(P4, step="draw", hand="5S 6S KC", pile="9D"),
        take("5S 6S 7S"),
        "not-in-hand",
    ),
    "not-in-hand before no-such-meld": (
        table(P3, hand="5S KC"),
        meld(onto(7, "6S")),
        "not-in-hand",
    ),
    "not-in-hand counts all placements": (
        table(P3, hand="5S 6S 7S 8S KC QC"),
        meld("5S 6S 7S", "7S 8S KC"),
        "not-in-hand",
    ),
    "pile-empty before pile-needs-use": (table(P4, step="draw"), take(), "pile-empty"),
    "stock-empty before cannot-reject": (table(P0, stock=""), reject(), "stock-empty"),
    "pile-needs-use before no-such-meld": (
        table(P4, step="draw", hand="5S 6S KC", pile="9D"),
        take(onto(3, "5S")),
        "pile-needs-use",
    ),
    "pile-wild-needs-new before no-such-meld": (
        table(P4, step="draw", hand="5S 6S KC", pile="JK"),
        take(onto(3, "JK")),
        "pile-wild-needs-new",
    ),
    "no-such-meld before meld-too-short": (
        table(P3, hand="5S KC QC"),
        meld(onto(0, "5S")),
        "no-such-meld",
    ),
    "no negative meld": (
        table(P3, hand="8S KC QC", melds=["5S 6S 7S"]),
        meld(onto(-1, "8S")),
        "no-such-meld",
    ),
    "meld-too-short before meld-only-wilds": (
        table(P0, hand="JK JK KC QC"),
        meld("JK JK"),
        "meld-too-short",
    ),
    "meld-only-wilds before meld-two-wilds": (
        table(P0, hand="JK JK 2S KC QC"),
        meld("JK JK 2S"),
        "meld-only-wilds",
    ),
    "wild-no-place before meld-too-long": (
        table(P3, hand="7S KC QC", melds=[A_TO_K.replace("7S", "JK") + " AS"]),
        meld(onto(0, "7S")),
        "wild-no-place",
    ),
    "meld-too-long before meld-mixed": (
        table(P3, hand="8H KC QC", melds=[A_TO_K + " AS"]),
        meld(onto(0, "8H")),
        "meld-too-long",
    ),
    "meld-too-long before meld-two-wilds": (
        table(P0, hand="2D KC QC", melds=["7S 7S 7H 7H 7D 7D 7C 7C JK"]),
        meld(onto(0, "2D")),
        "meld-too-long",
    ),
    "meld-mixed before meld-two-wilds": (
        table(P0, hand="5S 6H JK JK KC QC"),
        meld("5S 6H JK JK"),
        "meld-mixed",
    ),
    "sets-forbidden before meld-two-wilds": (
        table(P3, hand="7S 7H JK 2D KC QC"),
        meld("7S 7H JK 2D"),
        "sets-forbidden",
    ),
    "wild-trapped before meld-two-wilds": (
        table(P0, hand="2H KC QC", melds=["3S 2S 5S 6S"]),
        meld(onto(0, "2H")),
        "wild-trapped",
    ),
    "meld-two-wilds before meld-gap": (
        table(P0, hand="5S 8S JK JK KC QC"),
        meld("5S 8S JK JK"),
        "meld-two-wilds",
    ),
    "meld-gap where even wilds would not close it": (
        table(P0, hand="5S TS JK JK KC QC"),
        meld("5S TS JK JK"),
        "meld-gap",
    ),
    "meld-two-aces before meld-gap": (
        table(P0, hand="AS KC QC", melds=[A_TO_K]),
        meld(onto(0, "AS")),
        "meld-two-aces",
    ),
    "set-exists before layout-illegal": (
        table(changed(P0, melds={"equal_sets": False}), hand="7S 7H JK KC QC", melds=["7D 7C 7S"]),
        meld(onto(None, "7S 7H JK", wild="high")),
        "set-exists",
    ),
    "layout-illegal before opening-too-low": (
        table(P3, hand="4S 5S 6S KC QC", totals=[1500, 0]),
        meld(onto(None, "4S 5S 6S", wild="low")),
        "layout-illegal",
    ),
    "opening-too-low before would-strand": (
        table(P3, hand="4S 5S 6S KC", totals=[1500, 0], taken=TOOK),
        meld("4S 5S 6S"),
        "opening-too-low",
    ),
    "the first wrong placement": (
        table(P3, hand="4S 5S 7H 7D KC QC 7S"),
        meld("4S 5S 7S", "7H 7D KC"),
        "meld-gap",
    ),
    "a wrong placement before a later one that is listed earlier": (
        table(P3, hand="4S 5S 7S 8H KC QC"),
        meld("4S 5S 7S", onto(9, "8H")),
        "meld-gap",
    ),
    "discard-same-single before close-without-reserve": (
        table(P0, hand="9D", reserves=0, pile_single={"card": "9D", "held_before": False}),
        discard("9D"),
        "discard-same-single",
    ),
    "close-without-reserve before close-without-canasta": (
        table(P0, hand="9D", reserves=0),
        discard("9D"),
        "close-without-reserve",
    ),
    "close-without-canasta before close-wild-discard": (
        table(P0, hand="2D", taken=TOOK),
        discard("2D"),
        "close-without-canasta",
    ),
    "close-without-canasta with a dirty one": (
        table(P4, hand="2D", melds=[DIRTY_SEVEN], taken=TOOK),
        discard("2D"),
        "close-without-canasta",
    ),
    "close-wild-discard": (
        table(P2, hand="2D", melds=[CLEAN_SEVEN], taken=TOOK),
        discard("2D"),
        "close-wild-discard",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_refusal_listed_first_is_given(name):
    position, move, code = CASES[name]
    before = position.deal
    assert position.refuses(move) == code
    assert position.deal is before


@profiles(*ALL)
def test_the_clause_of_a_refusal_is_the_profiles(profile):
    t = table(profile, step="draw")
    decided = engine.decide(t.deal, Reject(0))
    assert decided.clause == profile.clauses["wrong-step"]
