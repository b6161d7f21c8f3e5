"""Melds: sets and sequences, wild cards and their places, extensions, choices of layout."""

import pytest

from games.rules.cards import PACK, in_order
from games.rules.moves import MalformedMoveError, parse_move
from games.rules.state import rules_for
from tests.games.rules.tables import ALL, P0, P2, P3, P4, changed, meld, onto, row, table
from tests.games.rules.test_turns import profiles

SEQUENCES_ONLY = (P3, P4)
WITH_SETS = (P0, P2)


def lays(profile, cards):
    """What becomes of a selection as a new meld: its default layout, or the refusal."""
    found = rules_for(profile).book.layouts((), in_order(row(cards)))
    return found if isinstance(found, str) else " ".join(found[0].cards)


def extends(profile, laid, cards):
    """What becomes of a selection laid onto a meld."""
    found = rules_for(profile).book.layouts(row(laid), in_order(row(cards)))
    return found if isinstance(found, str) else " ".join(found[0].cards)


# Kinds of melds


@profiles(*ALL)
def test_a_meld_has_three_cards_or_more(profile):
    """S0-17, S2-3, S3-22, S4-13."""
    assert lays(profile, "5S 6S") == "meld-too-short"
    assert lays(profile, "5S JK") == "meld-too-short"
    assert lays(profile, "5S 6S 7S") == "5S 6S 7S"


@profiles(*WITH_SETS)
def test_a_set_is_of_one_rank_whatever_the_suits(profile):
    """S0-18, S0-19, S2-11: and duplicates are allowed."""
    for cards in ("AS AH AD", "KS KH KD KC", "7S 7S 7H 7H 7D"):
        assert sorted(lays(profile, cards).split()) == sorted(cards.split())
    assert lays(profile, "7S 7H 8D") == "meld-mixed"


@profiles(*SEQUENCES_ONLY)
def test_where_only_sequences_are_played_no_set_is_laid(profile):
    """S3-4, S3-30, S4-13, G4-21: not even three aces."""
    for cards in ("AS AH AD", "7S 7H 7D", "7S 7H 2D", "7S 7S JK"):
        assert lays(profile, cards) == "sets-forbidden"


def test_the_pack_has_eight_cards_of_each_rank_and_four_jokers():
    """S0-20, G0-2, S2-1, S3-1, S4-2."""
    for profile in ALL:
        assert len(profile.pack) == 108
        assert profile.pack.count("JK") == 4
        for rank in "A23456789TJQK":
            assert sum(card[0] == rank for card in profile.pack if card != "JK") == 8
    assert sorted(PACK) == sorted(P0.pack)


@profiles(*WITH_SETS)
def test_a_set_holds_eight_naturals_and_one_wild_at_most(profile):
    """S2-24, G0-9."""
    eight = "7S 7S 7H 7H 7D 7D 7C 7C"
    assert extends(profile, eight, "JK") == f"{eight} JK"
    assert extends(profile, f"{eight} JK", "2S") == "meld-too-long"
    assert lays(profile, f"{eight} JK 2S") == "meld-too-long"
    assert lays(profile, f"{eight} 2D").split()[-1] == "2D"


@profiles(*ALL)
def test_a_sequence_is_of_one_suit_and_without_gaps(profile):
    """S0-21, S0-27, S2-12, S3-22, S3-24, S4-13."""
    assert lays(profile, "JS 8S TS 9S QS") == "8S 9S TS JS QS"
    assert lays(profile, "8S 9S JS QS") == "meld-gap"
    assert lays(profile, "9D JD QD KD AD") == "meld-gap"
    assert lays(profile, "9D TD JD QD KD AD") == "9D TD JD QD KD AD"
    assert lays(profile, "5S 6S 7H") == "meld-mixed"
    assert lays(profile, "5S 6S 6S 7S") == "meld-gap"


@profiles(*ALL)
def test_an_ace_is_low_or_high_and_never_in_the_middle(profile):
    """S0-22, S2-25, S3-23, S4-18, G0-11, G4-20."""
    assert lays(profile, "AC 2C 3C 4C") == "AC 2C 3C 4C"
    assert lays(profile, "QS KS AS") == "QS KS AS"
    assert lays(profile, "QS KS AS 2S 3S") == "meld-gap"
    assert lays(profile, "KS AS 2S 3S") == "meld-gap"
    # A two beside the king and the ace is no wrap: it is the queen.
    assert lays(profile, "KS AS 2S") == "2S KS AS"


A_TO_K = " ".join(f"{rank}S" for rank in "A23456789TJQK")


@profiles(*WITH_SETS)
def test_two_aces_never_share_a_sequence(profile):
    """S0-22, S2-25: fourteen cards come about only with a wild (G0-10, G2-11)."""
    assert lays(profile, f"{A_TO_K} AS") == "meld-two-aces"
    assert extends(profile, A_TO_K, "AS") == "meld-two-aces"
    assert lays(profile, f"{A_TO_K} JK") == f"JK {A_TO_K[3:]} AS"  # the lowest place: below the two
    assert extends(profile, A_TO_K, "JK") == f"{A_TO_K} JK"
    assert lays(profile, f"{A_TO_K} AS JK") == "meld-too-long"


@profiles(*SEQUENCES_ONLY)
def test_both_aces_close_a_sequence_of_fourteen(profile):
    """S3-23, S4-18."""
    assert lays(profile, f"{A_TO_K} AS") == f"{A_TO_K} AS"
    assert extends(profile, A_TO_K, "AS") == f"{A_TO_K} AS"
    assert lays(profile, f"{A_TO_K} AS JK") == "meld-too-long"
    assert lays(profile, "AS 2S 3S KS AS") == "meld-gap"


@profiles(*ALL)
def test_threes_are_ordinary_cards(profile):
    """S3-29."""
    assert lays(profile, "3H 4H 5H") == "3H 4H 5H"


# Wild cards


@profiles(*ALL)
def test_jokers_and_twos_stand_for_any_card(profile):
    """S0-28, S0-32, S0-33, S2-26, S3-2, S4-19: a two used as a wild is just like a joker."""
    for wild in ("JK", "2H", "2S"):
        for rank in range(2, 11):
            three = [f"{'A23456789TJQK'[rank + step]}S" for step in range(3)]
            middle = f"{three[0]} {wild} {three[2]}"
            assert lays(profile, middle) == middle


@profiles(*WITH_SETS)
def test_in_a_set_a_wild_is_one_more_card_and_lies_last(profile):
    """S0-28, S0-30, S0-36."""
    assert lays(profile, "2D KS KH") == "KS KH 2D"
    assert extends(profile, "KS KH JK", "KD") == "KS KH KD JK"
    assert extends(profile, "KS KH JK", "2D") == "meld-two-wilds"


@profiles(*ALL)
def test_a_meld_holds_one_wild_at_most(profile):
    """S0-29, S2-13, S3-25, G4-28."""
    assert lays(profile, "JK JK 5S") == "meld-two-wilds"
    assert lays(profile, "5S 8S JK 2H") == "meld-two-wilds"
    assert extends(profile, "5S JK 7S", "JK") == "meld-two-wilds"


@profiles(*ALL)
def test_wild_cards_alone_are_no_meld(profile):
    """S0-31, S2-24, G4-28: no sets of twos or of jokers."""
    for cards in ("2S 2H 2D", "JK JK JK", "2S 2H JK", "2S 2S JK"):
        assert lays(profile, cards) == "meld-only-wilds"


@profiles(*ALL)
def test_a_two_before_the_three_of_its_suit_is_natural_and_leaves_room_for_a_wild(profile):
    """S0-34, S2-15, S2-26, S3-26, S4-19, G0-13."""
    assert lays(profile, "2S 3S 4S") == "2S 3S 4S"
    assert lays(profile, "2S 3S 5S JK") == "2S 3S JK 5S"
    assert lays(profile, "2S 3S 5S 2S") == "2S 3S 2S 5S"
    assert lays(profile, "2H 3S 5S JK") == "meld-two-wilds"
    assert lays(profile, "2S 4S 5S") == "2S 4S 5S"  # the two is the three: no natural place
    assert lays(profile, "2S 2H 4S") == "2S 2H 4S"
    assert lays(profile, "AS 2S JK") == "AS 2S JK"  # G0-12
    assert extends(profile, "2S 3S 4S", "JK") in ("JK 2S 3S 4S", "2S 3S 4S JK")


@profiles(*ALL)
def test_a_joker_is_never_natural(profile):
    """S3-27, S3-34, S4-23: moved to the place of a two it is still a wild."""
    t = table(profile, hand="4S JH", melds=["3S JK 5S"]).plays(
        meld(onto(0, "4S", wild="low"))
    )  # fmt: skip
    assert t.melds() == ["JK 3S 4S 5S"]
    assert extends(profile, "JK 3S 4S 5S", "2H") == "meld-two-wilds"


@profiles(P0, P2)
def test_a_free_wild_goes_low_by_default(profile):
    """S0-36, G0-14: a wild added at an end goes at the bottom."""
    assert lays(profile, "4H 5H JK") == "JK 4H 5H"
    assert extends(profile, "4H 5H 6H", "JK") == "JK 4H 5H 6H"


# Extensions


@profiles(*ALL)
def test_cards_are_added_at_either_end(profile):
    """S0-27, S0-25: several at once, as long as no gap arises."""
    assert extends(profile, "5H 6H 7H", "4H") == "4H 5H 6H 7H"
    assert extends(profile, "5H 6H 7H", "4H 8H 9H") == "4H 5H 6H 7H 8H 9H"
    assert extends(profile, "5H 6H 7H", "9H") == "meld-gap"
    assert extends(profile, "5H 6H 7H", "6H") == "meld-gap"
    assert extends(profile, "5H 6H 7H", "8S") == "meld-mixed"


@profiles(*WITH_SETS)
def test_cards_of_the_rank_are_added_to_a_set(profile):
    """S0-26."""
    assert extends(profile, "7S 7H 7D", "7C 7S") == "7S 7H 7D 7S 7C"
    assert extends(profile, "7S 7H 7D", "8S") == "meld-mixed"


@profiles(*ALL)
def test_partners_share_their_melds_and_only_theirs(profile):
    """S0-3, S0-4, S0-24, S0-25, S2-3, S2-9, S3-12, S3-20, S4-27."""
    partner = table(profile, turn=2, hand="8H JD 4C", melds=["5H 6H 7H"])
    assert partner.plays(meld(onto(0, "8H"), seat=2)).melds() == ["5H 6H 7H 8H"]
    rival = table(profile, turn=1, hand="8H JD 4C", rival_melds=["5H 6H 7H"])
    assert rival.refuses(meld(onto(0, "8H"), seat=1)) == "no-such-meld"
    assert rival.deal.melds[0][0].cards == ("5H", "6H", "7H")


@profiles(*ALL)
def test_of_two_players_each_has_melds_of_his_own(profile):
    """S4-27, S0-1, G0-27, G3-24."""
    other = table(profile, seats=2, turn=1, hand="8H JD 4C", rival_melds=["5H 6H 7H"])
    assert other.refuses(meld(onto(0, "8H"), seat=1)) == "no-such-meld"


@profiles(*ALL)
def test_melds_are_neither_joined_nor_split_and_never_go_back_to_a_hand(profile):
    """S2-27, S3-21, G0-19, G0-16: an equal or overlapping sequence lies beside the first."""
    t = table(profile, hand="8H 9H TH KD QC", melds=["5H 6H 7H"]).plays(meld("8H 9H TH"))
    assert t.melds() == ["5H 6H 7H", "8H 9H TH"]
    overlap = table(profile, hand="6H 7H 8H KD QC", melds=["5H 6H 7H"]).plays(meld("6H 7H 8H"))
    assert overlap.melds() == ["5H 6H 7H", "6H 7H 8H"]


@profiles(*WITH_SETS)
def test_a_side_may_have_two_sets_of_a_rank_unless_a_house_rule_forbids_it(profile):
    """G0-18, G2-12."""
    t = table(profile, hand="7S 7H 7D KC QC", melds=["7S 7H 7C"])
    assert len(t.plays(meld("7S 7H 7D")).melds()) == 2
    federation = changed(profile, melds={"equal_sets": False})
    strict = table(federation, hand="7S 7H 7D KC QC", melds=["7S 7H 7C"])
    assert strict.refuses(meld("7S 7H 7D")) == "set-exists"
    twice = table(federation, hand="7S 7H 7D 7S 7H 7C KC QC")
    assert twice.refuses(meld("7S 7H 7D", "7S 7H 7C")) == "set-exists"


# Wild cards that move


@profiles(*ALL)
def test_a_wild_two_goes_home_when_its_card_comes(profile):
    """S0-52, S3-31, S3-33, S4-22: it is natural then, and the sequence clean."""
    assert extends(profile, "3S 2S 5S", "4S") == "2S 3S 4S 5S"
    assert extends(profile, "2H 4H 5H", "3H") == "2H 3H 4H 5H"
    t = table(profile, hand="4S JH QD", melds=["3S 2S 5S"]).plays(meld(onto(0, "4S")))
    assert extends(profile, t.melds()[0], "JK") in ("JK 2S 3S 4S 5S", "2S 3S 4S 5S JK")


@profiles(*ALL)
def test_a_freed_joker_goes_to_the_end_that_the_profile_names_or_the_player_chooses(profile):
    """S3-31, S4-21, G0-14, G2-9, G3-14, G4-16."""
    low, high = "JK 4H 5H 6H", "4H 5H 6H JK"
    assert extends(profile, "4H JK 6H", "5H") == (high if profile is P3 else low)
    for end, expected in (("low", low), ("high", high)):
        t = table(profile, hand="5H QD KC", melds=["4H JK 6H"])
        assert t.plays(meld(onto(0, "5H", wild=end))).melds() == [expected]


@profiles(P0, P2, P3)
def test_a_trapped_wild_is_freed_only_by_its_own_card(profile):
    """S0-35, G0-14, G2-9, G3-17: never by another wild."""
    assert extends(profile, "6C JK 8C", "TC") == "meld-gap"
    assert extends(profile, "6C JK 8C", "7C TC") == "6C 7C 8C JK TC"
    assert extends(profile, "3S 2S 5S 6S", "2H") == "wild-trapped"
    assert extends(profile, "3S 2S 5S", "JK") == "wild-trapped"


def test_in_the_closed_game_wilds_move_freely():
    """S4-21, G4-18: one wild remains, the two has gone home."""
    assert extends(P4, "3S 2S 5S 6S", "2H") == "2S 3S 2H 5S 6S"
    assert extends(P4, "3S 2S 5S", "JK") == "2S 3S JK 5S"
    assert extends(P4, "6C JK 8C", "TC") == "meld-gap"
    assert extends(P4, "JS 2H KS", "QS") == "2H JS QS KS"


@profiles(P0, P2, P3)
def test_a_free_wild_slides_to_the_other_end_when_it_has_to(profile):
    """G0-14, G3-15: and stays where it is when it need not move."""
    assert extends(profile, "JK 5H 6H", "8H") == "5H 6H JK 8H"
    assert extends(profile, "5D 6D JK", "4D") == "4D 5D 6D JK"
    assert extends(profile, "JK 5D 6D", "7D") == "JK 5D 6D 7D"


@profiles(*ALL)
def test_a_wild_is_not_moved_without_adding_a_card(profile):
    """G4-17: a placement has at least one card."""
    for choice in ({"wild": "high"}, {"layout": ["5H", "6H", "JK"]}):
        move = {"seat": 0, "move": "meld", "place": [{"cards": [], "onto": 0} | choice]}
        with pytest.raises(MalformedMoveError, match="empty"):
            parse_move(move, seats=4, open_pile=profile is not P4)


@profiles(P0, P2, P3)
def test_a_second_wild_joins_only_if_the_two_goes_home_for_its_own_card(profile):
    """G0-32, S3-26."""
    assert extends(profile, "3S 2S 5S", "4S JK") in ("JK 2S 3S 4S 5S", "2S 3S 4S 5S JK")
    assert extends(profile, "3S 4S 2S", "JK") == "wild-trapped"  # the free two is not pushed home
    assert extends(profile, "3S 4S 2H", "JK") == "meld-two-wilds"


@profiles(P0, P3, P4)
def test_a_natural_two_stays_natural(profile):
    """G0-15, G3-16, G4-19: only wilds move."""
    assert extends(profile, "2S 3S 4S 5S", "7S") == "meld-gap"


def test_in_the_italian_game_a_natural_two_may_turn_wild_but_never_by_default():
    """G2-10: where the layout needs it, or where the player names it."""
    assert extends(P2, "2S 3S 4S 5S", "7S") == "3S 4S 5S 2S 7S"
    assert extends(P2, "2S 3S 4S 5S", "6S") == "2S 3S 4S 5S 6S"
    t = table(P2, hand="6S KC QC", melds=["2S 3S 4S 5S"])
    named = t.plays(meld(onto(0, "6S", layout="3S 4S 5S 6S 2S")))
    assert named.melds() == ["3S 4S 5S 6S 2S"]
    assert t.plays(meld(onto(0, "6S", wild="high"))).melds() == ["3S 4S 5S 6S 2S"]
    # With a wild already there, or an ace below it, it cannot.
    assert extends(P2, "2S 3S JK 5S", "7S") == "meld-gap"
    assert extends(P2, "AS 2S 3S 4S", "6S") == "meld-gap"
    # A joker beside a natural two does not need it to turn.
    assert extends(P2, "2S 3S 4S", "JK") == "JK 2S 3S 4S"
    assert extends(P2, "2S 3S 4S", "6S JK") == "2S 3S 4S JK 6S"


@profiles(*ALL)
def test_a_wild_without_a_place_to_go_keeps_its_card_out(profile):
    """S3-32, G0-17, G2-9, G3-18, G4-29: a run of fourteen is full."""
    full = A_TO_K.replace("7S", "JK") + (" AS" if profile.melds.both_aces else "")
    if not profile.melds.both_aces:
        # Thirteen: the joker moves on to the spare end.
        assert extends(profile, full, "7S") == f"{A_TO_K} JK"
        full = f"{A_TO_K} JK"
        assert extends(profile, full, "AS") == "wild-no-place"
        return
    assert extends(profile, full, "7S") == "wild-no-place"
    assert extends(profile, full, "8S") == "meld-too-long"


@profiles(*ALL)
def test_a_choice_that_is_not_legal_or_chooses_nothing_is_refused(profile):
    """S0-32, S2-26, S3-31, S4-21 (move language, section 5)."""
    t = table(profile, hand="4H 5H 6H JK KC QC")
    assert t.refuses(meld(onto(None, "4H 5H JK", layout="4H JK 5H"))) == "layout-illegal"
    assert t.refuses(meld(onto(None, "4H 5H 6H", wild="low"))) == "layout-illegal"
    assert t.refuses(meld(onto(None, "4H JK 6H", wild="high"))) == "layout-illegal"
    chosen = t.plays(meld(onto(None, "4H 5H JK", layout="4H 5H JK")))
    assert chosen.melds() == ["4H 5H JK"]


def test_the_choice_of_an_end_is_for_sequences():
    """S0-30 (move language, section 5): a set's wild lies last anyway."""
    t = table(P0, hand="KS KH JK 4C 5D")
    assert t.refuses(meld(onto(None, "KS KH JK", wild="high"))) == "layout-illegal"
    assert t.refuses(meld(onto(None, "KS KH JK", layout="JK KS KH"))) == "layout-illegal"
    assert t.plays(meld(onto(None, "KS KH JK", layout="KH KS JK"))).melds() == ["KS KH JK"]


@profiles(*ALL)
def test_later_placements_of_a_move_build_on_earlier_ones_and_all_or_none_happen(profile):
    """S0-16, S2-9 (move language, section 5)."""
    t = table(profile, hand="4H 5H 6H 7H KC QC JD 8S")
    after = t.plays(meld("4H 5H 6H", onto(0, "7H")))
    assert after.melds() == ["4H 5H 6H 7H"]
    assert t.refuses(meld("4H 5H 6H", onto(0, "8S"))) == "meld-mixed"
    assert t.refuses(meld("4H 5H 6H", onto(1, "7H"))) == "no-such-meld"
    assert t.refuses(meld(onto(0, "7H"), "4H 5H 6H")) == "no-such-meld"


@pytest.mark.parametrize(
    ("printed", "meant"),
    [
        ("8S 9S JS QS", "8S 9S TS JS QS"),
        ("9D JD QD KD AD", "9D TD JD QD KD AD"),
    ],
)
def test_examples_that_lost_a_card_hold_with_it(printed, meant):
    """S0-21, S0-22: misprints of the founding text."""
    assert lays(P0, printed) == "meld-gap"
    assert lays(P0, meant) == meant


def test_a_wild_has_no_room_between_neighbours():
    """S0-32: as cards in order 4-joker-5 is no sequence; as a selection it is one."""
    t = table(P0, hand="4S 5S JK KC QC")
    assert t.refuses(meld(onto(None, "4S JK 5S", layout="4S JK 5S"))) == "layout-illegal"
    assert t.plays(meld("4S JK 5S")).melds() == ["JK 4S 5S"]


@profiles(*ALL)
def test_many_copies_of_a_card_are_not_another_card(profile):
    """S0-20, G4-12: no hand holds sixteen sevens, whatever else it holds."""
    t = table(profile, hand="8S 8H 8D KC")
    assert t.refuses(meld(*["7S 7H 7D"] * 16)) == "not-in-hand"
    assert t.refuses(meld(*["7S 7H 7D"] * 11)) == "not-in-hand"
    assert t.refuses(meld("KC KC KC " * 6)) == "not-in-hand"
