"""The players: that all play by the rules, and what the sensible one has sense for."""

import random
import time

import pytest

from games.bots.players import PLAYERS
from games.bots.seat import Player, SeatView, seat_view
from games.bots.simulation import Simulation
from games.rules.legal import LegalMoves, legal_moves
from games.rules.moves import AnyMove, Discard, Draw, LayMelds, Take
from games.rules.profile import FOUNDING, load_profile
from tests.games.rules.tables import (
    CLEAN_SEVEN,
    P0,
    P3,
    P4,
    Table,
    discard,
    meld,
    onto,
    table,
    take,
)

KINDS = [(profile, seats) for profile in FOUNDING for seats in (4, 2)]
GREAT_MELDS = ("3S 4S 5S 6S 7S 8S 9S", "6D 7D 8D 9D TD JD QD", "6C 7C 8C 9C TC JC QC")


def sensible_move(at: Table) -> AnyMove:
    legal = legal_moves(at.deal, at.deal.turn)
    return PLAYERS["sensible"].choose(seat_view(at.deal, at.deal.turn), legal, random.Random(1))


@pytest.mark.parametrize("name", sorted(PLAYERS))
@pytest.mark.parametrize(("profile_id", "seats"), KINDS)
def test_every_player_plays_by_the_rules(profile_id: str, seats: int, name: str) -> None:
    for number in range(3):
        played = Simulation(
            load_profile(profile_id), [PLAYERS[name]] * seats, seed="legal", number=number, deals=3
        )
        for _ in played.facts():
            pass
        assert played.moves > 0
        assert played.refusals == 0
        assert played.game.over


def wins(profile_id: str, matches: int, seats: int = 4) -> int:
    """How many of these matches the sensible side wins against a random one, sides swapped."""
    won = 0
    for number in range(matches):
        side = number % 2
        players = [PLAYERS["sensible" if seat % 2 == side else "random"] for seat in range(seats)]
        played = Simulation(
            load_profile(profile_id), players, seed="a night", number=number, deals=200
        )
        for _ in played.facts():
            pass
        won += played.game.winner == side
    return won


@pytest.mark.parametrize("profile_id", FOUNDING)
def test_the_sensible_player_mostly_beats_the_random_one(profile_id: str) -> None:
    assert wins(profile_id, matches=10) >= 9


@pytest.mark.long
@pytest.mark.parametrize("profile_id", FOUNDING)
def test_the_sensible_player_beats_the_random_one_in_95_of_100_matches(profile_id: str) -> None:
    # A match of a single deal leaves more to chance: it takes more of them to tell.
    matches = 100 if load_profile(profile_id).target else 400
    assert wins(profile_id, matches) >= 0.95 * matches


class Timed:
    """A player on the clock."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.seconds = 0.0

    def choose(self, view: SeatView, legal: LegalMoves, luck: random.Random) -> AnyMove:
        began = time.process_time()
        move = self.player.choose(view, legal, luck)
        self.seconds += time.process_time() - began
        return move


@pytest.mark.long
@pytest.mark.parametrize("profile_id", FOUNDING)
def test_the_sensible_player_takes_less_than_400_microseconds_a_move(profile_id: str) -> None:
    timed = Timed(PLAYERS["sensible"])
    played = Simulation(load_profile(profile_id), [timed] * 4, seed="clock", number=0, deals=10)
    for _ in played.facts():
        pass
    assert timed.seconds / played.moves < 400e-6


@pytest.mark.parametrize("profile", [P0, P3])
def test_it_takes_a_pile_that_pays(profile) -> None:
    paying = table(profile, step="draw", hand="3D 4D KS 9C", pile="QC 5D 6D")
    assert sensible_move(paying) == Take(0)


@pytest.mark.parametrize("profile", [P0, P3])
def test_it_leaves_a_pile_of_which_nothing_can_be_laid(profile) -> None:
    useless = table(profile, step="draw", hand="3D 4D KS 9C", pile="7C JH")
    assert sensible_move(useless) == Draw(0)


@pytest.mark.parametrize(
    ("hand", "card"), [("JK JK", "JK"), ("2D", "JK"), ("KS", "JH"), ("3D 4D KS", "9C")]
)
def test_a_single_card_that_cannot_be_laid_does_not_go_round_the_table(
    hand: str, card: str
) -> None:
    at = table(
        P0, step="draw", hand=hand, pile=card, melds=["8H 9H TH"], taken=(True, True), reserves=0
    )
    assert sensible_move(at) == Draw(0)


def test_it_takes_the_single_card_with_which_it_goes_out() -> None:
    at = table(
        P0,
        step="draw",
        hand="KS",
        pile="JH",
        melds=[CLEAN_SEVEN],
        hands={2: "3D 4D"},
        taken=(True, True),
        reserves=0,
    )
    assert sensible_move(at) == Take(0)


@pytest.mark.long
@pytest.mark.parametrize(("profile_id", "seats"), KINDS)
def test_every_deal_of_sensible_players_ends(profile_id: str, seats: int) -> None:
    deals = 0
    while deals < 300:
        played = Simulation(
            load_profile(profile_id),
            [PLAYERS["sensible"]] * seats,
            seed="to the end",
            number=deals,
            deals=50,
        )
        for _ in played.facts():
            pass
        deals += played.game.deal_number


def test_it_takes_a_closed_pile_by_using_its_top() -> None:
    closed = table(P4, step="draw", hand="3D 4D KS 9C QH", pile="QC 8H 7S 5D")
    assert sensible_move(closed) == take("3D 4D 5D")


def test_it_keeps_from_the_rivals_the_card_that_they_need() -> None:
    at = table(P0, hand="8S 4S KD", rival_melds=["5S 6S 7S"])
    assert sensible_move(at) == discard("KD")


def test_it_discards_the_card_that_fits_nothing() -> None:
    at = table(P0, hand="5H 6H 8D 9D KC")
    assert sensible_move(at) == discard("KC")


def test_it_does_not_discard_a_wild_card_while_it_has_another() -> None:
    at = table(P0, hand="JK 2S 5H 6H", rival_melds=["7H 8H 9H"])
    move = sensible_move(at)
    assert not isinstance(move, Discard) or move.card in {"5H", "6H"}


def test_it_adds_to_a_meld_before_it_discards() -> None:
    at = table(P3, hand="7H KC 9D 4S", melds=["4H 5H 6H"])
    assert sensible_move(at) == meld(onto(0, "7H"))


def test_it_makes_the_clean_canasta_that_going_out_needs_and_leaves_the_joker_out() -> None:
    at = table(P3, hand="9H JK KC 4S 5D 9D", melds=["3H 4H 5H 6H 7H 8H"])
    assert sensible_move(at) == meld(onto(0, "9H"))


def test_it_does_not_dirty_a_clean_meld_that_is_nearly_a_canasta() -> None:
    at = table(P3, hand="JK KC 4S QD 8C 6S", melds=["3H 4H 5H 6H 7H 8H"])
    assert isinstance(sensible_move(at), Discard)


def test_it_empties_its_hand_for_the_reserve() -> None:
    """S0-42: by melding all, the reserve is played at once."""
    at = table(P0, hand="3D 4D 5D")
    assert sensible_move(at) == meld("3D 4D 5D")


def test_it_goes_out_when_its_side_is_ahead() -> None:
    at = table(P0, hand="JH KC", melds=[CLEAN_SEVEN], taken=(True, True), reserves=0)
    assert sensible_move(at) == meld(onto(0, "JH"))


def test_it_plays_on_while_its_side_is_behind() -> None:
    at = table(
        P0,
        hand="JH KC",
        hands={1: "3C 4C 5C JS QS KS", 3: "AC AC AS AS KD KD"},
        melds=[CLEAN_SEVEN],
        rival_melds=GREAT_MELDS,
        taken=(True, False),
        reserves=1,
    )
    assert isinstance(sensible_move(at), Discard)


def test_it_opens_with_what_the_minimum_asks() -> None:
    """S3-35: at 1500 points the first melds must be worth 75."""
    at = table(P3, hand="AH KH QH JH AC KC QC 4D 9S", totals=(1500, 0))
    move = sensible_move(at)
    assert isinstance(move, LayMelds)
    assert len(move.place) == 2
