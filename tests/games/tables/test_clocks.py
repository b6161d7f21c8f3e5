"""Whose time runs, and how much of it is left: over turns, banks, pauses, credits and bots."""

import random

import pytest

from games.rules import events as ev
from games.rules import match, proposals
from games.rules.match import MatchError, open_game
from games.rules.moves import Draw
from games.rules.profile import load_profile
from tests.games.play import FOUR, hasty
from tests.games.tables.timeline import SECOND, Timeline

MINUTE = 60_000


def timed(**extra) -> Timeline:
    return Timeline(move=30, bank=60, **extra)


def test_a_turn_within_its_time_leaves_the_bank_alone():
    line = timed()
    assert line.left(0) == 90_000
    line.turn_ends(29.9)
    assert line.clock.bank == (MINUTE,) * 4
    assert line.clock.seat == 1
    assert line.left(29.9) == 90_000


def test_what_a_turn_takes_longer_comes_out_of_the_seats_own_bank_for_good():
    line = timed()
    line.turn_ends(42)
    line.turn_ends(43)
    assert line.clock.bank == (48_000, MINUTE, MINUTE, MINUTE)
    for second in (44, 45):
        line.turn_ends(second)
    assert line.clock.seat == 0
    assert line.left(45) == 30_000 + 48_000


def test_all_moves_of_one_turn_share_its_time():
    line = timed()
    line.move(20, Draw(0))
    assert line.left(40) == 50_000
    line.turn_ends(40)
    assert line.clock.bank[0] == 50_000


def test_a_bank_never_falls_below_nothing():
    line = timed()
    line.turn_ends(1000)
    assert line.clock.bank[0] == 0
    for second in (1001, 1002, 1003):
        line.turn_ends(second)
    assert line.left(1003) == 30_000, "each turn has its own time all the same"
    assert line.left(1034) == -1000


def test_no_time_runs_in_a_pause():
    line = timed()
    line.happens(10, ev.GamePaused("ruling"))
    assert line.left(500) is None
    line.happens(1010, ev.GameResumed("ruling"))
    assert line.left(1010) == 80_000
    line.happens(1015, ev.GamePaused("ruling"))
    line.happens(1115, ev.GameResumed("ruling"))
    line.turn_ends(1140)
    assert line.clock.bank[0] == 50_000, "10 + 5 + 25 seconds"


def test_a_substitute_seated_in_a_pause_gets_a_turns_time_and_no_more():
    line = timed()
    line.happens(40, ev.GamePaused("ruling"))
    line.happens(500, ev.SeatChanged(0, "pgina", "substituted"))
    assert line.left(600) is None
    line.happens(700, ev.GameResumed("ruling"))
    assert line.clock.bank[0] == 50_000, "the one before has used it"
    assert line.left(700) == 80_000
    assert line.left(701) == 79_000


def test_time_given_back_counts_for_the_running_turn_only():
    line = timed()
    line.happens(50, ev.ClockCredited(45_000, "outage"))
    assert line.left(50) == 85_000
    line.turn_ends(60)
    assert line.clock.bank[0] == MINUTE
    assert line.left(60) == 90_000


def test_the_other_seats_change_nothing_for_the_one_to_play():
    line = timed()
    line.happens(20, ev.SeatChanged(2, "pgina", "substituted"))
    assert line.left(20) == 70_000


def test_a_meld_taken_back_gives_no_time_back():
    line = timed()
    luck = random.Random(3)
    second = 0
    while line.game.before_meld is None:
        line.move(second, hasty(line.game.deal, luck))
    seat, since = line.turn, line.clock.since
    line.happens(second + 20, *proposals.ask(line.game, seat, "undo"))
    answers = proposals.answer(line.game, (seat + 1) % 4, "undo", grant=True)
    line.happens(second + 25, *answers)
    assert line.clock.since == since
    assert line.left(second + 25) == 65_000


def test_a_bots_turn_costs_the_person_nothing_for_whom_it_plays():
    line = timed()
    line.happens(40, ev.SeatChanged(0, "bot:sensible:pcarla", "absent"))
    assert line.clock.bank[0] == 50_000
    assert line.left(40) is None, "no time runs for a bot"
    line.happens(400, ev.SeatChanged(0, "pcarla", "back"))
    assert line.clock.bank[0] == 50_000
    assert line.left(400) == 80_000
    line.happens(401, ev.SeatChanged(0, "bot:sensible:pcarla", "absent"))
    line.turn_ends(900)
    assert line.clock.bank[0] == 50_000


def test_between_deals_and_after_the_match_no_time_runs():
    line = timed()
    line.plays_out(5, random.Random(1))
    assert line.clock.seat is None
    assert line.left(1000) is None
    banks = line.clock.bank
    started = match.start_deal(
        line.game, tuple(line.game.profile.pack), match.next_dealer(line.game)
    )
    line.happens(2000, started)
    assert line.clock.bank == banks
    assert line.left(2000) == 30_000 + banks[line.turn]


def test_a_table_without_limits_has_no_deadline_ever():
    line = Timeline(move=0, bank=0)
    assert line.left(10**6) is None


def test_a_bank_without_a_turns_time_makes_no_clock():
    with pytest.raises(MatchError, match="bank"):
        open_game(load_profile("buraco-aberto"), 4, ev.MatchFormat(0, 1, 0, 60), FOUR, "00" * 32)


@pytest.mark.parametrize("seed", range(20))
def test_budgets_add_up_over_any_course_of_a_match(seed):
    """Beside it the same is counted second by second: who plays, and whether time runs."""
    luck = random.Random(seed)
    line = Timeline(move=30, bank=100, seats=luck.choice([2, 4]))
    seats = line.game.seats
    bank, second, used = [100_000] * seats, 0, 0
    paused, bot = False, [False] * seats

    def charge(seat):
        if not bot[seat]:
            bank[seat] = max(0, bank[seat] - max(0, used - 30_000))

    for _ in range(60):
        passed = luck.choice([0, 1, 5, 20, 40, 70])
        second += passed
        if not paused:
            used += passed * 1000
        seat = line.turn
        kind = luck.choice(["turn", "turn", "turn", "pause", "resume", "credit", "bot", "other"])
        if kind == "turn" and not paused:
            charge(seat)
            line.turn_ends(second)
            used = 0
            if line.game.between_deals:
                break
        elif kind == "pause" and not paused:
            line.happens(second, ev.GamePaused("ruling"))
            paused = True
        elif kind == "resume" and paused:
            line.happens(second, ev.GameResumed("ruling"))
            paused = False
        elif kind == "credit" and not paused and used >= 3000:
            line.happens(second, ev.ClockCredited(3000, "outage"))
            used -= 3000
        elif kind == "bot":
            charge(seat)
            used, bot[seat] = 0, not bot[seat]
            holder = f"bot:sensible:{FOUR[seat]}" if bot[seat] else FOUR[seat]
            line.happens(second, ev.SeatChanged(seat, holder, "absent"))
        elif kind == "other":
            other = (seat + 1) % seats
            holder = f"bot:sensible:{FOUR[other]}" if bot[other] else FOUR[other]
            line.happens(second, ev.SeatChanged(other, holder, "substituted"))
        assert line.clock.bank == tuple(bank)
        runs = not paused and not bot[line.turn]
        expected = 30_000 + bank[line.turn] - used if runs else None
        assert line.left(second) == expected, kind


def test_used_time_is_counted_in_whole_milliseconds_of_instants():
    line = timed()
    assert line.clock.left(SECOND // 2) == 89_500
