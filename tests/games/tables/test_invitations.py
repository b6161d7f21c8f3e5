"""Invitations: seats fill one by one, who asks first has the seat, the last one starts the game."""

import threading
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from games.eventstore import store
from games.rules.profile import load_profile
from games.tables import invitations, seats
from games.tables.loading import load
from games.tables.models import Game, Invitation
from games.tables.outcomes import TableError
from games.tables.services import change_seat

CARLA, DINO, ELSA, FURIO = "pcarla", "pdino", "pelsa", "pfurio"
pytestmark = pytest.mark.django_db


def invited(**extra: object) -> Invitation:
    options = {"profile": load_profile("burraco-italiano"), "seats": 4, "host": CARLA} | extra
    return invitations.invite(**options)


def sit(invitation: Invitation, seat: int, person: str) -> Invitation:
    return invitations.sit_down(public_id=invitation.public_id, seat=seat, person=person)


def refusal(command, **arguments: object) -> str:
    with pytest.raises(TableError) as refused:
        command(**arguments)
    return refused.value.code


def test_who_invites_sits_on_the_first_seat_and_no_game_is_open_yet() -> None:
    assert invited().holders == [CARLA, None, None, None]
    assert not Game.objects.exists()


def test_the_last_seat_taken_starts_the_game_that_was_offered() -> None:
    offered = invited(seats=2, deals=3, move_seconds=30, bank_seconds=120, delay_seconds=60, club=7)
    started = sit(offered, 1, DINO)
    assert started.status == Invitation.Status.STARTED
    game = started.game
    assert (game.deals, game.target, game.delay_seconds, game.club) == (3, 0, 60, 7)
    state = load(game.stream).state
    assert state.holders == (CARLA, DINO)
    assert (state.format.move_seconds, state.format.bank_seconds) == (30, 120)
    assert state.profile.id == "burraco-italiano"


def test_without_a_choice_the_match_goes_to_the_target_of_the_rules() -> None:
    assert invited().target == 2005


def test_a_taken_seat_stays_with_who_was_first() -> None:
    invitation = invited()
    sit(invitation, 1, DINO)
    code = refusal(invitations.sit_down, public_id=invitation.public_id, seat=1, person=ELSA)
    assert code == "seat-taken"
    invitation.refresh_from_db()
    assert invitation.holders == [CARLA, DINO, None, None]


def test_sitting_down_twice_is_sitting_down_once() -> None:
    invitation = invited()
    first = sit(invitation, 1, DINO)
    assert sit(invitation, 1, DINO).holders == first.holders


def test_a_person_sits_once_and_may_move_to_a_free_seat() -> None:
    invitation = invited()
    sit(invitation, 1, DINO)
    assert sit(invitation, 2, DINO).holders == [CARLA, None, DINO, None]


def test_who_stands_up_leaves_the_seat_free_and_may_do_so_twice() -> None:
    invitation = invited()
    sit(invitation, 1, DINO)
    for _ in range(2):
        left = invitations.stand_up(public_id=invitation.public_id, person=DINO)
        assert left.holders == [CARLA, None, None, None]


def test_bots_fill_the_free_seats_when_those_at_the_table_say_so() -> None:
    invitation = sit(invited(), 2, DINO)
    assert refusal(invitations.start_invited, public_id=invitation.public_id, by=ELSA) == (
        "not-invited"
    )
    started = invitations.start_invited(public_id=invitation.public_id, by=DINO)
    assert load(started.game.stream).state.holders == (
        CARLA, "bot:sensible", DINO, "bot:sensible",
    )  # fmt: skip
    again = invitations.start_invited(public_id=invitation.public_id, by=CARLA)
    assert again.game == started.game
    assert Game.objects.count() == 1


def test_without_bots_a_table_with_free_seats_does_not_start() -> None:
    code = refusal(
        invitations.start_invited, public_id=invited().public_id, by=CARLA, fill_with_bots=False
    )
    assert code == "seats-free"


def test_bots_alone_do_not_start() -> None:
    invitation = invited()
    invitations.stand_up(public_id=invitation.public_id, person=CARLA)
    assert refusal(invitations.start_invited, public_id=invitation.public_id, by=CARLA) == (
        "nobody-seated"
    )


def test_only_the_host_calls_it_off_and_then_nobody_sits_down() -> None:
    invitation = sit(invited(), 1, DINO)
    name = {"public_id": invitation.public_id}
    assert refusal(invitations.cancel_invitation, **name, by=DINO) == "not-the-host"
    for _ in range(2):
        gone = invitations.cancel_invitation(**name, by=CARLA)
        assert gone.status == Invitation.Status.CANCELLED
    assert refusal(invitations.sit_down, **name, seat=2, person=ELSA) == "invitation-closed"
    assert refusal(invitations.start_invited, **name, by=CARLA) == "invitation-closed"


def test_after_a_day_an_invitation_is_over_swept_or_not() -> None:
    invitation, young = invited(), invited()
    Invitation.objects.filter(pk=invitation.pk).update(expires_at=timezone.now())
    code = refusal(invitations.sit_down, public_id=invitation.public_id, seat=1, person=DINO)
    assert code == "invitation-closed"
    assert invitations.expire_invitations() == 1
    invitation.refresh_from_db()
    young.refresh_from_db()
    assert invitation.status == Invitation.Status.EXPIRED
    assert young.expires_at - young.created_at >= timedelta(hours=23)
    assert young.status == Invitation.Status.OPEN


@pytest.mark.parametrize(
    ("offer", "code"),
    [
        ({"seats": 3}, "seats-not-played"),
        ({"target": 2000, "deals": 2}, "format-unsound"),
        ({"delay_seconds": 100_000}, "delay-unsound"),
        ({"host": "bot:sensible"}, "no-such-holder"),
    ],
)
def test_what_could_not_be_opened_is_not_offered(offer: dict[str, object], code: str) -> None:
    assert refusal(invited, **offer) == code


def test_the_same_invitation_sent_twice_is_one() -> None:
    assert invited(command_id="c1") == invited(command_id="c1")
    assert Invitation.objects.count() == 1


def test_a_bot_or_nobody_in_particular_cannot_sit_down() -> None:
    name = {"public_id": invited().public_id, "seat": 1}
    for person in ("bot:sensible", "bot:sensible:pelsa", "", "Elsa"):
        assert refusal(invitations.sit_down, **name, person=person) == "no-such-holder"


@pytest.mark.django_db(transaction=True)
def test_of_two_who_want_one_seat_at_once_one_has_it_and_the_other_is_told() -> None:
    invitation = invited()
    together, answers = threading.Barrier(2), {}

    def want(person: str) -> None:
        together.wait()
        try:
            sit(invitation, 1, person)
            answers[person] = "sits"
        except TableError as refused:
            answers[person] = refused.code
        finally:
            connection.close()

    both = [threading.Thread(target=want, args=(person,)) for person in (DINO, ELSA)]
    for one in both:
        one.start()
    for one in both:
        one.join()
    assert sorted(answers.values()) == ["seat-taken", "sits"]
    invitation.refresh_from_db()
    assert answers[invitation.holders[1]] == "sits"


@pytest.mark.django_db(transaction=True)
def test_the_last_two_seats_taken_at_once_start_one_game() -> None:
    invitation = sit(invited(), 1, DINO)
    together = threading.Barrier(2)

    def want(seat: int, person: str) -> None:
        together.wait()
        sit(invitation, seat, person)
        connection.close()

    both = [threading.Thread(target=want, args=each) for each in ((2, ELSA), (3, FURIO))]
    for one in both:
        one.start()
    for one in both:
        one.join()
    game = Game.objects.get()
    assert load(game.stream).state.holders == (CARLA, DINO, ELSA, FURIO)
    assert [event.type for event in store.read(game.stream)] == ["game_opened", "deal_started"]


def test_a_seat_is_found_again_by_its_person_also_while_a_bot_plays_it() -> None:
    game = sit(invited(seats=2), 1, DINO).game
    own = seats.own_seat(game.public_id, [DINO])
    assert own == seats.OwnSeat(game.public_id, 1, DINO)
    change_seat(
        stream=game.stream, seat=1, holder=f"bot:sensible:{DINO}", by="clock", reason="absent"
    )
    assert seats.own_seat(game.public_id, [DINO]) == own
    assert seats.own_seat(game.public_id, [ELSA]) is None
    assert seats.own_seat(game.public_id, []) is None
    assert seats.seats_in_play([ELSA, DINO]) == [own]
