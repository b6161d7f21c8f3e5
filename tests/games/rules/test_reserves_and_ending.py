"""Emptying the hand: reserves, stranding, going out; and the end of the stock."""

import pytest

from games.rules.state import reserve_is_seen
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
    table,
    take,
)
from tests.games.rules.test_turns import profiles

POT = "3S 5S 6S 8D 9D TC JC QC KD AC 3C"
OTHER_POT = "3H 5C 6C 8S 9C TD JD QD KC AD 4C"
TOOK = (True, False)


# The reserve


@profiles(*ALL)
def test_the_first_of_a_side_to_empty_the_hand_receives_the_first_reserve(profile):
    """S0-5, S0-40, S2-16, S3-10, S3-41, S4-4, S4-24, S4-29."""
    t = table(profile, hand="5H 6H 7H", reserves=[POT, OTHER_POT]).plays(meld("5H 6H 7H"))
    assert sorted(t.hand().split()) == sorted(POT.split())
    assert t.deal.taken == (True, False)
    assert [len(reserve) for reserve in t.deal.reserves] == [11]


@profiles(*ALL)
def test_the_other_reserve_goes_to_the_other_side(profile):
    """S0-43, S2-17, S3-10, S4-24: one for each."""
    t = table(profile, turn=1, hand="9C", reserves=[OTHER_POT], taken=TOOK)
    after = t.plays(discard("9C", 1))
    assert sorted(after.hand(1).split()) == sorted(OTHER_POT.split())
    assert after.deal.taken == (True, True)
    assert after.deal.reserves == ()


@profiles(*ALL)
def test_no_side_takes_both_reserves(profile):
    """S0-43, S3-10, S3-44: a second empty hand fetches nothing, either partner's."""
    for seat in (0, 2):
        t = table(profile, turn=seat, hand="9C", melds=["5H 6H 7H"], taken=TOOK)
        assert t.deal.reserves
        assert t.refuses(discard("9C", seat)) == "close-without-canasta"


@profiles(*ALL)
def test_a_hand_emptied_by_melding_plays_the_reserve_in_the_same_turn(profile):
    """S0-42, S3-42, S4-29, G0-7, G2-7, G4-5: and still discards at its end."""
    t = table(profile, hand="5H 6H 7H", reserves=[POT, OTHER_POT]).plays(meld("5H 6H 7H"))
    assert t.events[-1].direct
    assert t.deal.turn == 0
    assert not any(t.deal.waiting)
    assert reserve_is_seen(t.deal, 0)
    after = t.plays(meld("TC JC QC"), discard("KD"))
    assert after.deal.turn == 1


@profiles(*ALL)
def test_a_hand_emptied_by_the_discard_plays_the_reserve_from_the_next_turn(profile):
    """S0-41, S3-43, G2-7, G4-5."""
    t = table(profile, hand="9C", reserves=[POT, OTHER_POT], pile="QD").plays(discard("9C"))
    assert not t.events[-1].direct
    assert t.deal.turn == 1
    assert t.deal.waiting == (True, False, False, False)
    assert t.refuses(meld("TC JC QC")) == "not-your-turn"
    for seat in (1, 2, 3):
        t = t.plays(draw(seat), discard(t.deal.stock[-1], seat))
    assert t.deal.waiting[0]
    t = t.plays(draw())
    assert t.deal.waiting == (False, False, False, False)
    t.plays(meld("TC JC QC"))


@profiles(P0, P2, P3)
def test_taking_the_pile_ends_the_waiting_too(profile):
    """S0-41, S3-43."""
    waiting = [True, False, False, False]
    t = table(profile, hand=POT, step="draw", pile="QD 4D", waiting=waiting, taken=TOOK)
    assert t.plays(take()).deal.waiting[0] is False


def test_a_reserve_fetched_by_the_discard_is_seen_once_the_partner_has_discarded():
    """S0-41: half a round later, not before."""
    t = table(P0, hand="9C", reserves=[POT, OTHER_POT]).plays(discard("9C"))
    seen = [reserve_is_seen(t.deal, 0)]
    for seat in (1, 2):
        t = t.plays(draw(seat))
        seen.append(reserve_is_seen(t.deal, 0))
        t = t.plays(discard(t.events[-1].card, seat))
        seen.append(reserve_is_seen(t.deal, 0))
    assert seen == [False, False, False, False, True]
    t = t.plays(draw(3))
    assert reserve_is_seen(t.deal, 0)


def test_of_two_players_the_reserve_is_seen_when_the_owners_turn_begins():
    """G0-8, S0-41."""
    t = table(P0, seats=2, hand="9C", reserves=[POT, OTHER_POT]).plays(discard("9C"))
    assert not reserve_is_seen(t.deal, 0)
    t = t.plays(draw(1))
    assert not reserve_is_seen(t.deal, 0)
    t = t.plays(discard(t.events[-1].card, 1))
    assert reserve_is_seen(t.deal, 0)


@profiles(*ALL)
def test_a_wild_may_be_the_discard_that_fetches_the_reserve(profile):
    """G0-6."""
    t = table(profile, hand="JK", reserves=[POT, OTHER_POT]).plays(discard("JK"))
    assert t.deal.taken[0]


# Stranding


@profiles(*ALL)
def test_a_meld_that_leaves_a_card_without_a_way_out_is_refused(profile):
    """S3-46, G0-5, G2-17, G4-25: two cards have to stay, or one that may close."""
    t = table(profile, hand="5S 6S 7S KC", melds=["5H 6H 7H"], taken=TOOK)
    assert t.refuses(meld("5S 6S 7S")) == "would-strand"
    more = table(profile, hand="5S 6S 7S KC QC", melds=["5H 6H 7H"], taken=TOOK)
    more.plays(meld("5S 6S 7S"), discard("QC"))


@profiles(*ALL)
def test_a_meld_that_leaves_no_card_needs_a_reserve_to_fetch(profile):
    """S0-55, S3-46, G0-5, G2-17, G4-25."""
    t = table(profile, hand="5S 6S 7S", melds=["5H 6H 7H"], taken=TOOK)
    assert t.refuses(meld("5S 6S 7S")) == "would-strand"


@profiles(P0, P2)
def test_a_last_wild_strands_where_it_may_not_close(profile):
    """S0-55, S2-18, G0-5."""
    t = table(profile, hand="5S 6S 7S 2D", melds=[CLEAN_SEVEN], taken=TOOK)
    assert t.refuses(meld("5S 6S 7S")) == "would-strand"
    natural = table(profile, hand="5S 6S 7S 9D", melds=[CLEAN_SEVEN], taken=TOOK)
    natural.plays(meld("5S 6S 7S"), discard("9D"))


@profiles(P0, P2, P3)
def test_the_banned_card_of_a_one_card_pile_strands_like_any_other(profile):
    """G0-5, S0-38, S3-18: even where discarding it would fetch a reserve."""
    t = table(profile, step="draw", hand="5S 6S 7S", pile="9D", reserves=[POT, OTHER_POT])
    t = t.plays(take())
    assert t.refuses(meld("5S 6S 7S")) == "would-strand"
    held = table(profile, step="draw", hand="5S 6S 7S 9D", pile="9D").plays(take())
    held.plays(meld("5S 6S 7S"), discard("9D"))


@profiles(*ALL)
def test_a_reserve_of_one_card_that_may_not_be_discarded_strands_too(profile):
    """G0-5, G4-25: after the move and any reserve it fetches."""
    t = table(profile, hand="5S 6S 7S", melds=["5H 6H 7H"], reserves=["KC"])
    assert t.refuses(meld("5S 6S 7S")) == "would-strand"
    may_close = table(profile, hand="5S 6S 7S", melds=[CLEAN_SEVEN], reserves=["KC"])
    assert may_close.plays(meld("5S 6S 7S"), discard("KC")).deal.ended.seat == 0
    two = table(profile, hand="5S 6S 7S", melds=["5H 6H 7H"], reserves=["KC QC"])
    two.plays(meld("5S 6S 7S"), discard("KC"))


@profiles(*ALL)
def test_the_canasta_made_by_the_same_meld_counts(profile):
    """S0-44, S2-18, S3-45, S4-30: the check is made on what lies after the meld."""
    t = table(profile, hand="TH KC", melds=["4H 5H 6H 7H 8H 9H"], taken=TOOK)
    after = t.plays(meld(onto(0, "TH")), discard("KC"))
    assert after.deal.ended.seat == 0


@profiles(P3, P4)
def test_a_side_without_its_reserve_never_goes_out(profile):
    """S3-45, S3-46, S3-49, S3-61, S4-37, G3-9, G4-26: when none is left it keeps a card."""
    t = table(profile, hand="7C", melds=[CLEAN_SEVEN], reserves=0)
    assert t.refuses(discard("7C")) == "close-without-reserve"
    fewer = table(profile, hand="JH QH 7C", melds=[CLEAN_SEVEN], reserves=0)
    assert fewer.refuses(meld(onto(0, "JH QH"))) == "would-strand"
    fewer.plays(meld(onto(0, "JH")), discard("7C"))


# Going out


@profiles(*ALL)
def test_a_side_that_has_its_reserve_and_a_canasta_goes_out_by_a_discard(profile):
    """S0-6, S0-44, S0-56, S2-18, S3-45, S3-61, S4-5, S4-30, S4-37."""
    t = table(profile, hand="7C", melds=[CLEAN_SEVEN], taken=TOOK).plays(discard("7C"))
    assert t.happened == ["Discarded", "DealEnded"]
    assert (t.deal.ended.reason, t.deal.ended.seat) == ("closed", 0)
    assert t.deal.pile == ("7C",)
    assert t.refuses(draw(1)) == "deal-over"
    assert t.lines()["closing"] == 100
    assert "closing" not in t.lines(1)


@profiles(*ALL)
def test_six_cards_are_no_canasta_to_go_out_with(profile):
    """S0-7, S0-46, S2-2, S2-18, S3-28, S3-45, S4-14, S4-30."""
    t = table(profile, hand="7C", melds=["4H 5H 6H 7H 8H 9H"], taken=TOOK)
    assert t.refuses(discard("7C")) == "close-without-canasta"


@profiles(P0, P2)
def test_a_dirty_canasta_is_enough_in_the_italian_games(profile):
    """S0-46, S0-51, S2-18: wilds included; so is a set."""
    for canasta in (DIRTY_SEVEN, "9S 9H 9D 9C 9S 9H JK"):
        t = table(profile, hand="7C", melds=[canasta], taken=TOOK)
        assert t.plays(discard("7C")).deal.ended.reason == "closed"


@profiles(P3, P4)
def test_the_sequence_games_ask_for_a_clean_canasta(profile):
    """S3-45, S4-30, S4-37, G3-22: longer clean runs are clean canastas too."""
    t = table(profile, hand="7C", melds=[DIRTY_SEVEN, "5S 6S 7S"], taken=TOOK)
    assert t.refuses(discard("7C")) == "close-without-canasta"
    thirteen = " ".join(f"{rank}S" for rank in "A23456789TJQK")
    t = table(profile, hand="7C", melds=[{"cards": thirteen.split(), "at_once": 13}], taken=TOOK)
    assert t.plays(discard("7C")).deal.ended.reason == "closed"


@profiles(P0, P2, P3)
def test_melding_the_last_card_does_not_go_out(profile):
    """S0-55, S2-18, S3-45, S3-61."""
    t = table(profile, hand="JH", melds=[CLEAN_SEVEN], taken=TOOK)
    assert t.refuses(meld(onto(0, "JH"))) == "would-strand"


def test_in_the_closed_game_the_last_card_may_be_laid_or_discarded():
    """S4-3, S4-8, S4-37, S4-39, G4-3."""
    t = table(P4, hand="JH", melds=[CLEAN_SEVEN], taken=TOOK)
    laid = t.plays(meld(onto(0, "JH")))
    assert laid.happened == ["Melded", "DealEnded"]
    assert laid.deal.ended.seat == 0
    assert laid.lines()["closing"] == 100
    assert t.plays(discard("JH")).deal.ended.seat == 0


def test_in_the_closed_game_melding_out_without_a_clean_canasta_is_refused():
    """S4-30, G4-25."""
    t = table(P4, hand="JH", melds=[DIRTY_SEVEN], taken=TOOK)
    assert t.refuses(meld(onto(0, "JH"))) == "would-strand"


@profiles(P0, P2)
def test_the_last_discard_may_not_be_wild_in_the_italian_games(profile):
    """S0-55, S2-18: neither a two nor a joker."""
    for wild in ("2D", "JK"):
        t = table(profile, hand=wild, melds=[CLEAN_SEVEN], taken=TOOK)
        assert t.refuses(discard(wild)) == "close-wild-discard"


@profiles(P3, P4)
def test_the_last_discard_may_be_wild_in_the_sequence_games(profile):
    """G3-19, G4-4."""
    t = table(profile, hand="JK", melds=[CLEAN_SEVEN], taken=TOOK)
    assert t.plays(discard("JK")).deal.ended.reason == "closed"


@profiles(*ALL)
def test_either_partner_may_go_out_whoever_took_the_reserve(profile):
    """S0-6, S0-44, S0-54, S4-37: the second empty hand is counted by the side."""
    for seat in (0, 2):
        t = table(profile, turn=seat, hand="7C", melds=[CLEAN_SEVEN], taken=TOOK)
        assert t.plays(discard("7C", seat)).deal.ended.seat == seat


@profiles(*ALL)
def test_a_canasta_may_come_before_the_reserve_but_does_not_close_without_it(profile):
    """S0-45, S2-18, S3-45: the empty hand fetches the reserve, and the deal goes on."""
    t = table(profile, hand="TH 9C", melds=["4H 5H 6H 7H 8H 9H"], reserves=[POT, OTHER_POT])
    after = t.plays(meld(onto(0, "TH")), discard("9C"))
    assert after.deal.ended is None
    assert after.deal.taken[0]


@profiles(*ALL)
def test_a_player_may_take_the_reserve_and_go_out_in_one_turn(profile):
    """G0-7: direct, and on with it to the end."""
    t = table(profile, hand="5S 6S 7S", melds=[CLEAN_SEVEN], reserves=["TC JC QC KD"])
    after = t.plays(meld("5S 6S 7S"), meld("TC JC QC"), discard("KD"))
    assert after.deal.ended.seat == 0


@profiles(*ALL)
def test_only_the_player_who_goes_out_has_no_cards_against_him(profile):
    """S0-64, S2-18, S3-53, S4-11, S4-39, G2-4, G4-27: his partner's hand still counts."""
    t = table(profile, hand="7C", hands={2: "KC 5C", 1: "AC", 3: "9D"}, melds=[CLEAN_SEVEN],
              taken=TOOK).plays(discard("7C"))  # fmt: skip
    assert t.lines()["hand"] == -15
    assert t.lines(1)["hand"] == -25


def test_the_open_sequences_game_charges_a_flat_hundred_for_a_reserve_never_used():
    """S3-57, G3-11: if the rivals go out; not if the partner does."""
    waiting = [False, True, False, False]
    base = {"hand": "7C", "hands": {1: POT, 3: "9C"}, "waiting": waiting, "taken": (True, True)}
    rivals = table(P3, melds=[CLEAN_SEVEN], **base).plays(discard("7C"))
    assert rivals.lines(1) == {"reserve": -100, "hand": -10}
    partner = table(
        P3, turn=3, hand="9C", hands={1: POT}, melds=[CLEAN_SEVEN], waiting=waiting,
        taken=(True, True),
    ).plays(discard("9C", 3))  # fmt: skip
    # 3S 5S 6S 3C are 20, 8D 9D TC JC QC KD are 60, AC is 15.
    assert partner.lines(1)["hand"] == -95


@profiles(P0, P2, P4)
def test_elsewhere_a_reserve_never_used_counts_its_cards(profile):
    """S0-66, G0-31, G2-5, G4-6."""
    t = table(profile, hand="7C", hands={1: POT, 3: "9C"}, waiting=[False, True, False, False],
              taken=(True, True), melds=[CLEAN_SEVEN]).plays(discard("7C"))  # fmt: skip
    assert t.lines(1) == {"hand": -105}


# The end of the stock


def draws_and_discards(t, seat=0):
    drawn = t.deal.stock[-1]
    return t.plays(draw(seat), discard(drawn, seat))


def test_the_last_two_cards_of_the_stock_are_not_played():
    """G0-3: whoever draws the third from last finishes his turn, and the deal ends."""
    t = table(P0, step="draw", hand="KC QC", stock="5S 3S 7D 8S", pile="9D")
    t = draws_and_discards(t)
    assert t.deal.ended is None
    t = draws_and_discards(t, 1)
    assert (t.deal.ended.reason, t.deal.ended.seat) == ("exhausted", None)
    assert len(t.deal.stock) == 2
    assert "closing" not in t.lines()


def test_a_legal_closing_with_the_last_discard_is_a_closing():
    """G0-3, S0-59."""
    t = table(P0, hand="KC", melds=[CLEAN_SEVEN], stock="5S 3S", taken=TOOK)
    after = t.plays(discard("KC"))
    assert after.deal.ended.reason == "closed"
    assert after.lines()["closing"] == 100


def test_the_italian_game_plays_its_stock_to_the_last_card():
    """S2-19, G2-6."""
    t = table(P2, step="draw", hand="KC QC", stock="5S 3S", pile="9D")
    t = draws_and_discards(t)
    assert t.deal.ended is None
    assert draws_and_discards(t, 1).deal.ended.reason == "exhausted"


@profiles(P0, P2)
def test_nobody_goes_on_with_the_pile_once_the_stock_is_out(profile):
    """G0-3: taking the pile instead of drawing does not put the end off for ever."""
    t = table(profile, hand="KC QC", stock="5S 3S" if profile is P0 else "", pile="9D")
    assert t.plays(discard("KC")).deal.ended.reason == "exhausted"


@profiles(P0, P2)
def test_an_untouched_reserve_stays_where_it_is(profile):
    """G0-3, G0-4, G2-3: and if no side took one, none is charged."""
    t = table(profile, hand="KC QC", stock="", melds=["5H 6H 7H"]).plays(discard("KC"))
    assert len(t.deal.reserves) == 2
    assert "reserve" not in t.lines()
    took = table(profile, hand="KC QC", stock="", taken=(False, True)).plays(discard("KC"))
    assert took.lines()["reserve"] == -100


@profiles(P0, P2)
def test_the_last_discard_may_fetch_a_reserve_that_is_never_played(profile):
    """G0-3, S0-66, S2-19."""
    t = table(profile, hand="KC", hands={2: "9C"}, stock="", reserves=[POT, OTHER_POT])
    after = t.plays(discard("KC"))
    assert after.happened == ["Discarded", "ReserveTaken", "DealEnded"]
    assert after.lines()["hand"] == -105


@profiles(P3, P4)
def test_an_intact_reserve_becomes_the_stock(profile):
    """S3-47, S3-49, S4-38, G3-7, G3-8, G4-7: one at a time, and it was not taken."""
    t = table(profile, step="draw", hand="KC QC", stock="8S", pile="9H", reserves=[POT, OTHER_POT])
    t = draws_and_discards(t)
    assert t.happened[-1] == "ReserveBecameStock"
    assert t.deal.stock == tuple(POT.split())
    assert len(t.deal.reserves) == 1
    assert t.deal.taken == (False, False)
    # The other can still be claimed by a side that has none.
    claims = table(profile, turn=1, hand="KH", stock="8S", reserves=[OTHER_POT]).plays(
        discard("KH", 1)
    )
    assert claims.deal.taken == (False, True)
    # The second becomes the stock in its turn.
    last = table(profile, step="draw", hand="KH QH", stock="8H", reserves=[OTHER_POT])
    again = draws_and_discards(last)
    assert again.deal.stock == tuple(OTHER_POT.split())
    assert again.deal.reserves == ()


@profiles(P3, P4)
def test_who_draws_the_last_card_may_still_claim_the_reserve_in_that_turn(profile):
    """G3-7: it becomes stock at the change of turn, not before."""
    melding = table(profile, step="draw", hand="5H 6H", stock="7H", reserves=[POT])
    t = melding.plays(draw(), meld("5H 6H 7H"))
    assert t.deal.taken[0]
    assert t.plays(discard("KD")).deal.ended.reason == "exhausted"
    discarding = table(profile, hand="KC", stock="", reserves=[POT, OTHER_POT])
    t = discarding.plays(discard("KC"))
    assert t.happened == ["Discarded", "ReserveTaken", "ReserveBecameStock"]
    assert t.deal.stock == tuple(OTHER_POT.split())
    assert t.deal.waiting[0]


@profiles(P3, P4)
def test_without_stock_and_reserves_the_deal_ends_with_the_turn(profile):
    """S3-48, S4-38, G3-23: the pile does not prolong it."""
    t = table(profile, step="draw", hand="KC QC", stock="8S", pile="9H", reserves=0)
    after = draws_and_discards(t)
    assert (after.deal.ended.reason, after.deal.ended.seat) == ("exhausted", None)


@profiles(*ALL)
def test_an_empty_stock_cannot_be_drawn_from(profile):
    """S2-19, S3-48, S4-38, G0-3: in positions that play does not reach."""
    stock = "5S 3S" if profile is P0 else ""
    assert table(profile, step="draw", stock=stock).refuses(draw()) == "stock-empty"


def test_a_reserve_becomes_stock_above_the_cards_that_the_floor_keeps():
    """S3-47 with the floor of G0-3, as a house rule: no card is lost."""
    house = changed(P3, stock={"floor": 2})
    t = table(house, step="draw", hand="KC QC", stock="5H 3H 8S", reserves=[POT]).plays(draw())
    t = t.plays(discard("8S"))
    assert t.deal.stock == ("5H", "3H", *POT.split())


# Charges for a reserve not taken


@profiles(P0, P2, P3)
def test_a_reserve_not_taken_is_charged_only_if_the_other_side_took_one(profile):
    """S0-65, S3-56, S3-49, G0-4, G2-3, G3-10."""
    t = table(profile, hand="7C", melds=[CLEAN_SEVEN], taken=TOOK).plays(discard("7C"))
    assert t.lines(1)["reserve"] == -100
    none = table(profile, reserves=0)
    assert "reserve" not in none.lines()


def test_the_closed_game_charges_a_reserve_not_taken_even_if_no_side_took_one():
    """S4-12, G4-8."""
    t = table(P4, reserves=0)
    assert t.lines()["reserve"] == t.lines(1)["reserve"] == -100


@pytest.mark.parametrize("seats", [2, 4])
def test_a_deal_of_two_is_played_by_the_same_rules(seats):
    """S0-1, S4-1, G0-27, G0-28, G2-16, G3-24: each player is a side with a reserve of his own."""
    t = table(P0, seats=seats, hand="7C", melds=[CLEAN_SEVEN], taken=TOOK).plays(discard("7C"))
    assert t.deal.ended.seat == 0
    assert t.lines(1)["reserve"] == -100
