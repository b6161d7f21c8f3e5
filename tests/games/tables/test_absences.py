"""Clocks that run out, players who are away, parts of the system that are: who is stood in for.

Time is put on by hand; a browser's sign of life is its lease in Valkey.
"""

import pytest
from django.utils import timezone

from games.eventstore import store
from games.eventstore.chain import instant_now
from games.rules.legal import legal_moves
from games.rules.moves import Discard, Draw
from games.rules.record import FORMAT
from games.rules.verification import verify_record
from games.tables import agreements, presence, selectors, services
from games.tables.absences import ABSENT_SECONDS, beat, sweep_absences
from games.tables.bots import play_one_due
from games.tables.loading import load
from games.tables.models import Game, Pulse
from games.tables.outcomes import Accepted, Refused, Stale, TableError
from tests.games.play import moves, opened
from tests.games.tables.timeline import Clockwork, at_once


@pytest.fixture
def clockwork(monkeypatch) -> Clockwork:
    return Clockwork(monkeypatch)


class Hall:
    """One table, with everything around it as it should be: all four browsers are there."""

    def __init__(self, clockwork: Clockwork, **how) -> None:
        self.clockwork = clockwork
        self.valkey = presence._client()
        self.valkey.set(presence.SINCE_KEY, clockwork.time() - 3600)
        beat()
        sweep_absences()
        self.game = opened(**how)
        self.stream = self.game.stream
        self.here = {0, 1, 2, 3}
        self.lives(0)

    @property
    def turn(self) -> int:
        return load(self.stream).state.deal.turn

    @property
    def holder(self) -> str:
        return load(self.stream).state.holders[self.turn]

    def lives(self, seconds: float, *, web=True, sweep=True, step=3.0) -> None:
        """The system goes on for a while, second by second; a part may be away."""
        until = self.clockwork.ahead + seconds
        while True:
            left = until - self.clockwork.ahead
            self.clockwork.passes(min(step, max(left, 0)))
            if web:
                beat()
                for seat in self.here:
                    key = presence.seat_key(self.stream, seat)
                    self.valkey.set(key, self.clockwork.time())
            if sweep:
                sweep_absences()
            if left <= step:
                return

    def rests(self, seconds: float) -> None:
        """The same as `lives` for a long time, without looking at every second of it."""
        self.clockwork.passes(seconds)
        Pulse.objects.update(at=timezone.now())
        self.lives(1)

    def types(self) -> list[str]:
        return [event.type for event in store.read(self.stream)]

    def left(self) -> float:
        return load(self.stream).clock.left(instant_now()) / 1000

    def draws(self) -> None:
        seat = self.turn
        by = load(self.stream).state.holders[seat]
        outcome = services.submit_move(stream=self.stream, move=Draw(seat), by=by)
        assert isinstance(outcome, Accepted)


@pytest.fixture
def hall(clockwork, db):
    return lambda **how: Hall(clockwork, **how)


def test_who_uses_up_the_time_of_a_turn_is_stood_in_for_by_a_bot(hall):
    here = hall(move_seconds=10, bank_seconds=20)
    person = here.holder
    here.lives(28)
    assert here.holder == person
    here.lives(4)
    assert here.holder == f"bot:sensible:{person}"
    assert here.types()[-2:] == ["clock_expired", "seat_changed"]
    row = Game.objects.get(pk=here.stream)
    assert row.bots_due_at is not None, "and the bot is told to play"
    assert row.chairs.get(number=here.turn).holder == here.holder


def test_who_is_silent_in_the_own_turn_is_stood_in_for_and_nobody_else(hall):
    here = hall()
    turn = here.turn
    here.here = {(turn + 1) % 4}  # the others may come and go: it is not their turn
    here.lives(ABSENT_SECONDS - 2)
    assert here.types() == ["game_opened", "deal_started"]
    here.lives(4)
    state = load(here.stream).state
    assert [holder.startswith("bot:") for holder in state.holders] == [
        seat == turn for seat in range(4)
    ]


def test_who_closes_the_phone_and_is_back_within_the_grace_keeps_the_seat(hall):
    here = hall()
    turn = here.turn
    here.here.discard(turn)
    here.lives(ABSENT_SECONDS - 5)
    here.here.add(turn)
    here.lives(2)
    here.here.discard(turn)
    here.lives(ABSENT_SECONDS - 5)
    assert here.types() == ["game_opened", "deal_started"], "silence is counted from the last sign"
    here.lives(8)
    assert here.types()[-1] == "seat_changed"


def test_whoever_thinks_long_without_a_clock_is_left_in_peace(hall):
    here = hall()
    here.rests(20 * 60)
    assert here.types() == ["game_opened", "deal_started"]


def test_the_person_is_back_at_once_and_plays(hall):
    here = hall(move_seconds=10)
    person, turn = here.holder, here.turn
    here.lives(13)
    back = agreements.take_back_seat(stream=here.stream, seat=turn, person=person)
    assert isinstance(back, Accepted)
    assert here.holder == person
    assert here.left() > 9, "with a turn's time"
    here.draws()
    here.lives(5)
    assert here.holder == person


@pytest.mark.parametrize("other", ["pgina", "pelsa", "bot:random", ""])
def test_nobody_else_takes_that_seat_back(hall, other):
    here = hall(move_seconds=10)
    turn = here.turn
    here.lives(13)
    if other and here.holder.endswith(other):
        other = "pdino"  # whoever sits there is not somebody else
    assert here.holder != f"bot:sensible:{other}"
    with pytest.raises(TableError, match="no bot plays"):
        agreements.take_back_seat(stream=here.stream, seat=turn, person=other)
    with pytest.raises(TableError, match="no bot plays"):
        agreements.take_back_seat(stream=here.stream, seat=(turn + 1) % 4, person="pcarla")


def test_coming_back_again_and_again_does_not_stretch_a_turn_for_ever(hall):
    here = hall(move_seconds=10)
    person, turn = here.holder, here.turn
    for _ in range(2):
        here.lives(13)
        assert here.holder.startswith("bot:")
        if here.types().count("clock_expired") == 1:
            agreements.take_back_seat(stream=here.stream, seat=turn, person=person)
    with pytest.raises(TableError) as refused:
        agreements.take_back_seat(stream=here.stream, seat=turn, person=person)
    assert refused.value.code == "turn-is-the-bots"
    while here.turn == turn:
        Game.objects.filter(pk=here.stream).update(bots_due_at=timezone.now())
        assert play_one_due()
    back = agreements.take_back_seat(stream=here.stream, seat=turn, person=person)
    assert isinstance(back, Accepted)


# --- parts of the system that are away -----------------------------------------------------------


@pytest.mark.parametrize("away", ["web", "both"])
def test_an_outage_costs_the_player_no_time(hall, away):
    here = hall(move_seconds=30, bank_seconds=20)
    here.lives(10)
    person, before = here.holder, here.left()
    here.lives(600, web=False, sweep=away == "web", step=5)
    assert here.holder == person, "nobody could have moved"
    beat()  # whoever serves again does this first
    assert before - 2 < here.left() < before + 3
    here.lives(10)
    assert here.holder == person
    assert "clock_expired" not in here.types()
    assert here.types().count("clock_credited") == 1


def test_who_moves_right_after_an_outage_has_the_lost_time_back_already(hall):
    here = hall(move_seconds=30, bank_seconds=20)
    seat = here.turn
    here.lives(10)
    here.lives(300, web=False, sweep=False, step=5)
    beat()
    here.draws()
    deal = load(here.stream).state.deal
    card = legal_moves(deal, seat).discards[0]
    services.submit_move(stream=here.stream, move=Discard(seat, card), by="p1")
    assert load(here.stream).clock.bank[seat] == 20_000


def test_a_worker_that_is_away_costs_nobody_time_and_takes_no_seat_when_it_is_back(hall):
    here = hall()
    here.here.discard(here.turn)
    here.lives(10)
    here.lives(300, sweep=False, step=30)
    here.lives(ABSENT_SECONDS - 3)
    assert here.types() == ["game_opened", "deal_started"], "not right after a restart"
    here.lives(6)
    assert here.types()[-1] == "seat_changed", "but in due time"


@pytest.mark.parametrize("parts", [{"web": False}, {"web": False, "sweep": False}])
def test_no_takeover_right_after_a_restart(hall, parts):
    here = hall()
    here.lives(10)
    here.lives(120, **parts, step=30)
    here.here = set()  # the browsers need a while to find back
    here.lives(ABSENT_SECONDS - 3)
    assert here.types() == ["game_opened", "deal_started"]
    here.lives(6)
    assert here.types()[-1] == "seat_changed"


def test_a_gap_as_short_as_a_hiccup_takes_no_seat(hall):
    """Deadlines are judged by the last sign of life, not by the moment of the sweep."""
    here = hall(move_seconds=30)
    here.lives(28)
    for _ in range(3):
        here.clockwork.passes(1)
        sweep_absences()
    assert here.types() == ["game_opened", "deal_started"], "web gave no sign since second 28"


def test_a_turn_that_began_in_an_outage_is_given_no_more_than_it_has_lasted(hall):
    here = hall(move_seconds=30)
    here.lives(5)
    here.lives(100, web=False, step=5)
    services.end_match(stream=here.stream, by="palba")
    other = opened(move_seconds=30)
    here.clockwork.passes(20)
    beat()
    [credited] = [e for e in selectors.all_steps(other.stream) if e.stored.type == "clock_credited"]
    assert 19_900 < credited.event.ms < 21_000


def test_where_valkey_has_forgotten_everyone_was_here_until_just_now(hall):
    here = hall()
    here.rests(100)
    for seat in range(4):
        here.valkey.delete(presence.seat_key(here.stream, seat))
    here.valkey.delete(presence.SINCE_KEY)
    sweep_absences()
    here.here = set()
    here.valkey.set(presence.SINCE_KEY, here.clockwork.time())
    here.lives(ABSENT_SECONDS - 3)
    assert here.types() == ["game_opened", "deal_started"]
    here.lives(6)
    assert here.types()[-1] == "seat_changed"


def test_before_the_first_sign_of_life_nothing_is_due(clockwork, db):
    Pulse.objects.all().delete()
    game = opened(move_seconds=1)
    clockwork.passes(1000)
    assert sweep_absences() == 0
    assert load(game.stream).head.seq == 2


# --- pauses --------------------------------------------------------------------------------------


def test_a_pause_that_nobody_ends_ends_by_itself_and_no_seat_is_taken_meanwhile(hall):
    here = hall(move_seconds=10)
    here.lives(5)
    agreements.pause_match(stream=here.stream, by="palba")
    here.here = set()
    here.rests(19 * 60)
    assert here.types()[2:] == ["game_paused"]
    here.rests(2 * 60)
    resumed = selectors.all_steps(here.stream)[3]
    assert (resumed.stored.type, resumed.event.reason) == ("game_resumed", "timeout")


def test_a_pause_goes_on_over_an_outage(hall):
    here = hall(move_seconds=10)
    agreements.pause_match(stream=here.stream, by="palba")
    here.lives(3600, web=False, sweep=False, step=60)
    here.lives(60)
    assert load(here.stream).state.paused, "players find it as they left it"


def test_a_pause_between_deals_ends_by_itself_where_a_bot_would_go_on(hall):
    here = hall(holders=("pcarla", "bot:random", "pdino", "bot:random"), deals=3)
    for outcome in moves(here.game):
        if outcome.folded.state.between_deals:
            break
    agreements.pause_match(stream=here.stream, by="palba")
    with pytest.raises(TableError, match="paused"):
        services.start_next_deal(stream=here.stream, by="pcarla")
    here.rests(21 * 60)
    assert not load(here.stream).state.paused


def test_while_paused_nobody_moves(hall):
    here = hall()
    seat, by = here.turn, here.holder
    agreements.pause_match(stream=here.stream, by="palba")
    with pytest.raises(TableError, match="paused"):
        services.submit_move(stream=here.stream, move=Draw(seat), by=by)
    with pytest.raises(TableError, match="paused"):
        agreements.pause_match(stream=here.stream, by="palba")
    agreements.resume_match(stream=here.stream, by="palba")
    here.draws()


def test_a_match_that_is_ended_in_a_pause_is_over_and_its_record_verifies(hall):
    here = hall(move_seconds=10, deals=1)
    here.lives(13)
    agreements.pause_match(stream=here.stream, by="palba")
    services.end_match(stream=here.stream, by="palba")
    state = load(here.stream).state
    assert state.over
    assert not state.paused
    lines = [line + b"\n" for line in selectors.export_record(here.game.public_id)]
    assert FORMAT.encode() in lines[0]
    assert verify_record(lines) is None


# --- substitution --------------------------------------------------------------------------------


def test_a_director_seats_a_substitute_or_a_bot(hall):
    here = hall()
    change = {"stream": here.stream, "by": "palba", "reason": "substituted"}
    services.change_seat(seat=0, holder="pgina", **change)
    services.change_seat(seat=1, holder="bot:sensible", **change)
    assert load(here.stream).state.holders[:2] == ("pgina", "bot:sensible")
    with pytest.raises(TableError, match="no bot plays"):
        agreements.take_back_seat(stream=here.stream, seat=1, person="pelsa")


@pytest.mark.parametrize("holder", ["pdino", "bot:sensible:pdino", "pcarla"])
def test_nobody_sits_at_a_table_twice_not_even_through_a_bot(hall, holder):
    here = hall()
    change = {"stream": here.stream, "by": "palba", "reason": "substituted"}
    services.change_seat(seat=2, holder="bot:random:pdino", **change)
    with pytest.raises(TableError) as refused:
        services.change_seat(seat=0, holder=holder, **change)
    assert refused.value.code == "already-seated"


# --- at once, with real threads ------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_two_sweeps_at_once_take_a_seat_once(clockwork):
    here = Hall(clockwork, move_seconds=5)
    here.lives(3, sweep=False)
    here.lives(3, sweep=False)
    done = at_once(sweep_absences, sweep_absences, sweep_absences)
    assert sum(done) == 1
    assert here.types()[2:] == ["clock_expired", "seat_changed"]


@pytest.mark.django_db(transaction=True)
def test_two_that_serve_again_at_once_give_the_lost_time_back_once(clockwork):
    here = Hall(clockwork, move_seconds=60)
    here.clockwork.passes(40)
    at_once(beat, beat, beat)
    assert here.types()[2:] == ["clock_credited"]


@pytest.mark.django_db(transaction=True)
def test_a_bots_move_and_the_returning_persons_never_both_count(clockwork):
    """Of each pair that starts at once one is first; the other is told so, or comes after it."""
    here = Hall(clockwork)
    stood_in = 0
    for _ in range(12):
        if (folded := load(here.stream)).state.over or folded.state.between_deals:
            break
        seat, person = here.turn, here.holder
        if person.startswith("bot:"):
            person = person.rpartition(":")[2]
        else:
            bot = f"bot:sensible:{person}"
            services.change_seat(
                stream=here.stream, seat=seat, holder=bot, by="clock", reason="absent"
            )
        Game.objects.filter(pk=here.stream).update(bots_due_at=timezone.now())
        head = load(here.stream).head.seq
        step = load(here.stream).state.deal.step

        def comes_back(seat=seat, person=person):
            return agreements.take_back_seat(stream=here.stream, seat=seat, person=person)

        def draws(seat=seat, person=person, head=head):
            # As his browser would, had he been told that the seat is his again.
            return services.submit_move(
                stream=here.stream, move=Draw(seat), by=person, seq=head + 1
            )

        back, moved, _ = at_once(comes_back, draws, play_one_due)
        assert isinstance(back, Accepted), back
        assert isinstance(moved, Accepted | Refused | Stale | TableError)
        new = store.read(here.stream, head)
        changed = next(event.seq for event in new if event.type == "seat_changed")
        for event in new:
            assert event.by == (f"bot:sensible:{person}" if event.seq < changed else person)
        draws = [event for event in new if event.type == "card_drawn"]
        assert len(draws) <= 1, "one turn, one card"
        stood_in += len(new) > 1
        if step.value == "draw" and not draws:
            continue
        play_turn(here, seat)
    assert stood_in


def play_turn(here: Hall, seat: int) -> None:
    while (deal := load(here.stream).state.deal).turn == seat and not deal.ended:
        legal = legal_moves(deal, seat)
        move = Draw(seat) if legal.draw else Discard(seat, legal.discards[0])
        services.submit_move(stream=here.stream, move=move, by=here.holder)
