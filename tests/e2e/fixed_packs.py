"""The whole site but for its luck: shuffles come of a master seed in a file, and seat 0 deals.

So a deal that is played in a browser is the same each time. Dealing itself, and its proof, stay.
Spectators may also be put off for seconds only: tests do not wait for minutes.
For a server of its own, never imported by a test: it changes the process that it is imported in.
"""

import os
from pathlib import Path
from types import SimpleNamespace

from deploy.asgi import application
from frontend.forms import TableForm
from games.tables import planning, services

__all__ = ["application"]

MASTER = Path(os.environ["POZZETTO_TEST_MASTER"])
"""Holds the master seed of the next table, in hex."""

DELAY = int(os.environ["POZZETTO_TEST_DELAY"])
"""One more that the form offers, in seconds."""


def given_master() -> bytes:
    return bytes.fromhex(MASTER.read_text())


vars(services)["new_master"] = given_master
vars(planning)["secrets"] = SimpleNamespace(randbelow=lambda _: 0)

DELAYS = ((DELAY, f"{DELAY} seconds later"), *TableForm.DELAYS)
TableForm.DELAYS = DELAYS
TableForm.base_fields["delay"].choices = DELAYS
