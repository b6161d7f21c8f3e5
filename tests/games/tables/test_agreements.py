"""Agreements at a real table: bots agree at once, one proposal counts, records of it verify."""

import random
from hashlib import sha256

import msgspec
import pytest

from games.eventstore import store
from games.rules.proposals import may_undo
from games.rules.verification import verify_record
from games.tables import agreements, selectors, services
from games.tables.loading import load
from games.tables.models import Game
from games.tables.outcomes import Accepted, TableError
from tests.games.play import hasty, opened
from tests.games.tables.timeline import at_once

pytestmark = pytest.mark.django_db

WITH_BOTS = ("pcarla", "bot:sensible", "pdino", "bot:random")


def play_on(game: Game, luck: random.Random) -> None:
    state = load(game.stream).state
    deal = state.deal
    if deal.ended is not None:
        services.start_next_deal(stream=game.stream, by="palba")
        return
    move, by = hasty(deal, luck), state.holders[deal.turn]
    assert isinstance(services.submit_move(stream=game.stream, move=move, by=by), Accepted)


def until_a_meld_may_be_taken_back(game: Game, luck: random.Random, seats=(0, 1, 2, 3)) -> int:
    while True:
        state = load(game.stream).state
        if state.deal.turn in seats and may_undo(state, state.deal.turn):
            return state.deal.turn
        play_on(game, luck)


def types(game: Game) -> list[str]:
    return [event.type for event in store.read(game.stream)]


def test_bots_agree_at_once_in_one_command():
    game = opened(holders=WITH_BOTS)
    paused = agreements.propose(stream=game.stream, seat=0, what="pause", by="pcarla")
    assert types(game)[2:] == ["asked", "answered", "game_paused"]
    assert [step.stored.opens for step in paused.steps] == [True, False, False]
    agreements.propose(stream=game.stream, seat=2, what="resume", by="pdino")
    assert not load(game.stream).state.paused


def test_a_bot_takes_no_decision_that_a_person_opposite_can_take():
    game = opened(holders=("pcarla", "pelsa", "pdino", "bot:random"))
    agreements.propose(stream=game.stream, seat=0, what="pause", by="pcarla")
    assert types(game)[2:] == ["asked"]
    agreements.respond(stream=game.stream, seat=1, what="pause", grant=True, by="pelsa")
    assert load(game.stream).state.paused


def test_a_meld_is_taken_back_in_the_store_too():
    game = opened()
    luck = random.Random(1)
    seat = until_a_meld_may_be_taken_back(game, luck)
    before = load(game.stream).state.before_meld
    ask = {"stream": game.stream, "seat": seat, "what": "undo", "by": "p1"}
    agreements.propose(**ask)
    agreements.respond(stream=game.stream, seat=(seat + 1) % 4, what="undo", grant=True, by="p2")
    assert load(game.stream).state.deal == before
    assert selectors.all_steps(game.stream)[-1].after.deal == before
    with pytest.raises(TableError) as refused:
        agreements.propose(**ask)
    assert refused.value.code == "too-late-to-undo"


def test_a_proposal_sent_again_is_the_same_proposal():
    game = opened(holders=WITH_BOTS)
    ask = {"stream": game.stream, "seat": 0, "what": "pause", "by": "pcarla", "command_id": "c1"}
    first, again = agreements.propose(**ask), agreements.propose(**ask)
    assert (first.seq, again.seq, again.repeated) == (5, 5, True)
    assert len(types(game)) == 5


def test_the_record_of_a_match_with_all_of_it_verifies():
    game = opened("buraco-fechado-stbl", deals=2, move_seconds=30)
    luck = random.Random(4)
    stream, undone = game.stream, 0
    while not (state := load(stream).state).over:
        if state.deal.ended is None and may_undo(state, state.deal.turn) and undone < 5:
            seat, undone = state.deal.turn, undone + 1
            asked = {"stream": stream, "what": "undo"}
            agreements.propose(**asked, seat=seat, by="p1")
            grant = undone % 2 == 0
            agreements.respond(**asked, seat=(seat + 1) % 4, grant=grant, by="p2")
            agreements.propose(stream=stream, what="pause", seat=seat, by="p1")
            agreements.respond(
                stream=stream, what="pause", seat=(seat + 3) % 4, grant=True, by="p2"
            )
            agreements.resume_match(stream=stream, by="palba")
            services.change_seat(
                stream=stream, seat=0, holder=f"pgina{undone}", by="palba", reason="substituted"
            )
        play_on(game, luck)
    happened = types(game)
    assert undone == 5
    assert happened.count("undo_granted") == 2
    assert happened.count("game_paused") == 5
    lines = [line + b"\n" for line in selectors.export_record(game.public_id)]
    assert verify_record(lines) is None


@pytest.mark.parametrize("forged", ["undo_granted", "answered"])
def test_a_record_in_which_an_agreement_is_missing_does_not_verify(forged):
    """The line that others lead to is taken out, and the rest sealed anew."""
    game = opened(deals=1)
    luck = random.Random(1)
    seat = until_a_meld_may_be_taken_back(game, luck)
    agreements.propose(stream=game.stream, seat=seat, what="undo", by="p1")
    agreements.respond(stream=game.stream, seat=(seat + 1) % 4, what="undo", grant=True, by="p2")
    services.end_match(stream=game.stream, by="palba")
    lines = [msgspec.json.decode(x) for x in selectors.export_record(game.public_id)]
    assert verify_record(msgspec.json.encode(x, order="sorted") + b"\n" for x in lines) is None
    header, entries = lines[0], [line for line in lines[1:] if line["type"] != forged]
    prev = "0" * 64
    for number, entry in enumerate(entries, 1):
        body = {k: v for k, v in entry.items() if k not in {"hash", "prev"}} | {"seq": number}
        digest = sha256(prev.encode() + msgspec.json.encode(body, order="sorted")).hexdigest()
        entry.clear()
        entry.update(body, prev=prev, hash=digest)
        prev = digest
    header.pop("hash")
    header["head"] = prev
    header["hash"] = sha256(msgspec.json.encode(header, order="sorted")).hexdigest()
    fault = verify_record(
        msgspec.json.encode(x, order="sorted") + b"\n" for x in [header, *entries]
    )
    assert fault is not None
    assert fault.code.startswith("event-"), fault


@pytest.mark.django_db(transaction=True)
def test_of_two_proposals_at_once_one_is_made_and_the_other_told_so():
    game = opened()
    answers = at_once(
        *(
            lambda seat=seat: agreements.propose(
                stream=game.stream, seat=seat, what="pause", by="p1"
            )
            for seat in range(4)
        )
    )
    assert sum(isinstance(answer, Accepted) for answer in answers) == 1
    assert {each.code for each in answers if isinstance(each, TableError)} == {"already-asked"}
    assert types(game)[2:] == ["asked"]


@pytest.mark.django_db(transaction=True)
def test_of_two_answers_at_once_one_counts():
    game = opened()
    agreements.propose(stream=game.stream, seat=0, what="pause", by="pcarla")

    def respond(seat, grant):
        return lambda: agreements.respond(
            stream=game.stream, seat=seat, what="pause", grant=grant, by="p1"
        )

    answers = at_once(respond(1, True), respond(3, False))
    assert sum(isinstance(answer, Accepted) for answer in answers) == 1
    assert types(game).count("answered") == 1
