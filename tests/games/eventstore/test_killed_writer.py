"""A writer that is killed in mid-append leaves whole commands, and every one that it answered."""

import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest

from games.eventstore import store
from games.eventstore.aio import database
from games.eventstore.verify import StreamHead, verify
from tests.games.eventstore.helpers import COMMITTED

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = Path(__file__).with_name("appending_process.py")


@COMMITTED
@pytest.mark.parametrize("moment", [0.05, 0.15, 0.31])
def test_after_kill_9_there_are_only_whole_commands_and_all_that_were_answered(
    moment: float,
) -> None:
    writer = subprocess.Popen(
        [sys.executable, str(PROGRAM), database()],
        stdout=subprocess.PIPE,
        text=True,
        env={"PYTHONPATH": str(ROOT)},
    )
    assert writer.stdout is not None
    answered = [writer.stdout.readline()]  # it is at work
    time.sleep(moment)
    writer.kill()
    answered += writer.stdout.readlines()
    writer.wait()
    wait_for_its_connections_to_end()

    heads: dict[int, int] = {}
    for line in answered:
        if line.endswith("\n"):  # the last one may have been cut short
            stream, seq = map(int, line.split())
            heads[stream] = seq
    assert heads
    for stream, seq in heads.items():
        events = store.read(stream)
        assert len(events) >= seq
        assert len(events) % 3 == 0
        assert [event.opens for event in events] == [True, False, False] * (len(events) // 3)
        assert list(verify(stream)) == [StreamHead(stream, events[-1].head)]


def wait_for_its_connections_to_end() -> None:
    with psycopg.connect(database(), autocommit=True) as administrator:
        for _ in range(200):
            [[alive]] = administrator.execute(
                "SELECT count(*) FROM pg_stat_activity "
                "WHERE application_name = 'pozzetto live' AND datname = current_database()"
            )
            if not alive:
                return
            time.sleep(0.05)
    pytest.fail("the killed process still has connections")
