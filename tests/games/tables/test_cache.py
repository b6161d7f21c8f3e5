"""The cache of folded games is a hint: whatever happens beside it, play goes by the store."""

import pytest
from django.db import transaction

from games.eventstore import store
from games.rules.moves import Draw
from games.tables import planning, services
from games.tables.folding import CACHE, encoded, fold, start
from games.tables.loading import load
from games.tables.models import Shuffle
from games.tables.outcomes import Accepted, Stale
from games.tables.sealing import unseal
from tests.games.play import FOUR, moves, opened

pytestmark = pytest.mark.django_db(transaction=True)


def from_the_store(stream):
    master = unseal(Shuffle.objects.get(pk=stream).sealed)
    return fold(start(stream, master), store.read(stream))


def draw(game):
    turn = load(game.stream).state.deal.turn
    return services.submit_move(stream=game.stream, move=Draw(turn), by=FOUR[turn])


@pytest.mark.parametrize("looked_meanwhile", [True, False])
@pytest.mark.parametrize("cached_before", [True, False])
def test_what_an_outer_transaction_takes_back_is_not_kept(looked_meanwhile, cached_before):
    game = opened()
    if not cached_before:
        CACHE.forget(game.stream)
    with transaction.atomic():
        assert isinstance(draw(game), Accepted)
        if looked_meanwhile:
            assert load(game.stream).head.seq == 3
        transaction.set_rollback(True)
    assert load(game.stream) == from_the_store(game.stream)
    assert load(game.stream).head.seq == 2
    assert isinstance(draw(game), Accepted)


def test_what_a_savepoint_takes_back_is_not_kept_though_the_rest_commits():
    game = opened()
    with transaction.atomic():
        with transaction.atomic():
            draw(game)
            load(game.stream)
            transaction.set_rollback(True)
        assert load(game.stream).head.seq == 2
    assert load(game.stream) == from_the_store(game.stream)


def append_unseen(game) -> None:
    """As another process does: the events are there, this process's cache does not know."""
    folded = from_the_store(game.stream)
    events = planning.plan_move(folded, Draw(folded.state.deal.turn))
    store.append(game.stream, folded.head, [encoded(event) for event in events], by="pother")


def test_a_load_catches_up_with_what_another_process_appended():
    game = opened()
    load(game.stream)
    append_unseen(game)
    assert load(game.stream) == from_the_store(game.stream)


def test_an_old_fold_never_replaces_a_newer_one():
    game = opened()
    old = load(game.stream)
    draw(game)
    CACHE.put(old)
    assert CACHE.get(game.stream).head.seq == 3


def test_a_wrong_fold_is_found_out_by_the_first_append_and_forgotten():
    """A restored backup may lie behind what a process has seen: heads then have other hashes."""
    game = opened()
    right = load(game.stream)
    CACHE.forget(game.stream)
    CACHE.put(right._replace(head=right.head._replace(hash="f" * 64)))
    assert draw(game) == Stale(2)
    assert isinstance(draw(game), Accepted)
    assert load(game.stream) == from_the_store(game.stream)


def test_after_a_whole_match_the_cache_says_what_the_store_says():
    game = opened("buraco-clasico", 2, deals=2)
    for number, _ in enumerate(moves(game, seed=6)):
        if number % 50 == 0:
            assert load(game.stream) == from_the_store(game.stream)
    assert load(game.stream) == from_the_store(game.stream)
