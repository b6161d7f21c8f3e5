"""Celery's part in tables: sweeps that let bots play and time run out. Beat asks every second."""

from __future__ import annotations

import time

from celery import shared_task

from games.tables.absences import sweep_absences
from games.tables.bots import next_due_in, play_one_due
from games.tables.invitations import expire_invitations

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


@shared_task(name="tables.sweep_absences")
def sweep() -> int:
    """Clocks that are up, players who are away, pauses that last too long."""
    return sweep_absences()


@shared_task(name="tables.expire_invitations")
def expire() -> int:
    """Invitations that nobody took up in their time."""
    return expire_invitations()
