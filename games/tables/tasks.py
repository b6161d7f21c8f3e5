"""Celery's part in tables: the sweep that lets bots play. Beat asks for it every second."""

from __future__ import annotations

import time

from celery import shared_task

from games.tables.bots import next_due_in, play_one_due

SWEEP_SECONDS = 1.0
_LONGEST_NAP = 0.2


@shared_task(name="tables.play_bots")
def play_bots() -> int:
    """Play what falls due within the next second; returns how many turns that was.

    Two sweeps at once share the work: each turn's row is locked by one of them.
    """
    until = time.monotonic() + SWEEP_SECONDS
    played = 0
    while (left := until - time.monotonic()) > 0:
        if play_one_due():
            played += 1
            continue
        due = next_due_in()
        if due is None:
            break
        time.sleep(min(left, max(due, 0.01), _LONGEST_NAP))
    return played
