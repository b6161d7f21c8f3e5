"""What players agree on: taking a meld back while nothing new was seen, pausing, going on."""

import random

import pytest
from msgspec.structs import replace

from games.rules import events as ev
from games.rules import match
from games.rules.legal import legal_moves
from games.rules.match import Game, MatchError
from games.rules.moves import Discard, Draw, LayMelds, Take
from games.rules.profile import Pile, load_profile
from games.rules.proposals import answer, ask, may_undo
from games.rules.refusals import Refusal
from games.rules.shuffle import shuffled_pack
from games.rules.state import card_count, side_of
from games.rules.views import audiences, view
from tests.games.play import FOUR, hasty

PROFILES = ["buraco-aberto", "buraco-fechado-stbl", "burraco-italiano"]


def begun(profile_id: str = "buraco-aberto", seats: int = 4, seed: int = 0) -> Game:
    profile = load_profile(profile_id)
    format_ = ev.MatchFormat(deals=2)
    game = match.opened(match.open_game(profile, seats, format_, FOUR[:seats], "00" * 32))
    pack = shuffled_pack(bytes([seed]) * 64, profile.pack)
    return match.evolve(game, match.start_deal(game, pack, dealer=0))


def after(game: Game, events) -> Game:
    for event in events:
        game = match.evolve(game, event)
    return game


def moved(game: Game, move) -> Game:
    decided = match.decide(game, move)
    assert not isinstance(decided, Refusal), decided
    return after(game, decided)


def course(profile_id: str, seats: int, seed: int):
    """A deal played: each move with the game before it, what it led to, and the game after."""
    game, luck = begun(profile_id, seats, seed), random.Random(seed)
    while game.deal.ended is None:
        move = hasty(game.deal, luck)
        decided = match.decide(game, move)
        assert not isinstance(decided, Refusal)
        later = after(game, decided)
        yield game, move, decided, later
        game = later


def agreed(game: Game, seat: int, what) -> Game:
    opponent = (seat + 1) % game.seats
    game = after(game, ask(game, seat, what))
    return after(game, answer(game, opponent, what, grant=True))


def first_meld(profile_id: str = "buraco-aberto") -> tuple[Game, Game]:
    """The games before and after a meld that may be taken back."""
    for before, move, _, later in course(profile_id, 4, 1):
        if isinstance(move, LayMelds) and may_undo(later, move.seat):
            return before, later
    raise AssertionError("nothing was melded in that deal")


@pytest.mark.parametrize("profile_id", PROFILES)
@pytest.mark.parametrize("seats", [2, 4])
def test_a_meld_can_be_taken_back_until_anything_new_is_seen_and_then_all_is_as_before(
    profile_id, seats
):
    undone = 0
    for seed in range(3):
        for before, move, decided, later in course(profile_id, seats, seed):
            seat = move.seat
            only_melds = [type(event) for event in decided] == [ev.Melded]
            # A card drawn, a reserve fetched, a discard, a closed pile taken: all of it is news.
            assert may_undo(later, seat) == only_melds
            for other in range(seats):
                assert other == seat or not may_undo(later, other)
            if only_melds:
                again = agreed(later, seat, "undo")
                assert again == settled(before)
                assert card_count(again.deal) == card_count(before.deal)
                for audience in audiences(seats):
                    shown, was = view(again, audience), view(before, audience)
                    assert shown | {"may_undo": 0} == was | {"may_undo": 0}
                with pytest.raises(MatchError) as refused:
                    ask(again, seat, "undo")
                assert refused.value.code == "too-late-to-undo"
                undone += 1
            else:
                with pytest.raises(MatchError):
                    ask(later, seat, "undo")
    assert undone > 10


def settled(game: Game) -> Game:
    return replace(game, before_meld=None, meld_is_final=False, asked=None)


def test_the_meld_that_took_a_closed_pile_stays():
    seen = 0
    for seed in range(6):
        for _, move, _, later in course("buraco-fechado-stbl", 4, seed):
            if isinstance(move, Take):
                assert later.profile.turn.pile is Pile.CLOSED
                assert not may_undo(later, move.seat)
                seen += 1
    assert seen > 3


def test_a_meld_that_fetched_the_reserve_stays():
    seen = 0
    for seed in range(8):
        for _, move, decided, later in course("burraco-italiano", 4, seed):
            if isinstance(move, LayMelds) and isinstance(decided[-1], ev.ReserveTaken):
                assert not may_undo(later, move.seat)
                seen += 1
    assert seen


def test_an_undo_names_every_meld_as_it_was():
    before, later = first_meld()
    seat = later.deal.turn
    game = after(later, ask(later, seat, "undo"))
    [answered, undone] = answer(game, (seat + 1) % 4, "undo", grant=True)
    assert answered == ev.Answered((seat + 1) % 4, "undo", True)
    side = side_of(seat)
    was = [meld.cards for meld in before.deal.melds[side]]
    for laid in undone.placements:
        assert laid.layout == (was[laid.meld] if laid.meld < len(was) else ())
        assert laid.cards


def test_what_is_refused_stays_as_it_is():
    _, later = first_meld()
    seat = later.deal.turn
    game = after(later, ask(later, seat, "undo"))
    denied = after(game, answer(game, (seat + 3) % 4, "undo", grant=False))
    assert denied == later
    assert may_undo(denied, seat), "he may ask once more"


@pytest.mark.parametrize("offset", [0, 2])
def test_neither_the_asker_nor_his_partner_answers(offset):
    _, later = first_meld()
    seat = later.deal.turn
    game = after(later, ask(later, seat, "undo"))
    with pytest.raises(MatchError) as refused:
        answer(game, (seat + offset) % 4, "undo", grant=True)
    assert refused.value.code == "not-an-opponent"


def test_one_proposal_at_a_time():
    game = begun()
    game = after(game, ask(game, 0, "pause"))
    for seat in range(4):
        with pytest.raises(MatchError) as refused:
            ask(game, seat, "pause")
        assert refused.value.code == "already-asked"


def test_an_answer_to_another_question_is_none():
    game = begun()
    with pytest.raises(MatchError, match="no such proposal"):
        answer(game, 1, "pause", grant=True)
    game = after(game, ask(game, 0, "pause"))
    with pytest.raises(MatchError, match="no such proposal"):
        answer(game, 1, "undo", grant=True)


def test_a_proposal_lapses_with_the_next_move():
    game = begun()
    turn = game.deal.turn
    asked = after(game, ask(game, (turn + 1) % 4, "pause"))
    later = moved(asked, Draw(turn))
    assert later.asked is None
    with pytest.raises(MatchError, match="no such proposal"):
        answer(later, turn, "pause", grant=True)


def test_taking_back_lapses_with_the_discard():
    _, later = first_meld()
    seat = later.deal.turn
    game = after(later, ask(later, seat, "undo"))
    game = moved(game, Discard(seat, legal_moves(game.deal, seat).discards[0]))
    assert game.asked is None
    assert not may_undo(game, seat)


def test_in_a_pause_nothing_moves_but_the_way_out():
    game = agreed(begun(), 0, "pause")
    turn = game.deal.turn
    for move in (Draw(turn), Discard(turn, "4H")):
        with pytest.raises(MatchError) as refused:
            match.decide(game, move)
        assert refused.value.code == "game-paused"
    with pytest.raises(MatchError, match="paused"):
        ask(game, 1, "pause")
    on = agreed(game, 3, "resume")
    assert not on.paused
    moved(on, Draw(turn))


def test_no_meld_is_taken_back_in_a_pause_but_after_it():
    _, later = first_meld()
    seat = later.deal.turn
    paused = agreed(later, seat, "pause")
    assert not may_undo(paused, seat)
    resumed = agreed(paused, seat, "resume")
    assert may_undo(resumed, seat), "nothing new was seen meanwhile"


def test_no_deal_starts_in_a_pause():
    for *_, game in course("buraco-aberto", 4, 2):
        last = game
    game = agreed(last, 0, "pause")
    with pytest.raises(MatchError) as refused:
        match.start_deal(game, game.profile.pack, match.next_dealer(game))
    assert refused.value.code == "game-paused"


def test_nothing_is_asked_once_the_match_is_over():
    game = begun()
    game = after(game, ask(game, 0, "pause"))
    over = after(game, [ev.DealEnded("ruling", None), ev.GameEnded("ruling", None)])
    assert over.asked is None
    with pytest.raises(MatchError, match="over"):
        ask(over, 0, "pause")


@pytest.mark.parametrize("seat", [-1, 4, 99])
def test_a_seat_that_is_not_there_asks_nothing(seat):
    with pytest.raises(MatchError, match="no seat"):
        ask(begun(), seat, "pause")
