"""Dealing a pack, and a match of several deals: dealers, targets, ties, formats."""

from collections import Counter

import pytest
from msgspec.structs import replace

from games.rules import events as ev
from games.rules.cards import PACK, in_order
from games.rules.dealing import begin, deal_pack, sealed
from games.rules.engine import decide as decide_deal
from games.rules.legal import legal_moves
from games.rules.match import (
    MatchError,
    close_deal,
    decide,
    evolve,
    next_dealer,
    open_game,
    opened,
    start_deal,
)
from games.rules.moves import Draw, LayMelds
from games.rules.profile import load_profile
from games.rules.shuffle import shuffled_pack
from games.rules.state import Ended, card_count, side_of
from tests.games.rules.tables import (
    ALL,
    CLEAN_SEVEN,
    P0,
    P2,
    P3,
    P4,
    discard,
    meld,
    onto,
    table,
    take,
)
from tests.games.rules.test_turns import profiles

# Number i of this pack can be told by its place: what is dealt where.
SHUFFLED = tuple(PACK[index * 5 % 108] for index in range(108))


def dealt(profile, seats=4, dealer=3):
    return deal_pack(profile, seats, SHUFFLED, deal=1, dealer=dealer, totals=(0, 0))


@profiles(*ALL)
def test_eleven_cards_each_are_dealt_one_at_a_time_from_the_dealers_left(profile):
    """S0-2, S0-12, S2-5, S3-3, S3-8, S3-13, S4-24."""
    started = dealt(profile, dealer=1)
    assert started.starter == 2
    assert [len(hand) for hand in started.hands] == [11] * 4
    assert Counter(started.hands[2]) == Counter(SHUFFLED[0:44:4])
    assert Counter(started.hands[1]) == Counter(SHUFFLED[3:44:4])


@profiles(*ALL)
def test_two_reserves_of_eleven_come_from_the_bottom_one_card_at_a_time(profile):
    """S0-5, S0-11, S2-6, S3-7, S4-24."""
    started = dealt(profile)
    bottom_up = SHUFFLED[::-1]
    assert Counter(started.reserves[0]) == Counter(bottom_up[0:22:2])
    assert Counter(started.reserves[1]) == Counter(bottom_up[1:22:2])


@pytest.mark.parametrize(
    ("profile", "seats", "stock", "pile"),
    [
        *((P0, 4, 41, 1), (P0, 2, 63, 1), (P2, 4, 41, 1), (P2, 2, 63, 1)),
        *((P3, 4, 42, 0), (P3, 2, 64, 0), (P4, 4, 42, 0), (P4, 2, 64, 0)),
    ],
)
def test_the_rest_is_the_stock(profile, seats, stock, pile):
    """S0-13, S0-14, S2-6, S3-9, S4-25, S4-26, G0-2, G3-24: its top card turned up, or none."""
    started = dealt(profile, seats, dealer=seats - 1)
    assert len(started.stock) == stock
    assert len(started.pile) == pile
    dealt_cards = SHUFFLED[11 * seats : 11 * seats + pile]
    assert started.pile == dealt_cards
    deal = begin(profile, seats, started)
    assert card_count(deal) == 108
    (drawn,) = decide_deal(deal, Draw(0))
    assert drawn.card == SHUFFLED[11 * seats + pile]


def test_the_order_of_stock_and_reserves_is_left_out_of_the_sealed_start():
    """S3-11, S4-25, G4-30."""
    hidden = sealed(dealt(P3))
    assert hidden.stock is None
    assert hidden.reserves is None
    with pytest.raises(ValueError, match="sealed"):
        begin(P3, 4, hidden)


def test_partners_sit_opposite_each_other():
    """S0-1, S0-8, S3-1, S4-1, S4-27."""
    assert [side_of(seat) for seat in range(4)] == [0, 1, 0, 1]
    assert [side_of(seat) for seat in range(2)] == [0, 1]


@profiles(*ALL)
def test_each_variant_is_for_four_and_for_two(profile):
    """S0-1, S2-1, S2-23, S3-1, S4-1, G2-16: three and five seats are not offered."""
    assert set(profile.seats) == {4, 2}
    with pytest.raises(MatchError, match="3 seats"):
        open_game(profile, 3, ev.MatchFormat(), ("Carla", "Dino", "Elsa"), "c0")


# A match


def match(profile, totals=(0, 0), *, seats=4, **format_):
    """A match in its first deal, with these points before it."""
    holders = tuple(["Carla", "Dino", "Elsa", "Furio"][:seats])
    game = opened(open_game(profile, seats, ev.MatchFormat(**format_), holders, "c0"))
    game = replace(game, totals=totals)
    return evolve(game, start_deal(game, SHUFFLED, seats - 1))


def after_deal(game, ended_table, *moves):
    """The match after its deal has been replaced by this table and played to its end."""
    game = replace(game, deal=replace(ended_table.deal, totals=game.totals))
    for move in moves:
        for event in decide(game, move):
            game = evolve(game, event)
    return game


def closing(profile=P3, *, rival_hand="3D"):
    """A table that side 0 ends with 45 + 200 + 100 points less nothing; the rivals lose cards."""
    return table(
        profile,
        hand="7C",
        hands={1: rival_hand, 2: "", 3: ""},
        melds=["3H 4H 5H 6H 7H 8H 9H"],
        taken=(True, True),
        reserves=0,
        dealer=3,
    )


def test_the_deal_passes_to_the_left():
    """G0-24, G4-22, S3-6: the first dealer is drawn outside; the next follows from him."""
    game = match(P3, target=3000)
    assert next_dealer(game) == 0
    fresh = opened(open_game(P3, 4, ev.MatchFormat(target=3000), tuple("abcd"), "c0"))
    with pytest.raises(MatchError, match="drawn"):
        next_dealer(fresh)


def test_a_deal_is_scored_and_the_match_goes_on_below_the_target():
    """S0-68, S2-22, S3-50, S3-38."""
    game = after_deal(match(P3, (100, 50), target=3000), closing(), discard("7C"))
    assert game.totals == (100 + 345, 50 - 5)
    assert not game.over
    assert game.between_deals
    following = evolve(game, start_deal(game, SHUFFLED, next_dealer(game)))
    assert following.deal_number == 2
    assert following.deal.totals == (445, 45)
    assert following.sheets is None


@pytest.mark.parametrize(
    ("before", "after", "winner"),
    [
        ((2654, 0), (2999, -5), None),
        ((2655, 0), (3000, -5), 0),
        ((2660, 3100), (3005, 3095), 1),  # both over: the higher total, S3-51
        ((2755, 3105), (3100, 3100), None),  # a tie: another deal
        ((0, 3005), (345, 3000), 1),
    ],
)
def test_the_match_ends_at_the_target_for_the_higher_total(before, after, winner):
    """S0-68, S2-22, S3-5, S3-50, S3-51, G0-25, G2-14."""
    game = after_deal(match(P3, before, target=3000), closing(), discard("7C"))
    assert game.totals == after
    assert game.over is (winner is not None)
    assert game.winner == winner


def test_a_single_deal_is_won_by_the_higher_points():
    """S4-6, G4-1: not by who finished first."""
    game = after_deal(match(P4), closing(P4), discard("7C"))
    assert game.over
    assert game.winner == 0


def test_who_goes_out_need_not_win():
    """S3-51, S4-6."""
    rich = table(
        P4,
        hand="7C",
        hands={1: "3D", 2: "JK JK JK JK", 3: ""},
        melds=["3H 4H 5H 6H 7H 8H 9H"],
        rival_melds=["3S 4S 5S 6S 7S 8S 9S", "5C 6C 7C 8C 9C TC JC"],
        taken=(True, True),
        reserves=0,
    )
    game = after_deal(match(P4), rich, discard("7C"))
    # 45 + 200 + 100 - 200 against 45 + 200 + 55 + 200 - 5.
    assert game.totals == (145, 495)
    assert game.winner == 1


def test_a_tied_single_deal_has_no_winner():
    """G4-1."""
    even = table(P4, hand="7C", hands={1: "8C", 2: "", 3: ""}, reserves=0)
    deal = replace(even.deal, hands=(even.deal.hands[0],) * 2 + (0, 0))
    scored, ended = close_deal(match(P4), replace(deal, ended=Ended("exhausted", None)))
    assert scored.totals == (-105, -105)
    assert ended == ev.GameEnded("deals", None)


def test_a_fixed_number_of_deals_ends_with_the_last_of_them():
    """S2-22 (match format): the target does not matter then."""
    game = after_deal(match(P0, deals=2), closing(P0), discard("7C"))
    assert not game.over
    game = evolve(game, start_deal(game, SHUFFLED, next_dealer(game)))
    game = after_deal(game, closing(P0), discard("7C"))
    assert game.over
    assert game.winner == 0
    assert game.totals == (690, -10)


def test_the_rivals_total_may_be_negative():
    """S0-69, S3-58."""
    game = after_deal(match(P0, target=2005), closing(P0, rival_hand="JK"), discard("7C"))
    assert game.totals == (345, -30)


def test_nothing_is_started_out_of_its_time():
    game = match(P3, target=3000)
    with pytest.raises(MatchError, match="still being played"):
        start_deal(game, SHUFFLED, 0)
    over = after_deal(match(P4), closing(P4), discard("7C"))
    with pytest.raises(MatchError, match="over"):
        start_deal(over, SHUFFLED, 0)
    fresh = opened(open_game(P3, 4, ev.MatchFormat(), tuple("abcd"), "c0"))
    with pytest.raises(MatchError, match="no deal"):
        decide(fresh, Draw(0))


@pytest.mark.parametrize(
    ("format_", "holders"),
    [
        (ev.MatchFormat(target=3000, deals=2), "abcd"),
        (ev.MatchFormat(target=-5), "abcd"),
        (ev.MatchFormat(deals=-1), "abcd"),
        (ev.MatchFormat(), "abc"),
        (ev.MatchFormat(), ("a", "b", "c", "")),
    ],
)
def test_a_match_that_makes_no_sense_is_not_opened(format_, holders):
    with pytest.raises(MatchError):
        open_game(P3, 4, format_, tuple(holders), "c0")


# The opening minimum


def vulnerable(hand, total=1500, **rest):
    return table(P3, hand=hand, totals=[total, 0], **rest)


def test_a_vulnerable_side_opens_with_seventy_five_at_once():
    """S3-35, S3-36, G3-3: several sequences add up, bonuses do not count."""
    t = vulnerable("QS KS AS 8D 9D TD JD 4C 3C")
    assert t.refuses(meld("QS KS AS")) == "opening-too-low"
    assert t.refuses(meld("QS KS AS", "8D 9D TD")) == "opening-too-low"  # 35 + 30
    assert t.plays(meld("QS KS AS", "8D 9D TD JD")).melds() == ["QS KS AS", "8D 9D TD JD"]
    canasta = vulnerable("3H 4H 5H 6H 7H 8H 9H KC QC")
    assert canasta.refuses(meld("3H 4H 5H 6H 7H 8H 9H")) == "opening-too-low"  # 45, and no 200


def test_wilds_count_their_own_value_in_the_opening():
    """S3-35, G3-3: Q-K-joker 40 and A-2-3 30 are 70; with the four 75."""
    t = vulnerable("QS KS JK AD 2D 3D 4D 9C 8C")
    assert t.refuses(meld("QS KS JK", "AD 2D 3D")) == "opening-too-low"
    t.plays(meld("QS KS JK", "AD 2D 3D 4D"))


def test_the_total_before_the_deal_decides():
    """S3-35, S3-37, S3-38, G3-5: 1500 is vulnerable, 1499 is not."""
    assert vulnerable("QS KS AS 4C 3C").refuses(meld("QS KS AS")) == "opening-too-low"
    vulnerable("QS KS AS 4C 3C", total=1499).plays(meld("QS KS AS"))
    rivals = table(P3, hand="QS KS AS 4C 3C", totals=[0, 2000])
    rivals.plays(meld("QS KS AS"))


def test_once_open_both_partners_extend_and_open_freely():
    """S3-39."""
    t = table(P3, turn=2, hand="KS 3D 4D 5D 9C 8C", melds=["TS JS QS"], totals=[1500, 0])
    t.plays(meld(onto(0, "KS"), seat=2), meld("3D 4D 5D", seat=2))


def test_an_opening_move_may_extend_what_it_has_just_opened():
    """S3-36, G3-3: all cards of the move count together."""
    t = vulnerable("9S TS JS QS KS AS 8S 4C 3C")
    t.plays(meld("9S TS JS", onto(0, "QS KS AS 8S")))  # 75


def test_an_opening_of_enough_may_fetch_the_reserve():
    """G3-6: the reserve's own cards never count."""
    enough = vulnerable("QS KS AS 8D 9D TD JD").plays(meld("QS KS AS", "8D 9D TD JD"))
    assert enough.deal.taken[0]
    assert vulnerable("QS KS AS").refuses(meld("QS KS AS")) == "opening-too-low"


@pytest.mark.parametrize(
    "hand",
    [
        "5S 5S TS 4H 5H 6H 8H TH 3D 4D 5D 8D 9D TD QD KD 7C 7C 9C QC JK",
        "2S 3S 5S 7S 9S TS JS QS KS 5H 7H 7H TH 9D JD AC 7C 9C",
        "3S 4S 5S 3H 4H 5H 3D 4D 5D 3C 4C 5C 6S 7S 6H 7H KC QD",
    ],
)
def test_an_opening_is_offered_where_there_is_one(hand):
    """S3-35, S3-36: also where the dearest melds get in one another's way."""
    t = vulnerable(hand)
    moves = legal_moves(t.deal, 0)
    assert not moves.melds
    assert moves.combined
    for placements in moves.combined:
        t.plays(LayMelds(0, placements))


def test_cards_of_a_pile_just_taken_count_for_the_opening():
    """G3-4, S3-17."""
    t = vulnerable("QS KS 8D 9D TD 4C 3C", step="draw", pile="AS JD").plays(take())
    t.plays(meld("QS KS AS", "8D 9D TD JD"))


@profiles(P0, P2, P4)
def test_elsewhere_there_is_no_minimum(profile):
    """S0-23, G4-2."""
    table(profile, hand="3D 4D 5D 9C 8C", totals=[2000, 0]).plays(meld("3D 4D 5D"))


def test_special_runs_of_the_closed_game_count_if_laid_at_once():
    """S4-17, S4-18, G4-9, G4-10, G4-11."""
    run = " ".join(f"{rank}S" for rank in "A23456789TJQK")
    t = table(P4, hand=f"{run} AS JK KD QC", stock="3C")
    assert t.plays(meld(run)).lines()["run13"] == 500
    assert t.plays(meld(f"{run} AS")).lines()["run14"] == 1000
    stepwise = t.plays(meld(run[:-3]), meld(onto(0, "KS")))
    assert stepwise.lines()["clean"] == 200
    grown = t.plays(meld(run), meld(onto(0, "AS")))
    assert grown.lines()["run13"] == 500
    assert "run14" not in grown.lines()
    soiled = t.plays(meld(run), meld(onto(0, "JK")))
    assert soiled.lines()["dirty"] == 100
    assert "run13" not in soiled.lines()


def test_the_open_sequences_game_looks_at_the_final_state_only():
    """S3-54, G3-12, G3-13."""
    run = " ".join(f"{rank}S" for rank in "23456789TJQK")
    t = table(P3, hand=f"{run} AS AS KD QC", stock="3C")
    assert (
        t.plays(meld(run), meld(onto(0, "AS", wild=None, layout=f"{run} AS"))).lines()["run13"]
        == 500
    )
    assert t.plays(meld(run), meld(onto(0, "AS AS"))).lines()["run14"] == 1000


def test_the_sheet_of_a_deal_is_that_of_the_seat_that_went_out():
    """S0-59, S2-18, S3-55, S4-8."""
    t = table(P2, hand="7C", melds=[CLEAN_SEVEN], taken=(True, False)).plays(discard("7C"))
    assert t.lines()["closing"] == 100


def test_a_reserve_keeps_the_order_in_which_it_was_cut() -> None:
    """S0-11, S3-47: what becomes the stock must not be drawn in an order that anyone can know."""
    profile = load_profile("buraco-aberto")
    shuffled = shuffled_pack(bytes(range(64)), profile.pack)
    started = deal_pack(profile, 4, shuffled, deal=1, dealer=0, totals=(0, 0))
    assert started.reserves == (shuffled[:-23:-2], shuffled[-2:-23:-2])
    assert started.reserves[0] != in_order(started.reserves[0])
