"""The whole site but for its luck: shuffles come of a master seed in a file, and seat 0 deals.

So a deal that is played in a browser is the same each time. Dealing itself, and its proof, stay.
For a server of its own, never imported by a test: it changes the process that it is imported in.
"""

import os
from pathlib import Path
from types import SimpleNamespace

from deploy.asgi import application
from games.tables import planning, services

__all__ = ["application"]

MASTER = Path(os.environ["POZZETTO_TEST_MASTER"])
"""Holds the master seed of the next table, in hex."""


def given_master() -> bytes:
    return bytes.fromhex(MASTER.read_text())


vars(services)["new_master"] = given_master
vars(planning)["secrets"] = SimpleNamespace(randbelow=lambda _: 0)
