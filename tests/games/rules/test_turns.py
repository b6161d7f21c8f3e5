"""A turn: who plays, drawing, the open and the closed pile, the first turn, the discard."""

import pytest

from games.rules.moves import MalformedMoveError, parse_move
from tests.games.rules.tables import (
    ALL,
    CLEAN_SEVEN,
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


def profiles(*chosen):
    return pytest.mark.parametrize("profile", chosen, ids=[p.id for p in chosen])


# Whose turn


@profiles(*ALL)
@pytest.mark.parametrize("seats", [4, 2])
def test_the_turn_passes_clockwise(profile, seats):
    """S2-7, S3-3, S4-28, G0-24: after seat 0 comes seat 1, and after the last seat comes seat 0."""
    t = table(profile, seats=seats, pile="QD", step="draw", hand="3D 4D")
    for seat in (*range(seats), 0):
        assert t.deal.turn == seat
        drawn = t.deal.stock[-1]
        t = t.plays(draw(seat), discard(drawn, seat))


@profiles(*ALL)
def test_a_turn_is_one_draw_then_melds_then_one_discard(profile):
    """S0-16, S0-37, S2-8, S2-9, S2-10, S3-15, S3-19, S4-28."""
    hand = "5S 6S 7S 9D KC"
    before = table(profile, step="draw", hand=hand, pile="QD")
    assert before.refuses(meld("5S 6S 7S")) == "wrong-step"
    assert before.refuses(discard("KC")) == "wrong-step"
    drawn = before.plays(draw())
    assert drawn.refuses(draw()) == "wrong-step"
    assert drawn.refuses(take()) == "wrong-step"
    after = drawn.plays(meld("5S 6S 7S"), discard("KC"))
    assert after.deal.turn == 1
    assert after.deal.pile == ("QD", "KC")
    assert after.refuses(discard("9D")) == "not-your-turn"


@profiles(*ALL)
def test_melding_is_never_a_duty(profile):
    """S0-16, S2-9, S3-15, S4-28: a player with a sequence in hand may just discard."""
    after = table(profile, hand="5S 6S 7S 9D").plays(discard("9D"))
    assert after.melds() == []


def test_the_starter_of_the_closed_game_draws_from_the_stock_melds_and_discards():
    """S4-26, G4-23: there is no pile yet, and the card drawn may be the one discarded."""
    t = table(P4, step="draw", hand="5S 6S 7S 9D KC", first_turn=True)
    assert t.refuses(take("5S 6S 7S")) == "pile-empty"
    drawn = t.deal.stock[-1]
    after = t.plays(draw(), meld("5S 6S 7S"), discard(drawn))
    assert after.deal.turn == 1
    assert not after.deal.first_turn


def test_there_is_no_auction_and_no_other_move():
    """S3-40: what a player may do is draw, reject, take, meld and discard."""
    with pytest.raises(MalformedMoveError, match="bid"):
        parse_move({"seat": 0, "move": "bid", "points": 75}, seats=4, open_pile=True)


# The open pile


@profiles(P0, P2, P3)
def test_the_open_pile_is_taken_whole_or_not_at_all(profile):
    """S0-15, S2-8, S3-15, S3-17, G0-29: and none of it need be used."""
    before = table(profile, step="draw", hand="4C KC", pile="QD 2S 8D")
    after = before.plays(take())
    assert after.hand() == "2S 8D QD 4C KC"
    assert after.deal.pile == ()
    assert len(after.deal.stock) == len(before.deal.stock)
    after.plays(discard("8D"))


@profiles(P0, P2, P3)
def test_a_wild_in_the_pile_freezes_nothing(profile):
    """S3-17, G0-23: a wild on top may be taken like any card, and kept or discarded."""
    t = table(profile, step="draw", hand="4C KC", pile="5C JK")
    t.plays(take(), discard("JK"))
    t.plays(take(), discard("4C"))


def test_a_first_upcard_that_is_wild_stays_and_may_be_taken():
    """S0-14, G0-23."""
    t = table(P0, step="draw", hand="4C KC", pile="2D", first_turn=True)
    assert t.plays(take()).hand() == "2D 4C KC"


@profiles(P0, P2)
def test_the_card_of_a_one_card_pile_is_not_discarded_in_that_turn(profile):
    """S0-38, G2-8: any other card may be."""
    t = table(profile, step="draw", hand="4C KC", pile="8D").plays(take())
    assert t.refuses(discard("8D")) == "discard-same-single"
    t.plays(discard("KC"))


@profiles(P0, P2)
def test_whoever_held_an_equal_card_shows_it_and_may_discard(profile):
    """S0-39: equal means rank and suit."""
    t = table(profile, step="draw", hand="8D 8S KC", pile="8D").plays(take())
    after = t.plays(discard("8D"))
    assert after.events[-1].shown == "8D"
    other = table(profile, step="draw", hand="8S KC", pile="8D").plays(take())
    assert other.refuses(discard("8D")) == "discard-same-single"
    assert other.plays(discard("8S")).events[-1].shown is None


def test_jokers_are_equal_cards():
    """G0-22: the test is made on the hand before the pile was taken."""
    with_one = table(P0, step="draw", hand="JK KC", pile="JK").plays(take())
    assert with_one.plays(discard("JK")).events[-1].shown == "JK"
    with_a_two = table(P0, step="draw", hand="2D KC", pile="JK").plays(take())
    assert with_a_two.refuses(discard("JK")) == "discard-same-single"


def test_the_open_sequences_game_bans_the_very_card_and_asks_for_no_showing():
    """S3-18, G3-20: a second copy held before may go, and need not be shown."""
    t = table(P3, step="draw", hand="8S KC", pile="8S").plays(take())
    assert t.plays(discard("8S")).events[-1].shown is None
    alone = table(P3, step="draw", hand="KC QC", pile="8S").plays(take())
    assert alone.refuses(discard("8S")) == "discard-same-single"


@profiles(P0, P2, P3)
def test_a_pile_of_two_cards_may_be_given_back(profile):
    """S0-38, S3-18: the ban is for a pile of one card."""
    t = table(profile, step="draw", hand="4C KC", pile="8D 8S").plays(take())
    t.plays(discard("8D"))
    t.plays(discard("8S"))


@profiles(P0, P2, P3)
def test_the_ban_ends_with_the_turn(profile):
    """S0-38, S3-18: in the next turn the card is like any other."""
    t = table(profile, seats=2, step="draw", hand="4C KC", hands={1: "5C QC"}, pile="8D")
    back = t.plays(take(), discard("KC"), draw(1), discard("5C", 1), draw())
    back.plays(discard("8D"))


@profiles(P0, P2, P3)
def test_the_ban_ends_when_the_card_has_been_melded(profile):
    """S0-38, S3-18: a card of that name that comes with the reserve is another card."""
    reserve = "8D 3C 4C 5C 9H TC JC QC KH AC 9D"
    t = table(profile, step="draw", hand="6D 7D", pile="8D", reserves=[reserve])
    t.plays(take(), meld("6D 7D 8D"), discard("8D"))


def test_one_copy_melded_leaves_the_other_free_if_it_was_held_before():
    """S0-39: of two equal cards, one of which was held, one is laid and one may go."""
    t = table(P0, step="draw", hand="8D 6D 7D KC QC", pile="8D").plays(take(), meld("6D 7D 8D"))
    assert t.plays(discard("8D")).events[-1].shown == "8D"


def test_an_empty_pile_cannot_be_taken():
    """S3-9, G3-21: the discard pile of the open sequences game starts empty."""
    assert table(P3, step="draw", first_turn=True).refuses(take()) == "pile-empty"
    assert table(P0, step="draw").refuses(take()) == "pile-empty"


# The closed pile


def test_the_closed_pile_is_taken_by_using_its_top_card_at_once():
    """S4-31, S4-33, S4-34: all or nothing; the rest comes to the hand after the use."""
    t = table(P4, step="draw", hand="9H TH 4C KC", pile="3C 4D JH")
    assert t.refuses(take()) == "pile-needs-use"
    assert t.refuses(take("9H TH KC")) == "pile-needs-use"
    after = t.plays(take("9H TH JH"))
    assert after.melds() == ["9H TH JH"]
    assert after.hand() == "4D 3C 4C KC"
    assert after.deal.pile == ()
    assert after.happened == ["PileTaken", "Melded"]
    assert after.refuses(draw()) == "wrong-step"


def test_the_other_cards_come_from_the_hand_held_before():
    """S4-34, G4-12: cards deeper in the pile do not help."""
    t = table(P4, step="draw", hand="9H 4C KC", pile="TH JH")
    assert t.refuses(take("9H TH JH")) == "not-in-hand"
    second_copy = table(P4, step="draw", hand="9H TH KC 4C", pile="TH JH")
    assert second_copy.plays(take("9H TH JH")).hand() == "TH 4C KC"


def test_the_top_card_may_extend_a_meld_of_the_own_side():
    """G4-12, G4-13: also where a wild of that meld moves for it."""
    t = table(P4, step="draw", hand="9D 4C", melds=["5H 6H 7H"], pile="3D 8H")
    assert t.plays(take(onto(0, "8H"))).melds() == ["5H 6H 7H 8H"]
    moved = table(P4, step="draw", hand="9S 4C KD", melds=["7S 8S 2D TS JS"], pile="3D QS")
    assert moved.plays(take(onto(0, "9S QS"))).melds() == ["2D 7S 8S 9S TS JS QS"]


def test_a_wild_on_top_must_open_a_new_sequence():
    """S4-35: never onto a meld."""
    t = table(P4, step="draw", hand="5S 6S 9D KC", melds=["5H 6H 7H"], pile="JK")
    assert t.refuses(take(onto(0, "JK"))) == "pile-wild-needs-new"
    assert t.plays(take("5S 6S JK")).melds() == ["5H 6H 7H", "JK 5S 6S"]


def test_a_two_on_top_may_be_the_natural_two_of_a_new_sequence():
    """G4-14, S4-35."""
    t = table(P4, step="draw", hand="AS 3S 9D KC", melds=["3S 4S 5S"], pile="2S")
    assert t.plays(take("AS 2S 3S")).melds() == ["3S 4S 5S", "AS 2S 3S"]
    assert t.refuses(take(onto(0, "2S"))) == "pile-wild-needs-new"


def test_a_hand_is_empty_only_once_the_rest_of_the_pile_has_come():
    """G4-15: using two hand cards and the top leaves the rest of the pile; a pile of one card
    leaves nothing and fetches the dead pile directly."""
    rest = table(P4, step="draw", hand="9H TH", pile="3C 4D JH").plays(take("9H TH JH"))
    assert rest.hand() == "4D 3C"
    assert rest.deal.taken == (False, False)
    single = table(P4, step="draw", hand="9H TH", pile="JH").plays(take("9H TH JH"))
    assert single.happened == ["PileTaken", "Melded", "ReserveTaken"]
    assert single.deal.taken == (True, False)
    assert not single.deal.waiting[0]


def test_taking_a_pile_that_leaves_a_card_without_a_way_out_is_refused():
    """G4-25: two cards used, the other card of the pile is left and may not close."""
    t = table(P4, step="draw", hand="9H TH", pile="3C JH", taken=(True, False))
    assert t.refuses(take("9H TH JH")) == "would-strand"
    assert t.deal.pile == ("3C", "JH")
    with_canasta = table(
        P4, step="draw", hand="9S TS", pile="3C JS", melds=[CLEAN_SEVEN], taken=(True, False)
    )
    closed = with_canasta.plays(take("9S TS JS"), discard("3C"))
    assert closed.deal.ended.reason == "closed"


def test_the_single_card_of_a_closed_pile_is_never_banned():
    """G4-24: it has been melded; an equal card of the hand may go."""
    t = table(P4, step="draw", hand="9H TH JH KC", pile="JH").plays(take("9H TH JH"))
    t.plays(discard("JH"))


def test_taking_a_pile_may_close_the_deal_by_melding():
    """G4-3, S4-8."""
    t = table(P4, step="draw", hand="9S TS", pile="JS", melds=[CLEAN_SEVEN], taken=(True, False))
    after = t.plays(take("9S TS JS"))
    assert after.happened == ["PileTaken", "Melded", "DealEnded"]
    assert after.deal.ended.seat == 0


# The first turn


def first(**rest):
    return table(P3, step="draw", hand="KC 9C 4D", stock="5S 3S 7D 8S", first_turn=True, **rest)


def test_the_starter_may_reject_the_first_card_and_draw_a_second():
    """S3-14, G3-1: the rejected card lies face up, the later discard lies on it."""
    t = first().plays(draw(), reject())
    assert t.deal.pile == ("8S",)
    assert t.hand() == "4D 7D 9C KC"
    assert t.refuses(reject()) == "cannot-reject"
    after = t.plays(discard("7D"))
    assert after.deal.pile == ("8S", "7D")
    assert after.deal.turn == 1


def test_the_kept_card_may_be_discarded():
    """G3-2, S3-14."""
    after = first().plays(draw(), discard("8S"))
    assert after.deal.pile == ("8S",)


@pytest.mark.parametrize(
    "moves",
    [[draw(), meld("5S 6S 7S")], [draw(), reject()], [draw(), meld("5S 6S 7S"), meld("KH QH JH")]],
)
def test_a_meld_or_a_rejection_ends_the_choice(moves):
    """S3-14, G3-1: decide right after seeing the first card."""
    t = table(P3, step="draw", hand="5S 6S 7S KH QH JH 4D 9C", first_turn=True).plays(*moves)
    assert not t.deal.first_turn
    assert t.refuses(reject()) == "cannot-reject"


def test_no_one_else_and_no_later_turn_has_the_choice():
    """S3-14: the starter of the deal, in the first turn only."""
    after = first().plays(draw(), discard("8S"), draw(1))
    assert after.deal.first_turn is False
    assert after.refuses(reject(1)) == "cannot-reject"


@profiles(P0, P2, P4)
def test_other_variants_have_no_rejection(profile):
    """S0-15, S2-8, S4-26: the first draw ends the first turn's standing."""
    t = table(profile, step="draw", pile="", first_turn=True).plays(draw())
    assert not t.deal.first_turn
    assert t.refuses(reject()) == "cannot-reject"


def test_with_one_card_of_stock_nothing_can_be_rejected():
    """S3-14: a second card has to be there."""
    t = table(P3, step="draw", hand="KC 9C", stock="8S", first_turn=True).plays(draw())
    assert t.refuses(reject()) == "stock-empty"


def test_the_rejected_card_makes_a_pile_of_one_for_the_next_player_only_without_a_discard():
    """G3-1, S3-18: after the discard the pile has two cards, so neither is banned."""
    t = first(hands={1: "QC 5D"}).plays(draw(), reject(), discard("7D"), take(seat=1))
    t.plays(discard("8S", 1))
    t.plays(discard("7D", 1))


# House rules


def test_a_free_one_card_pile_is_a_house_rule():
    """G3-20: a knob, not a variant's name."""
    house = changed(P3, turn={"one_card_pile": "free"})
    table(house, step="draw", hand="4C KC", pile="8D").plays(take(), discard("8D"))
