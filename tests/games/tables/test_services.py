"""Tables: opened, played, ended, each command one transaction of events and rows."""

import pytest
from django.db import connection

from games.eventstore import store
from games.rules.legal import legal_moves
from games.rules.moves import Draw
from games.rules.profile import load_profile
from games.tables import selectors, services
from games.tables.loading import load
from games.tables.models import Game, PlayedDeal
from games.tables.outcomes import Accepted, Refused, Stale, TableError

pytestmark = pytest.mark.django_db

FOUR = ["pcarla", "pelsa", "pdino", "palba"]


def opened(profile: str = "buraco-aberto", **extra: object) -> Game:
    return services.open_table(profile=load_profile(profile), holders=FOUR, by="palba", **extra)


def test_a_table_opens_with_its_first_deal_started() -> None:
    game = opened()
    folded = load(game.stream)
    assert folded.state.deal_number == 1
    assert game.status == Game.Status.PLAYING
    assert [event.type for event in store.read(game.stream)] == ["game_opened", "deal_started"]


def test_no_stored_event_tells_the_order_of_the_stock() -> None:
    game = opened()
    started = store.read(game.stream)[1]
    assert b"stock" not in started.data
    assert b"reserves" not in started.data


def test_a_move_is_accepted_and_read_back_from_the_store_alone() -> None:
    game = opened()
    folded = load(game.stream)
    turn = folded.state.deal.turn
    outcome = services.submit_move(stream=game.stream, move=Draw(turn), by=FOUR[turn], seq=2)
    assert isinstance(outcome, Accepted)
    assert outcome.seq == 3
    replayed = selectors.all_steps(game.stream)[-1].after
    assert replayed == outcome.folded.state


def test_a_stale_seq_is_answered_with_the_present_one() -> None:
    game = opened()
    turn = load(game.stream).state.deal.turn
    services.submit_move(stream=game.stream, move=Draw(turn), by=FOUR[turn], seq=2)
    assert services.submit_move(stream=game.stream, move=Draw(turn), by=FOUR[turn], seq=2) == Stale(
        3
    )


def test_the_same_command_twice_has_one_effect_and_the_same_answer() -> None:
    game = opened()
    turn = load(game.stream).state.deal.turn
    move = {"stream": game.stream, "move": Draw(turn), "by": FOUR[turn], "command_id": "c1"}
    first = services.submit_move(**move, seq=2)
    again = services.submit_move(**move, seq=2)
    assert (first.seq, again.seq) == (3, 3)
    assert again.repeated
    assert len(store.read(game.stream)) == 3


def test_a_refused_move_changes_nothing() -> None:
    game = opened()
    turn = load(game.stream).state.deal.turn
    other = (turn + 1) % 4
    outcome = services.submit_move(stream=game.stream, move=Draw(other), by=FOUR[other])
    assert isinstance(outcome, Refused)
    assert outcome.refusal.code == "not-your-turn"
    assert len(store.read(game.stream)) == 2


def play_to_the_end(game: Game) -> None:
    while not (folded := load(game.stream)).state.over:
        deal = folded.state.deal
        if deal.ended is not None:
            services.start_next_deal(stream=game.stream, by="palba")
            continue
        legal = legal_moves(deal, deal.turn)
        move = legal[0] if legal.draw else legal[len(legal) - 1]
        outcome = services.submit_move(stream=game.stream, move=move, by=FOUR[deal.turn])
        assert isinstance(outcome, Accepted)


def test_a_match_of_two_deals_is_scored_ended_and_its_seeds_revealed() -> None:
    game = opened(deals=2)
    play_to_the_end(game)
    game.refresh_from_db()
    assert game.status == Game.Status.OVER
    deals = list(PlayedDeal.objects.filter(game=game).order_by("number"))
    assert [deal.number for deal in deals] == [1, 2]
    assert deals[1].totals == game.totals
    types = [event.type for event in store.read(game.stream)]
    assert types[-3:] == ["game_ended", "seed_revealed", "seed_revealed"]
    with pytest.raises(TableError, match="over"):
        services.start_next_deal(stream=game.stream, by="palba")


def test_lists_of_tables_cost_the_same_however_many_there_are(
    django_assert_num_queries: object,
) -> None:
    opened()
    with connection.execute_wrapper(counting := Counting()):
        selectors.live_tables()
    few = counting.number
    for _ in range(5):
        opened()
    with connection.execute_wrapper(counting := Counting()):
        assert len(selectors.live_tables()) == 6
    assert counting.number == few


class Counting:
    def __init__(self) -> None:
        self.number = 0

    def __call__(self, execute, sql, params, many, context):
        self.number += 1
        return execute(sql, params, many, context)
