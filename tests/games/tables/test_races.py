"""Several at once on real connections: one wins, the others are told; nothing happens twice."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise

import pytest
from channels.db import database_sync_to_async
from django.db import connection

from games.eventstore import store
from games.eventstore.aio import AsyncStore, database
from games.rules.legal import legal_moves
from games.rules.moves import Draw
from games.tables import bots, services
from games.tables.folding import CACHE
from games.tables.loading import load
from games.tables.models import Game
from games.tables.outcomes import Accepted, Stale, TableError
from games.tables.playing import LivePlay
from games.tables.selectors import all_steps
from tests.games.play import BOTS, FOUR, moves, opened

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*commands):
    """Runs each in a thread with a connection of its own, all from the same moment; their answers,
    an exception being one, too."""
    gate = threading.Barrier(len(commands))

    def run(command):
        connection.ensure_connection()
        gate.wait()
        try:
            return command()
        except Exception as fault:
            return fault
        finally:
            connection.close()

    with ThreadPoolExecutor(len(commands)) as threads:
        return list(threads.map(run, commands))


def test_of_two_moves_for_the_same_place_one_wins_and_one_is_told_the_present_seq():
    for _ in range(10):
        game = opened()
        turn = load(game.stream).state.deal.turn

        def draw(stream=game.stream, turn=turn):
            return services.submit_move(stream=stream, move=Draw(turn), by=FOUR[turn], seq=2)

        answers = at_once(draw, draw, draw)
        assert sum(isinstance(answer, Accepted) for answer in answers) == 1, answers
        assert [answer for answer in answers if not isinstance(answer, Accepted)] == [Stale(3)] * 2
        assert len(store.read(game.stream)) == 3


def test_one_command_sent_twice_at_once_has_one_effect_and_one_answer():
    for _ in range(10):
        game = opened()
        turn = load(game.stream).state.deal.turn

        def draw(stream=game.stream, turn=turn):
            return services.submit_move(
                stream=stream, move=Draw(turn), by=FOUR[turn], seq=2, command_id="once"
            )

        answers = at_once(draw, draw)
        assert [answer.seq for answer in answers] == [3, 3]
        assert sorted(answer.repeated for answer in answers) == [False, True]
        assert len(store.read(game.stream)) == 3


def test_one_opening_sent_twice_at_once_opens_one_table():
    for number in range(5):
        tables = at_once(*[partial(opened, command_id=f"o{number}")] * 3)
        assert len({table.stream for table in tables}) == 1, tables
    assert Game.objects.count() == 5


def test_a_person_and_a_bot_who_both_start_the_next_deal_do_not_block_each_other():
    """The sweep holds the table's row while it appends; a command must not do it the other way."""
    for _ in range(5):
        game = opened(deals=3, holders=(*FOUR[:3], "bot:sensible"), target=0)
        for _ in moves(game):
            if load(game.stream).state.between_deals:
                break
        Game.objects.update(bots_due_at="2026-01-01T00:00Z")
        head = load(game.stream).head.seq
        answers = at_once(
            bots.play_one_due,
            partial(services.start_next_deal, stream=game.stream, by="pcarla"),
        )
        started = [e for e in store.read(game.stream, head) if e.type == "deal_started"]
        assert len(started) == 1, answers
        for answer in answers:
            assert isinstance(answer, bool | Accepted | Stale | TableError), answer
        Game.objects.update(bots_due_at=None)


def test_two_sweeps_at_once_play_every_turn_once():
    tables = [opened(holders=BOTS, deals=1, target=0) for _ in range(3)]
    Game.objects.update(bot_pace_ms=0)

    def sweep():
        played = 0
        while played < 40 and bots.play_one_due():
            played += 1
        return played

    played = at_once(sweep, sweep, sweep)
    appended = 0
    for game in tables:
        steps = all_steps(game.stream)
        assert [step.stored.seq for step in steps] == [*range(1, len(steps) + 1)]
        for before, step in pairwise(steps):
            if (
                step.stored.opens
                and before.after.deal is not None
                and before.after.deal.ended is None
            ):
                assert step.stored.by == before.after.holders[before.after.deal.turn]
        appended += sum(step.stored.opens for step in steps) - 2
    assert appended == sum(played), "each turn that a sweep counts is one command in the store"


def test_a_table_whose_bots_fail_does_not_keep_the_others_waiting(caplog):
    from games.tables.models import Shuffle

    broken, sound = opened(holders=BOTS), opened(holders=BOTS)
    Shuffle.objects.filter(pk=broken.pk).update(sealed=b"of another deployment")
    CACHE.forget(broken.stream)
    Game.objects.filter(pk=broken.pk).update(bots_due_at="2026-01-01T00:00Z")
    for _ in range(5):
        bots.play_one_due()
        Game.objects.filter(pk=sound.pk).update(bots_due_at="2026-01-02T00:00Z")
    assert load(sound.stream).head.seq > 4
    assert "failed" in caplog.text


async def test_sockets_and_services_mixed_on_one_table_agree_on_every_move():
    """The live path (async, one statement) and the services (sync, a transaction) share a store."""
    game = await database_sync_to_async(opened)(deals=1, target=0)
    told: list[int] = []
    async with AsyncStore(database()) as events:
        play = LivePlay(events, lambda _, steps, __: told.extend(s.stored.seq for s in steps))

        async def submit(number: int, folded, move, by):
            if number % 2:
                return await play.submit(
                    game.stream, move, by=by, seq=folded.head.seq, command_id=f"c{number}"
                )
            return await play.in_thread(
                services.submit_move, stream=game.stream, move=move, by=by,
                seq=folded.head.seq, command_id=f"c{number}",
            )  # fmt: skip

        for number in range(30):
            folded = await play.in_thread(load, game.stream)
            deal = folded.state.deal
            legal = legal_moves(deal, deal.turn)
            move = legal[0]
            by = FOUR[deal.turn]
            # Two players' sockets and another process, all with the same idea.
            answers = await asyncio.gather(
                submit(number * 2, folded, move, by), submit(number * 2 + 1, folded, move, by)
            )
            assert sum(isinstance(answer, Accepted) for answer in answers) == 1, answers
            head = (await play.in_thread(load, game.stream)).head
            assert {answer.seq for answer in answers} == {head.seq}
            again = await asyncio.gather(
                submit(number * 2, folded, move, by), submit(number * 2 + 1, folded, move, by)
            )
            assert [type(answer) for answer in again] == [type(answer) for answer in answers]
            assert (await play.in_thread(load, game.stream)).head == head
    assert told == sorted(set(told))
    assert (
        await database_sync_to_async(lambda: all_steps(game.stream)[-1].after)()
        == (await database_sync_to_async(load)(game.stream)).state
    )
