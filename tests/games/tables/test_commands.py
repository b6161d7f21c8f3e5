"""Each command at a table, its refusals, and the rows beside the stream equal to the fold."""

from datetime import timedelta

import pytest
from django.db import IntegrityError

from games.eventstore import store
from games.rules.moves import Draw
from games.rules.profile import load_profile
from games.tables import services
from games.tables.loading import load
from games.tables.models import Game, PlayedDeal
from games.tables.outcomes import Accepted, Stale, TableError
from games.tables.passes import seat_by_pass, seat_pass
from games.tables.selectors import all_steps
from tests.games.play import FOUR, moves, opened, play

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("holders", "code"),
    [
        (("pcarla", "pelsa", "pdino"), "seats-not-played"),
        (("pcarla", "pelsa", "pdino", ""), "no-such-holder"),
        (("pcarla", "pelsa", "pdino", "Furio"), "no-such-holder"),
        (("pcarla", "pelsa", "pdino", "p" + "x" * 20), "no-such-holder"),
        (("pcarla", "pelsa", "pdino", "pfurio\n"), "no-such-holder"),
        (("pcarla", "pelsa", "pdino", "bot:genius"), "no-such-holder"),
        (("pcarla", "pelsa", "pdino", "bot:"), "no-such-holder"),
        (("pcarla", "pelsa", "pdino", "bot:sensible:Furio"), "no-such-holder"),
        ((), "seats-not-played"),
    ],
)
def test_no_table_opens_for_seats_that_cannot_be_held(holders, code):
    with pytest.raises(TableError) as refused:
        services.open_table(profile=load_profile("buraco-aberto"), holders=holders, by="palba")
    assert refused.value.code == code
    assert not Game.objects.exists()


@pytest.mark.parametrize(
    "format_", [{"target": -1}, {"deals": -1}, {"target": 10**9}, {"target": 2000, "deals": 3}]
)
def test_no_table_opens_for_a_match_that_makes_no_sense(format_):
    with pytest.raises(TableError) as refused:
        opened(**format_)
    assert refused.value.code == "format-unsound"


def test_an_opening_that_fails_for_another_reason_is_not_taken_for_a_repeat():
    with pytest.raises(IntegrityError):
        opened(bot_pace=timedelta(seconds=-1), command_id="o1")


def test_the_same_opening_again_is_the_same_table():
    one = opened(command_id="o1")
    assert opened(command_id="o1") == one
    assert opened(command_id="o2") != one
    assert opened() != opened()


def test_a_move_where_no_table_is_names_it():
    with pytest.raises(TableError) as refused:
        services.submit_move(stream=10**9, move=Draw(0), by=FOUR[0])
    assert refused.value.code == "no-such-table"


def test_the_next_deal_waits_for_the_end_of_this_one():
    game = opened(deals=2)
    with pytest.raises(TableError) as refused:
        services.start_next_deal(stream=game.stream, by="palba")
    assert refused.value.code == "deal-not-over"


def test_a_match_of_so_many_deals_ends_after_them_with_rows_as_the_fold_says():
    game = opened("burraco-italiano", deals=2)
    play(game, seed=3)
    game.refresh_from_db()
    state = all_steps(game.stream)[-1].after
    assert (game.status, game.deal_number, game.winner) == ("over", 2, state.winner)
    assert tuple(game.totals) == state.totals
    assert game.ended_at is not None
    rows = list(PlayedDeal.objects.filter(game=game).order_by("number"))
    assert [row.number for row in rows] == [1, 2]
    stored = {event.seq: event for event in store.read(game.stream)}
    for row in rows:
        assert stored[row.first_seq].type == "deal_started"
        assert stored[row.last_seq].type == "deal_scored"
    last = [step for step in all_steps(game.stream) if step.stored.type == "deal_ended"][-1]
    assert (rows[1].reason, rows[1].went_out) == (last.event.reason, last.event.seat)
    assert [sheet["total"] for sheet in rows[1].sheets] == [sheet.total for sheet in state.sheets]


def test_a_match_to_a_target_ends_once_a_side_has_reached_it():
    game = opened(target=300)
    assert game.deals == 0
    play(game, seed=4)
    game.refresh_from_db()
    assert game.status == "over"
    assert max(game.totals) >= 300
    assert game.winner == game.totals.index(max(game.totals))


def test_a_single_deal_is_a_match_of_its_own():
    game = opened("buraco-clasico", target=0)
    play(game, seed=5)
    game.refresh_from_db()
    assert (game.status, game.deal_number) == ("over", 1)


def test_a_ruling_ends_the_match_and_the_broken_deal_does_not_count():
    game = opened()
    for _ in moves(game, most=5):
        pass
    outcome = services.end_match(stream=game.stream, by="palba", command_id="end")
    assert isinstance(outcome, Accepted)
    assert [event.type for event in store.read(game.stream)][-3:] == [
        "deal_ended", "game_ended", "seed_revealed",
    ]  # fmt: skip
    game.refresh_from_db()
    assert (game.status, game.totals, game.winner) == ("over", [0, 0], None)
    assert PlayedDeal.objects.get(game=game).reason == "ruling"
    again = services.end_match(stream=game.stream, by="palba", command_id="end")
    assert (again.repeated, again.seq) == (True, outcome.seq)
    with pytest.raises(TableError) as refused:
        services.end_match(stream=game.stream, by="palba")
    assert refused.value.code == "game-over"
    with pytest.raises(TableError):
        services.change_seat(stream=game.stream, seat=0, holder="pgina", by="palba", reason="")


def test_a_seat_changes_hands_and_the_old_pass_is_void():
    game = opened()
    old = seat_pass(public_id=game.public_id, seat=0, holder=FOUR[0])
    assert seat_by_pass(game.public_id, old).number == 0
    before = load(game.stream).state.deal
    services.change_seat(
        stream=game.stream, seat=0, holder="bot:sensible:pgina", by="palba", reason="away"
    )
    after = load(game.stream).state
    assert after.holders[0] == game.chairs.get(number=0).holder == "bot:sensible:pgina"
    assert after.deal == before, "play goes on as it stands"
    game.refresh_from_db()
    assert game.bots_due_at is not None, "its bot is looked after"
    with pytest.raises(TableError) as refused:
        seat_by_pass(game.public_id, old)
    assert refused.value.code == "pass-invalid"


@pytest.mark.parametrize(
    ("seat", "holder", "code"),
    [(4, "pgina", "no-such-seat"), (-1, "pgina", "no-such-seat"), (0, "pelsa", "already-seated"),
     (0, "Gina", "no-such-holder")],
)  # fmt: skip
def test_a_seat_goes_to_nobody_who_cannot_hold_it(seat, holder, code):
    game = opened()
    with pytest.raises(TableError) as refused:
        services.change_seat(stream=game.stream, seat=seat, holder=holder, by="palba", reason="")
    assert refused.value.code == code
    assert load(game.stream).head.seq == 2


def test_a_repeat_is_answered_as_the_first_time_however_far_the_table_has_gone():
    game = opened()
    turn = load(game.stream).state.deal.turn
    move = {"stream": game.stream, "move": Draw(turn), "by": FOUR[turn], "seq": 2}
    first = services.submit_move(**move, command_id="c")
    for _ in moves(game, most=4):
        pass
    head = load(game.stream).head.seq
    again = services.submit_move(**move, command_id="c")
    assert (again.seq, again.repeated) == (first.seq, True)
    assert services.submit_move(**move, command_id="d") == Stale(head)
    assert load(game.stream).head.seq == head
