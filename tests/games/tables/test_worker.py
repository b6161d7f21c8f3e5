"""The bots' sweep where it runs: a real Celery worker and the real clock, killed in between."""

import time
from itertools import pairwise

import pytest

from games.tables.loading import load
from games.tables.models import Game
from games.tables.selectors import all_steps
from tests.games.play import BOTS, opened
from tests.games.processes import Process, eventually

pytestmark = pytest.mark.django_db(transaction=True)

CELERY = ("celery", "-A", "deploy.celery")
WORKER = (*CELERY, "worker", "--concurrency", "2", "--without-gossip", "--without-mingle")
BEAT = (*CELERY, "beat", "--pidfile", "")


@pytest.fixture
def started(tmp_path):
    """Starts processes, and ends them whatever happens."""
    running = []

    def start(name: str, *arguments: str) -> Process:
        running.append(Process(tmp_path / f"{name}.log", *arguments))
        return running[-1]

    yield start
    for process in running:
        process.kill()


def test_a_worker_and_the_clock_play_a_table_and_a_killed_worker_loses_no_turn(started):
    game = opened(holders=BOTS, deals=1, target=0)
    Game.objects.update(bot_pace_ms=50)
    started("beat", *BEAT)
    worker = started("worker", *WORKER)

    def has_reached(seq: int) -> bool:
        time.sleep(0.1)
        return load(game.stream).head.seq >= seq

    assert eventually(lambda: has_reached(10), 40), worker.log()
    worker.kill()
    head = load(game.stream).head.seq
    again = started("worker", *WORKER)
    assert eventually(lambda: has_reached(head + 10), 40), again.log()
    again.kill()
    steps = all_steps(game.stream)
    for before, step in pairwise(steps[1:]):
        if step.stored.opens and before.after.deal.ended is None:
            assert step.stored.by == before.after.holders[before.after.deal.turn]
