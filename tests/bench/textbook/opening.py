"""Opening tables of the textbook server from the process that measures it."""

from __future__ import annotations

import json
import random

from django.db.backends.base.base import BaseDatabaseWrapper

from games.eventstore.chain import GENESIS, Head
from games.rules import events as ev
from games.rules import match
from games.rules.profile import Profile
from games.rules.shuffle import SEED_BYTES, commitment
from games.tables.folding import Folded, after, encoded, shuffled
from tests.bench.textbook.models import Event, Table


def make_tables(connection: BaseDatabaseWrapper) -> None:
    """Make the textbook's tables in the benchmarks' database, once."""
    if Table._meta.db_table in connection.introspection.table_names():
        return
    with connection.schema_editor() as editor:
        editor.create_model(Table)
        editor.create_model(Event)


def open_textbook_table(
    profile: Profile, seats: int, deals: int, luck: random.Random
) -> tuple[str, Folded]:
    """A table with its first deal; its name, and the game as ours would fold it."""
    master = luck.randbytes(SEED_BYTES)
    holders = tuple(f"p{seat}" for seat in range(seats))
    opening = match.open_game(
        profile, seats, ev.MatchFormat(deals=deals), holders, commitment(master)
    )
    game = match.opened(opening)
    started = match.start_deal(game, shuffled(game, master, 1), luck.randrange(seats))
    table = Table.objects.create(name=f"t{luck.getrandbits(64):x}", master=master)
    for version, event in enumerate((opening, started), 1):
        stored = encoded(event)
        Event.objects.create(
            table=table, version=version, type=stored.type, by="bench", data=json.loads(stored.data)
        )
    return table.name, Folded(0, Head(2, GENESIS), after(game, master, started), master)
